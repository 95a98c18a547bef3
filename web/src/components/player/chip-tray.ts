/** The chips that a player places, and the tools for all their bets at once. */

import { html, nothing, type TemplateResult } from "lit";

import { post } from "../../lib/forms";
import { short, show } from "../../lib/money";
import { TRAY } from "../../lib/play/betting";
import { openAward } from "../../lib/play/own-awards";
import { ownBets } from "../../lib/play/own-bets";
import { direction } from "../../lib/play/results";
import { type Shortfall, shortfall } from "../../lib/play/shortfall";
import { live } from "../../lib/state/live";
import { lobby } from "../../lib/state/lobby";
import { session } from "../../lib/state/session";
import { title } from "../../lib/text/labels";
import { plural, t } from "../../lib/text/language";
import { awardText } from "../table/awards";
import { chip } from "../table/chips";
import { betByBet, lastRound, lateText, resultText } from "./own-result";
import type { PlayerTable } from "./player-table";

/** With fewer cents than this a player of a demonstration may take more chips. */
const DEMO_BELOW = 20_000;
const DEMO_CHIPS = 100_000;

export function chipTray(table: PlayerTable): TemplateResult {
  const { view, terms, betting } = table;
  const bets = Object.values(ownBets(view)).flatMap((box) => Object.values(box));
  const total = bets.reduce((sum, amount) => sum + amount, 0);
  const isShort = total > (session.purse ?? 0);
  const award = openAward(table.name, view);
  const last = lastRound(table);
  // Before the next bet the result has this place; the box says what would be left.
  const gap = last ? undefined : shortfall(table);
  const note = gap
    ? carefulText(gap)
    : total
      ? blindText(table)
      : award
        ? `${title(award.hand)}: ${awardText(award)}`
        : "";
  return html`<div class="tray" role="group" aria-label=${t("Chips")}>
    <p class="total">${
      total
        ? html`<span class="laid-total">${t("On the table")} <b>${show(total)}</b> ${terms.currency}</span>`
        : last
          ? html`<b class=${direction(last.net)}>${resultText(last)}</b> <span class="late">${lateText(last)}</span>`
          : advice()
    }
      ${note ? html`<span class="note ${gap ? "careful" : ""}" role="status">${note}</span>` : nothing}
      ${last && !note ? html`<span class="note">${betByBet(last)}</span>` : nothing}</p>
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

/** The warning before the deal that playing on may take more than is left. */
function carefulText({ left, needed, lost, isLimit }: Shortfall): string {
  const amounts = { left: show(left), needed: show(needed), lost: show(lost) };
  return isLimit
    ? t(
        "Careful: your loss limit leaves {left}, playing on may take {needed}. You may have to fold and lose {lost}.",
        amounts,
      )
    : t(
        "Careful: this leaves you {left}, playing on may take {needed}. You may have to fold and lose {lost}.",
        amounts,
      );
}

function blindText({ view, terms }: PlayerTable): string {
  return Object.keys(ownBets(view)).length > 1 && terms.one_look
    ? t("With several boxes you may look at one hand; the others are played blind.")
    : "";
}

function chipButton({ betting }: PlayerTable, value: number): TemplateResult {
  const isChosen = value === betting.chip;
  return html`<button type="button" role="radio" class="pick" data-chip=${value / 100} tabindex=${isChosen ? 0 : -1}
    aria-checked=${isChosen ? "true" : "false"} aria-label=${t("Chip of {value}", { value: short(value) })}
    @click=${() => betting.chooseChip(value)}>${chip(value)}</button>`;
}

function tool(name: string, text: string, isDisabled: boolean, act: () => void): TemplateResult {
  return html`<button type="button" class="button small ghost" ?disabled=${isDisabled} data-tool=${name} data-repeat
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
    aria-label=${t("Take 1,000 demo chips")}><span class="long">${t("Take 1,000 demo chips")}</span
    ><span class="short">+${short(DEMO_CHIPS)}</span></button>`;
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
