/** The end of a shift: the tray is counted, another dealer takes over, and a person of the pit signs. */

import { html, type TemplateResult } from "lit";

import { AMOUNT, amount, onSubmit, post } from "../../lib/forms";
import { t } from "../../lib/text/language";
import type { DealerTable } from "./dealer-table";

export function handOver({ name }: DealerTable): TemplateResult {
  const send = onSubmit(
    (field) =>
      post(
        `/api/tables/${encodeURIComponent(name)}/hand-over`,
        { to: field("to"), count: amount(field("count")) },
        t("Proposed. A person of the pit signs the hand-over."),
      ),
    () => {},
  );
  return html`<details class="panel"><summary>${t("Hand the table over")}</summary>
    <form @submit=${send}>
      <label>${t("Dealer who takes over")} <input name="to" required maxlength="40" autocomplete="off"
        autocapitalize="none"></label>
      <label>${t(
        "Chips in the tray, as counted",
      )} <input name="count" required inputmode="decimal" pattern=${AMOUNT}></label>
      <button class="button small">${t("Propose the hand-over")}</button></form></details>`;
}
