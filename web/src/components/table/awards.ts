/** Award cases: what is locked, what it waits for, and what the people at the table do meanwhile. */

import { html, nothing, type TemplateResult } from "lit";

import type { AwardCase, AwardPayment } from "../../api/types";
import { show } from "../../lib/money";
import { isOpenAward } from "../../lib/play/table-view";
import { list, plural, rich, t } from "../../lib/text/language";
import { hour } from "../../lib/text/time";
import { termName } from "../term";

/** How far a case has come, in one or two sentences. */
export function awardText(award: AwardCase): string {
  const amount = award.amount === null ? "" : show(award.amount);
  switch (award.state) {
    case "claimed":
      return award.waits_for.length
        ? t("Waits for {tables}, dealt earlier.", { tables: list(award.waits_for) })
        : t("Waits for its turn.");
    case "locked":
      return plural(
        award.missing,
        "Locked at {amount}. {count} more signature needed.",
        "Locked at {amount}. {count} more signatures needed.",
        { amount },
      );
    case "paid":
      return t("Paid {amount}.", { amount });
    case "denied":
      return t("Denied.");
  }
}

/** An award that is signed for: what is to be paid, or who said that it is. */
function paymentText({ amount, box, paid_out }: AwardPayment): string {
  if (!paid_out) return `${t("Signed")}. ${t("Pay {amount} to box {box}", { amount: show(amount), box })}.`;
  const said = t("{name} confirmed it at {time}.", { name: paid_out.by, time: hour(paid_out.at) });
  return `${t("Paid {amount}.", { amount: show(amount) })} ${said}`;
}

/** The awards of a table, and payments of others; `meanwhile` says what to do until an award is closed. */
export function awardList(
  awards: readonly AwardCase[] = [],
  meanwhile = "",
  payments: readonly AwardPayment[] = [],
  others = payments,
): TemplateResult | typeof nothing {
  const further = others.filter(({ award }) => !awards.some((known) => known.award === award));
  const paymentOf = (of: AwardCase): AwardPayment | undefined => payments.find(({ award }) => award === of.award);
  if (!awards.length && !further.length) return nothing;
  const begin = ({ hand, box, round }: AwardCase | AwardPayment): unknown =>
    rich("{hand}, box {box}, round {round}.", { hand: html`<b>${termName(hand)}</b>`, box, round });
  return html`<ul class="awards" data-test="awards">${further.map(
    (payment) => html`<li class="paid">${begin(payment)} ${paymentText(payment)}</li>`,
  )}${awards.map((award) => {
    const payment = paymentOf(award);
    return html`<li class=${award.state}>${begin(award)}
      ${payment ? paymentText(payment) : awardText(award)}
      ${meanwhile && isOpenAward(award) ? html`<span class="note">${meanwhile}</span>` : nothing}</li>`;
  })}</ul>`;
}
