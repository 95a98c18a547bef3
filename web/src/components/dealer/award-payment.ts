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
  const confirm = async (award: number, from_tray: boolean): Promise<void> => {
    const body = { id: commandId(), award, from_tray };
    await post(`/api/tables/${encodeURIComponent(name)}/award-paid`, body, t("It is on record."));
    reload();
  };
  const button = (award: number, fromTray: boolean, text: string): TemplateResult =>
    html`<button type="button" class="button small" ?disabled=${isBusy}
      @click=${() => confirm(award, fromTray)}>${text}</button>`;
  return html`<section class="award-banner" role="status" data-test="award-due">${due.map(
    ({ award, box, round, amount, hand }) => html`<p><span class="lock">${t("Signed")}</span>
      <b>${t("Pay {amount} to box {box}", { amount: show(amount), box })}</b>
      <span>${t("{hand}, round {round}. In chips: {chips}, from the tray or from the cage.", {
        hand: title(hand),
        round,
        chips: chipCount(cents(amount)),
      })}</span>
      ${button(award, false, t("Box {box}: chips came from the cage", { box }))}
      ${button(award, true, t("Box {box}: chips came from the tray", { box }))}</p>`,
  )}</section>`;
}
