/** The rail before the player: what they missed, what the rules ask, their boxes, their chips and the last result. */

import { html, nothing, type TemplateResult } from "lit";

import { ownBoxes } from "../../lib/play/own-bets";
import { chipTray } from "./chip-tray";
import { missedEvents } from "./missed-events";
import { pendingQuestion } from "./pending-question";
import { playerBox } from "./player-box";
import type { PlayerTable } from "./player-table";
import { roundOutcome } from "./round-outcome";

export function rail(table: PlayerTable): TemplateResult {
  const { name, view } = table;
  const isBetting = view.stage === "betting";
  const shown = shownBoxes(table).sort((a, b) => b - a);
  return html`<section class="rail" aria-label="Your boxes">
    ${missedEvents(name)}
    ${pendingQuestion(table)}
    <div class="mine">${shown.map((box) => playerBox(table, view.boxes[box - 1]!))}</div>
    ${shown.length ? nothing : isBetting ? everyBoxTaken() : html`<p class="panel">${waitText(table)}</p>`}
    ${isBetting && shown.length ? chipTray(table) : nothing}
    ${roundOutcome(table)}
  </section>`;
}

/** The boxes of this player, and the chosen one while bets are open. */
function shownBoxes({ view, terms, betting }: PlayerTable): number[] {
  const own = ownBoxes(view).map(({ box }) => box);
  const isFurther = view.stage === "betting" && view.boxes[betting.active - 1] && !own.includes(betting.active);
  return isFurther && (terms.several_boxes || !own.length) ? [...own, betting.active] : own;
}

function everyBoxTaken(): TemplateResult {
  return html`<p class="panel" data-test="full">Every box of this table is taken. Wait for one, or
    <a href="#/">choose another table</a>.</p>`;
}

function waitText({ view }: PlayerTable): string {
  if (view.stage === "playing") return "This round is under way. Place your bets when it is settled.";
  if (view.closed) return "The table is closed.";
  return view.stage === "idle" ? "The table opens in a moment." : "The next round begins in a moment.";
}
