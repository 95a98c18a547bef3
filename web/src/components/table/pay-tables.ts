/** The pay tables of a table's bets, on the cloth or beside the felt. */

import { html, nothing, type TemplateResult } from "lit";

import type { PayTable } from "../../api/types";
import { payTablesOf } from "../../lib/state/pay-tables";
import { title } from "../../lib/text/labels";
import { rich, t } from "../../lib/text/language";
import { payText } from "../../lib/text/odds";
import { term, termName } from "../term";

/** One pay table as it is printed on the cloth. */
export function payTable({ of, rows }: PayTable, named: (slug: string) => unknown = termName): TemplateResult {
  return html`<section class="printed" aria-label=${t("{of} pays", {
    of: title(of),
  })}><h3>${rich("{of} pays", { of: named(of) })}</h3>
    <dl>${rows.map(
      ({ hand, pays }) =>
        html`<div><dt>${named(hand)}</dt><dd>${
          pays.endsWith("%") ? t("{share} of meter", { share: pays }) : payText(pays)
        }</dd></div>`,
    )}</dl></section>`;
}

/** All of them as a list, for screens whose felt is too small for them. */
export function payTableList(table: string): TemplateResult | typeof nothing {
  const printed = payTablesOf(table);
  if (!printed.length) return nothing;
  return html`<details class="pays"><summary>${t("What the bets pay")}</summary>${printed.map((each) =>
    payTable(each, term),
  )}</details>`;
}
