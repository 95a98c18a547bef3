/** The moment of a big win or of a jackpot, over the felt for a few seconds. */

import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";

import type { AwardCase } from "../../api/types";
import { cents, show, totalOf } from "../../lib/money";
import { newAward } from "../../lib/play/own-awards";
import { ownLines, ownStakes } from "../../lib/play/own-bets";
import { net, totalNet } from "../../lib/play/results";
import { isOver, type LiveView } from "../../lib/play/table-view";
import { title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { awardText } from "../table/awards";

/** Antes that a round wins at least for its moment. */
const BIG = 8;

export interface Win {
  amount: number;
  isBig: boolean;
  isJackpot: boolean;
  /** The award that is not paid yet. */
  award: AwardCase | undefined;
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
  return { amount, isBig: amount >= BIG * ante || isJackpot, isJackpot, award };
}

/** Fades by itself; it takes no taps, and the narration says the same. */
export function winMoment(view: LiveView): TemplateResult | typeof nothing {
  const win = winOf(view);
  if (!win?.isBig) return nothing;
  // A payment has a moment of its own after that of the hand.
  return html`${keyed(
    win.award === undefined,
    html`<div class="win-moment ${win.isJackpot ? "jackpot-won" : ""}" aria-hidden="true">
      ${RAYS}
      <p><b>${win.isJackpot ? t("Jackpot!") : t("Big win")}</b>${
        win.award ? claimed(win.award) : html`<span>+${show(win.amount)}</span>`
      }</p></div>`,
  )}`;
}

function claimed(award: AwardCase): TemplateResult {
  const { hand, amount } = award;
  return html`<em>${title(hand)}</em>${amount === null ? nothing : html`<span>${show(amount)}</span>`}
    <small>${awardText(award)}</small>`;
}

const RAYS = html`<svg viewBox="-100 -100 200 200"><path d=${Array.from({ length: 24 }, (_, i) => {
  const at = (angle: number): string => `${(98 * Math.cos(angle)).toFixed(1)} ${(98 * Math.sin(angle)).toFixed(1)}`;
  const a = (i * Math.PI) / 12;
  return `M0 0L${at(a)}L${at(a + 0.12)}z`;
}).join("")}/></svg>`;
