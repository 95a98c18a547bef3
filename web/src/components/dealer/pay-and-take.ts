/** What the dealer pays, takes and leaves after the comparison, box by box. */

import { html, type TemplateResult } from "lit";

import type { Line } from "../../api/types";
import { breakdown, cents, short, show } from "../../lib/money";
import { title } from "../../lib/text/labels";
import { citations } from "../rules/citations";
import { awardList } from "../table/awards";
import type { DealerTable } from "./dealer-table";
import "./settlement-acts";

const AWARD = "Take the jackpot bet. Do not pay the award: hold the cards until two people have verified it.";

export function payAndTake(table: DealerTable): TemplateResult {
  const { view } = table;
  if (view.settling)
    return html`<section class="panel" aria-label="Pay and take" data-test="pay"><h2>Pay and take</h2>
      <settlement-acts .table=${table}></settlement-acts>${awardList(view.awards, AWARD)}</section>`;
  const boxes = [...new Set(view.lines.map(({ box }) => box))];
  return html`<section class="panel" aria-label="Pay and take" data-test="pay"><h2>Pay and take</h2>
    <ol class="pay">${boxes.map((box) => {
      const lines = view.lines.filter((line) => line.box === box);
      return html`<li><h3>Box ${box}, ${lines[0]!.player}</h3>
        <ul>${lines.map((line) => payLine(view.edition, line))}</ul></li>`;
    })}</ol>
    ${awardList(view.awards, AWARD)}</section>`;
}

function payLine(game: string, line: Line): TemplateResult {
  return html`<li><span>${title(line.bet)}</span> ${moves(line).map((move) => html`${move} `)}
    <span class="because">${line.because} ${citations(game, line.rules)}</span></li>`;
}

/** What happens to the chips of one bet. */
function moves({ outcome, won, staked, returned }: Line): TemplateResult[] {
  const [paid, back] = [cents(won), cents(returned)];
  const taken = cents(staked) - back;
  const chips = breakdown(paid).map(([size, count]) => `${count} × ${short(size)}`);
  return [
    ...(taken > 0 ? [html`<b class="take">Take ${show(taken)}</b>`] : []),
    ...(paid ? [html`<b class="give">Pay ${show(paid)}</b> <span class="quiet">${chips.join(" + ")}</span>`] : []),
    ...(back && outcome === "stand_off" ? [html`<b>Leave ${show(back)}</b>`] : []),
    ...(back && (outcome === "lose" || outcome === "returned")
      ? [html`<b class="give">Give back ${show(back)}</b>`]
      : []),
  ];
}
