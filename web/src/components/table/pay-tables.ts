/** The pay tables of a table's bets, on the cloth or beside the felt. */

import { html, nothing, type TemplateResult } from "lit";

import type { PayTable } from "../../api/types";
import { payTablesOf } from "../../lib/state/pay-tables";
import { title } from "../../lib/text/labels";

/** One pay table as it is printed on the cloth. */
export function payTable({ of, rows }: PayTable): TemplateResult {
  return html`<section class="printed" aria-label="${title(of)} pays"><h3>${title(of)} pays</h3>
    <dl>${rows.map(
      ({ hand, pays }) => html`<div><dt>${title(hand)}</dt><dd>${pays.replace(/%$/, "% of meter")}</dd></div>`,
    )}</dl></section>`;
}

/** All of them as a list, for screens whose felt is too small for them. */
export function payTableList(table: string): TemplateResult | typeof nothing {
  const printed = payTablesOf(table);
  if (!printed.length) return nothing;
  return html`<details class="pays"><summary>What the bets pay</summary>${printed.map(payTable)}</details>`;
}
