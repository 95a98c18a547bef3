/** What this page sees of tables and links, as the live connection reports it. */

import type { LinkView, TableFact, TableMessage, TablePatch } from "../../api/types";
import { type LiveView, withoutVoidStakes } from "../play/table-view";
import { lateHands } from "./late-hands";
import { lobby } from "./lobby";
import { playedRounds } from "./played-rounds";

/** Events that are kept for a player who was away, at most. */
const MISSED = 40;

class Tables {
  views = new Map<string, LiveView>();
  links = new Map<string, LinkView>();
  /** What happened at a table while the connection was down, once it is back. */
  missed = new Map<string, { events: TableFact[]; all: boolean; round?: number }>();
  /** Views as the server sent them, which its next patch changes. */
  private received = new Map<string, TableMessage>();
  /** The seals of decks as this page saw them while bets were open, by table and round. */
  seals = new Map<string, string>();

  receiveLink(link: LinkView): void {
    this.links.set(link.link, link);
  }

  receiveMissed(table: string, events: TableFact[], all: boolean): void {
    if (events.length || !all) this.missed.set(table, { events: events.slice(-MISSED), all });
    const settled = events.flatMap((event) => (event.type === "BetSettled" ? event.round : []));
    void playedRounds.addMissed(table, new Set(settled));
  }

  /** Forget what was missed once the cards of a later round are dealt than that in which the player came back. */
  private outdateMissed({ table, round, stage }: TableMessage): void {
    const missed = this.missed.get(table);
    if (!missed) return;
    missed.round ??= round;
    if (stage === "playing" && round > missed.round) this.missed.delete(table);
  }

  /** Forget all tables, because another person uses the page. */
  clear(): void {
    this.views.clear();
    this.received.clear();
  }

  /** Take a change of a table; false, once, where it does not follow the view that this page has. */
  receivePatch(patch: TablePatch): boolean {
    const before = this.received.get(patch.table);
    if (!before) return true; // the whole view has been asked for, and is on its way
    if (before.version !== patch.after) return !this.received.delete(patch.table);
    const { type: _type, after: _after, boxes, ...changes } = patch;
    const changed = new Map(boxes?.map((box) => [box.box, box]));
    const merged = before.boxes.map((box) => changed.get(box.box) ?? box);
    this.receive({ ...before, ...changes, boxes: merged }, patch.clock === undefined, patch.phase !== undefined);
    return true;
  }

  /** Take a whole view of a table. */
  receiveTable(received: TableMessage): void {
    this.receive(received, false, true);
  }

  /** Take a new view of a table; `isCounting` where its clock goes on as before, `isPhase` where it says its phase. */
  private receive(received: TableMessage, isCounting: boolean, isPhase: boolean): void {
    this.received.set(received.table, received);
    const view = withoutVoidStakes(received);
    const before = this.views.get(view.table);
    if (before && before.seq > view.seq && before.round > view.round) return;
    const since = isPhase ? Date.now() - 1000 * view.phase.seconds : (before?.since ?? Date.now());
    const arrived = isCounting && before ? before.arrived : performance.now();
    const shown = { ...view, arrived, since };
    this.views.set(view.table, shown);
    lateHands.notice(before, shown);
    this.outdateMissed(view);
    lobby.receiveLimits(view);
    if (view.stage === "betting" && view.commitment) this.seals.set(`${view.table} ${view.round}`, view.commitment);
    if (view.stage === "settled" || view.stage === "void") playedRounds.add(view);
    playedRounds.completeAwards(view);
  }
}

export const tables = new Tables();
