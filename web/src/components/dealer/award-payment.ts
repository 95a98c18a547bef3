/** Awards of this table that are signed for: every console asks until a person says that they are paid out. */

import { html, nothing, type TemplateResult } from "lit";

import { commandId } from "../../api/command-id";
import { post } from "../../lib/forms";
import { cents, chipCount, show } from "../../lib/money";
import { title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import type { DealerTable } from "./dealer-table";

export function awardPayment({ name, procedure, isBusy, reload }: DealerTable): TemplateResult | typeof nothing {
  const due = procedure?.payments?.filter(({ paid_out }) => !paid_out) ?? [];
  if (!due.length) return nothing;
  const confirm = async (award: number): Promise<void> => {
    await post(`/api/tables/${encodeURIComponent(name)}/award-paid`, { id: commandId(), award }, t("It is paid"));
    reload();
  };
  return html`<section class="award-banner" role="status" data-test="award-due">${due.map(
    ({ award, box, round, amount, hand }) => html`<p><span class="lock">${t("Signed")}</span>
      <b>${t("Pay {amount} to box {box}", { amount: show(amount), box })}</b>
      <span>${t("{hand}, round {round}. By the cage, or in chips: {chips}.", {
        hand: title(hand),
        round,
        chips: chipCount(cents(amount)),
      })}</span>
      <button type="button" class="button small" ?disabled=${isBusy}
        @click=${() => confirm(award)}>${t("It is paid")}</button></p>`,
  )}</section>`;
}
