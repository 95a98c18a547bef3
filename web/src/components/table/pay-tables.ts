/** The pay tables of a table's bets, on the cloth or beside the felt. */

import { html, nothing, type TemplateResult } from "lit";

import type { PayTable, Terms } from "../../api/types";
import { lobby } from "../../lib/state/lobby";
import { payTablesOf } from "../../lib/state/pay-tables";
import { title } from "../../lib/text/labels";
import { list, plural, rich, t } from "../../lib/text/language";
import { payText } from "../../lib/text/odds";
import { sentence } from "../../lib/text/sentences";
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

/** What the bets against the Dealer's hand pay, and what the Dealer needs: no table of the cloth has it. */
function againstDealer({ showdown: { even, ante_from, dealer_needs } }: Terms): TemplateResult {
  const bets = list(even.map(title));
  return html`<section class="printed" data-test="even"><h3>${t("Against the Dealer")}</h3>
    <p>${plural(
      even.length,
      "{bets} pays 1 to 1 where your hand is better than the Dealer's.",
      "{bets} pay 1 to 1 where your hand is better than the Dealer's.",
      { bets },
    )}
    ${ante_from ? t("With less than a {hand} the Ante of a win only comes back.", { hand: title(ante_from) }) : nothing}
    ${
      dealer_needs
        ? t("The Dealer needs {least}. Below it the Ante is paid as for a win, the others come back.", {
            least: sentence(dealer_needs),
          })
        : nothing
    }</p></section>`;
}

/** All of them as a list, for screens whose felt is too small for them. */
export function payTableList(table: string): TemplateResult | typeof nothing {
  const printed = payTablesOf(table);
  if (!printed.length) return nothing;
  const terms = lobby.terms.get(table);
  return html`<details class="pays"><summary>${t("What the bets pay")}</summary>${printed.map((each) =>
    payTable(each, term),
  )}${terms ? againstDealer(terms) : nothing}</details>`;
}
