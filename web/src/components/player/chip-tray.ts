/** The chips that a player places, and the tools for all their bets at once. */

import { html, nothing, type TemplateResult } from "lit";

import { short, show } from "../../lib/money";
import { TRAY } from "../../lib/play/betting";
import { ownBets } from "../../lib/play/own-bets";
import { lobby } from "../../lib/state/lobby";
import { session } from "../../lib/state/session";
import { chip } from "../table/chips";
import type { PlayerTable } from "./player-table";

const ONE_LOOK = "With several boxes you may look at one hand; the others are played blind.";

export function chipTray(table: PlayerTable): TemplateResult {
  const { view, betting } = table;
  const bets = Object.values(ownBets(view)).flatMap((box) => Object.values(box));
  const total = bets.reduce((sum, amount) => sum + amount, 0);
  const boxes = Object.keys(ownBets(view)).length;
  const note = boxes > 1 && table.terms.one_look ? ONE_LOOK : "";
  const isShort = total > (session.balance ?? 0);
  return html`<div class="tray" role="group" aria-label="Chips">
    <p class="total">${total ? html`On the table <b>${show(total)}</b> ${table.terms.currency}` : advice()}
      ${note ? html`<span class="note">${note}</span>` : nothing}</p>
    <div class="chips-row" role="radiogroup" aria-label="Which chip"
      @keydown=${(event: KeyboardEvent) => moveAlong(table, event)}>
      ${TRAY.map((value) => chipButton(table, value))}</div>
    <div class="row tools">
      ${tool("undo", "Undo", !betting.canUndo || betting.isBusy, betting.undo)}
      ${tool("clear", "Clear", !total || betting.isBusy, betting.clear)}
      ${tool("rebet", "Rebet", !betting.last || betting.isBusy, betting.rebet)}
      ${tool("double", "Double", !total || betting.isBusy || isShort, betting.double)}
    </div></div>`;
}

function chipButton({ betting }: PlayerTable, value: number): TemplateResult {
  const isChosen = value === betting.chip;
  return html`<button type="button" role="radio" class="pick" data-chip=${value / 100} tabindex=${isChosen ? 0 : -1}
    aria-checked=${isChosen ? "true" : "false"} aria-label="Chip of ${short(value)}"
    @click=${() => betting.chooseChip(value)}>${chip(value)}</button>`;
}

function tool(name: string, text: string, isDisabled: boolean, act: () => void): TemplateResult {
  return html`<button type="button" class="button small ghost" ?disabled=${isDisabled} data-tool=${name}
    @click=${act}>${text}</button>`;
}

function advice(): string {
  if (session.balance !== 0) return "Tap a chip, tap a spot";
  return `You have no chips left. ${lobby.demo ? "Log out, and come in as a new guest." : "Buy chips at the cashier."}`;
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
