/** The pay tables of a table's bets, on the felt or beside it. */

import { html, nothing, type TemplateResult } from "lit";

import type { PayTable } from "../../api/types";
import { payTablesOf } from "../../lib/state/pay-tables";
import { title } from "../../lib/text/labels";

function payTable({ of, rows }: PayTable): TemplateResult {
  return html`<section class="printed" aria-label="${title(of)} pays"><h3>${title(of)} pays</h3>
    <dl>${rows.map(
      ({ hand, pays }) => html`<div><dt>${title(hand)}</dt><dd>${pays.replace(/%$/, "% of meter")}</dd></div>`,
    )}</dl></section>`;
}

/** The pay tables around the dealer's cards: those of the bets on the left, the jackpot's on the right. */
export function payTablesAround(table: string, dealer: TemplateResult): TemplateResult {
  const printed = payTablesOf(table);
  return html`<div class="print left">${printed.filter(({ of }) => of !== "jackpot").map(payTable)}</div>${dealer}
    <div class="print right">${printed.filter(({ of }) => of === "jackpot").map(payTable)}</div>`;
}

/** The same as a list, for screens whose felt is too small for them. */
export function payTableList(table: string): TemplateResult | typeof nothing {
  const printed = payTablesOf(table);
  if (!printed.length) return nothing;
  return html`<details class="pays"><summary>What the bets pay</summary>${printed.map(payTable)}</details>`;
}
