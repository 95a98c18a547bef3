/** The live connection of this page, and what its messages change. */

import { Refused } from "../../api/http";
import type { Answer, ServerMessage } from "../../api/types";
import { LiveConnection } from "../../api/websocket";
import { signed } from "../money";
import { disarmed } from "../pressed-button";
import { concernsPlayer } from "../text/event-text";
import { startLanguage, t } from "../text/language";
import { changed } from "./changes";
import { lobby } from "./lobby";
import { ownRounds } from "./own-rounds";
import { playedRounds } from "./played-rounds";
import { RETRY } from "./requests";
import { session } from "./session";
import { settings } from "./settings";
import { tables } from "./tables";
import { refuse, toast } from "./toasts";

/** The balance when the connection was lost, in cents. */
let balanceBefore: number | null = null;

export const live = new LiveConnection({
  mayConnect: () => !session.me?.held,
  resume: (topic, message) => {
    const seen = topic.startsWith("table/") ? tables.views.get(topic.slice("table/".length)) : undefined;
    return seen && session.me ? JSON.stringify({ type: "watch_table", table: seen.table, after: seen.seq }) : message;
  },
  opened: (again) => {
    if (again) void comeBack();
    // From now on the server reports every change; this reads what has changed since the page was opened.
    else if (session.me?.account) void session.refresh();
  },
  lost: () => {
    balanceBefore = session.balance;
  },
  heldBack: async () => {
    balanceBefore = session.balance;
    await session.refresh();
    return Boolean(session.me?.held);
  },
  received: receive,
  answered: (answer, expected) => {
    // Another server runs the table now.
    if (answer.code === "table_elsewhere" && !expected) void lobby.refresh();
    changed();
  },
  changed,
});

session.onPerson = (name) => {
  ownRounds.clear();
  playedRounds.restore(name);
};
session.onLeave = () => tables.clear();
session.onConnect = (how) => {
  if (how === "connect") return live.connect();
  balanceBefore = null;
  live.reconnect();
};

/** Whether the page knows the tables and the person; before that, anything it showed would be wrong. */
export let isReady = false;

/** Read the tables and the person, then connect. */
export async function start(): Promise<void> {
  settings.load();
  await startLanguage();
  while (!((await lobby.load()) && (await session.load()))) await new Promise((done) => window.setTimeout(done, RETRY));
  isReady = true;
  live.start();
  changed();
  for (const touch of ["pointerdown", "keydown", "wheel"])
    window.addEventListener(touch, () => session.reportUse(), { capture: true, passive: true });
}

/** Send a command with the round and the decision that this page shows, so that a late one never acts on the next. */
export function command(table: string, body: Record<string, unknown>): Promise<Answer> {
  const view = tables.views.get(table);
  const box = body.do === "decide" ? view?.boxes.find((b) => b.box === body.box) : undefined;
  const meant = { ...(view ? { round: view.round } : {}), ...(box ? { decided: box.choices.length } : {}) };
  return disarmed(() => live.command(table, { ...meant, ...body }));
}

/** Send a command, and show a refusal with the paragraphs that forbid it; true where it was accepted. */
export async function perform(table: string, body: Record<string, unknown>): Promise<boolean> {
  const answer = await command(table, body);
  if (!answer.accepted) refuse(new Refused(200, answer), lobby.terms.get(table)?.edition);
  return answer.accepted;
}

async function comeBack(): Promise<void> {
  const known = session.me !== null;
  await session.refresh();
  // Another server may have taken tables meanwhile.
  void lobby.refresh();
  if (known && !session.me) return toast(t("Your session is over. Log in again."));
  const [before, now] = [balanceBefore, session.balance];
  balanceBefore = null;
  if (before === null) return;
  const moved = now === null ? 0 : now - before;
  toast(
    moved
      ? t("The connection is back. Your balance has changed by {amount} meanwhile.", { amount: signed(moved) })
      : t("The connection is back."),
    "back",
  );
}

function receive(message: ServerMessage): void {
  switch (message.type) {
    case "table":
      tables.receiveTable(message);
      break;
    case "patch":
      // A change that does not follow the view of this page: ask for the whole.
      if (!tables.receivePatch(message)) live.watchAgain(`table/${message.table}`);
      break;
    case "missed": {
      const events = message.events.map(({ event }) => event);
      const own = events.filter((event) => concernsPlayer(event, session.me?.name ?? ""));
      tables.receiveMissed(message.table, own, message.all);
      break;
    }
    case "link":
      tables.receiveLink(message);
      break;
    case "account":
      // Chips have moved at a table, or the cage has booked a payment or asks the player to confirm one.
      session.receiveAccount(message);
      break;
    default:
      return;
  }
  changed();
}
