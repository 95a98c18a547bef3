/** The chips that a player places, and the tools for all their bets at once. */

import { html, nothing, type TemplateResult } from "lit";

import { post } from "../../lib/forms";
import { short, show } from "../../lib/money";
import { TRAY } from "../../lib/play/betting";
import { openAward } from "../../lib/play/own-awards";
import { ownBets } from "../../lib/play/own-bets";
import { live } from "../../lib/state/live";
import { lobby } from "../../lib/state/lobby";
import { session } from "../../lib/state/session";
import { title } from "../../lib/text/labels";
import { plural, t } from "../../lib/text/language";
import { awardText } from "../table/awards";
import { chip } from "../table/chips";
import type { PlayerTable } from "./player-table";

/** With fewer cents than this a player of a demonstration may take more chips. */
const DEMO_BELOW = 20_000;

export function chipTray(table: PlayerTable): TemplateResult {
  const { view, terms, betting } = table;
  const bets = Object.values(ownBets(view)).flatMap((box) => Object.values(box));
  const total = bets.reduce((sum, amount) => sum + amount, 0);
  const isShort = total > (session.purse ?? 0);
  const award = openAward(table.name, view);
  const note = total ? noteOf(table) : award ? `${title(award.hand)}: ${awardText(award)}` : "";
  return html`<div class="tray" role="group" aria-label=${t("Chips")}>
    <p class="total">${total ? html`${t("On the table")} <b>${show(total)}</b> ${terms.currency}` : advice()}
      ${note ? html`<span class="note" role="status">${note}</span>` : nothing}</p>
    <div class="chips-row" role="radiogroup" aria-label=${t("Which chip")}
      @keydown=${(event: KeyboardEvent) => moveAlong(table, event)}>
      ${TRAY.map((value) => chipButton(table, value))}</div>
    <div class="row tools">
      ${tool("undo", t("Undo"), !betting.canUndo || betting.isBusy, betting.undo)}
      ${tool("clear", t("Clear"), !total || betting.isBusy, betting.clear)}
      ${
        total
          ? tool("double", t("Double"), betting.isBusy || isShort, betting.double)
          : tool("rebet", t("Rebet"), !betting.last || betting.isBusy, betting.rebet)
      }
      ${demoChips()} ${terms.staffed ? nothing : dealNow(table, total > 0)}
    </div></div>`;
}

/** The button that says: no more time is needed. The deal comes once every player with a bet has said so. */
function dealNow({ view, betting }: PlayerTable, hasBets: boolean): TemplateResult {
  const waiting = betting.waitingFor(view.round);
  return html`<button type="button" class="button small deal" data-tool="deal"
    ?disabled=${!hasBets || betting.isBusy || waiting > 0 || !live.online} @click=${betting.dealNow}
    >${
      waiting > 0 ? plural(waiting, "Waiting for {count} player", "Waiting for {count} players") : t("Deal now")
    }</button>`;
}

/** What a player should know of the bets before the deal: what they may look at, and what their money is for. */
function noteOf({ view, terms }: PlayerTable): string {
  const boxes = Object.values(ownBets(view));
  const needed = boxes.reduce((sum, { ante = 0 }) => sum + ante * dearest(terms.bets), 0);
  const left = session.purse ?? Number.POSITIVE_INFINITY;
  if (needed > left && left < (session.balance ?? 0))
    return t("Careful: your loss limit leaves {left}, and playing on may take {needed} more.", {
      left: show(left),
      needed: show(needed),
    });
  if (needed > left)
    return t("Careful: this leaves you {left}, and playing on may take {needed} more.", {
      left: show(left),
      needed: show(needed),
    });
  return boxes.length > 1 && terms.one_look
    ? t("With several boxes you may look at one hand; the others are played blind.")
    : "";
}

/** What playing a hand to its end may cost at most, in antes. */
function dearest(bets: PlayerTable["terms"]["bets"]): number {
  return bets.filter(({ kind }) => kind === "decision").reduce((sum, { times_ante }) => sum + times_ante, 0);
}

function chipButton({ betting }: PlayerTable, value: number): TemplateResult {
  const isChosen = value === betting.chip;
  return html`<button type="button" role="radio" class="pick" data-chip=${value / 100} tabindex=${isChosen ? 0 : -1}
    aria-checked=${isChosen ? "true" : "false"} aria-label=${t("Chip of {value}", { value: short(value) })}
    @click=${() => betting.chooseChip(value)}>${chip(value)}</button>`;
}

function tool(name: string, text: string, isDisabled: boolean, act: () => void): TemplateResult {
  return html`<button type="button" class="button small ghost" ?disabled=${isDisabled} data-tool=${name}
    @click=${act}>${text}</button>`;
}

function advice(): string {
  return session.balance !== 0 || lobby.demo
    ? t("Tap a chip, tap a spot")
    : t("You have no chips left. Buy chips at the cashier.");
}

/** More chips for a player of a demonstration who has few left. */
function demoChips(): TemplateResult | typeof nothing {
  if (!lobby.demo || session.balance === null || session.balance >= DEMO_BELOW) return nothing;
  const take = async (): Promise<void> => {
    if (await post("/api/play/demo-chips", {}, t("You have 1,000.00 more in demo chips."))) await session.refresh();
  };
  return html`<button type="button" class="button small" data-tool="demo-chips" @click=${take}
    >${t("Take 1,000 demo chips")}</button>`;
}

/** Move from chip to chip with the arrow keys, as in any radio group. */
function moveAlong({ betting }: PlayerTable, event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const chosen = TRAY[(TRAY.indexOf(betting.chip) + step + TRAY.length) % TRAY.length]!;
  betting.chooseChip(chosen);
  (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-chip="${chosen / 100}"]`)?.focus();
}
