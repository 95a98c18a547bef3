/** The moment of a big win or of a jackpot, for a few seconds; it covers nothing. */

import { html, nothing, type TemplateResult } from "lit";

import { cents, totalOf } from "../../lib/money";
import { newAward } from "../../lib/play/own-awards";
import { ownLines, ownStakes } from "../../lib/play/own-bets";
import { net, totalNet } from "../../lib/play/results";
import { isOver, type LiveView } from "../../lib/play/table-view";

/** Antes that a round wins at least for its moment. */
const BIG = 8;

export interface Win {
  isBig: boolean;
  isJackpot: boolean;
}

/** What this player has won in a settled round. */
export function winOf(view: LiveView): Win | null {
  const lines = ownLines(view);
  const amount = totalNet(lines);
  const award = newAward(view);
  if (!isOver(view) || (amount <= 0 && !award)) return null;
  const antes = lines.filter(({ bet }) => bet === "ante").reduce((sum, { staked }) => sum + cents(staked), 0);
  const ante = antes || totalOf(view.boxes.flatMap(ownStakes)) || 1;
  const isJackpot = award !== undefined || lines.some((line) => line.bet === "jackpot" && net(line) > 0);
  return { isBig: amount >= BIG * ante || isJackpot, isJackpot };
}

/** A frame of light around felt and dock, which fades by itself; the words of the win are in the dock. */
export function winMoment(view: LiveView): TemplateResult | typeof nothing {
  const win = winOf(view);
  if (!win?.isBig) return nothing;
  return html`<div class="win-moment ${win.isJackpot ? "jackpot-won" : ""}" aria-hidden="true"></div>`;
}
