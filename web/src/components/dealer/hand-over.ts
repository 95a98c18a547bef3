/** The end of a shift: the tray is counted, another dealer takes over, and a person of the pit signs. */

import { html, type TemplateResult } from "lit";

import { AMOUNT, amount, onSubmit, post } from "../../lib/forms";
import type { DealerTable } from "./dealer-table";

export function handOver({ name }: DealerTable): TemplateResult {
  const send = onSubmit(
    (field) =>
      post(
        `/api/tables/${encodeURIComponent(name)}/hand-over`,
        { to: field("to"), count: amount(field("count")) },
        "Proposed. A person of the pit signs the hand-over.",
      ),
    () => {},
  );
  return html`<details class="panel"><summary>Hand the table over</summary>
    <form @submit=${send}>
      <label>Dealer who takes over <input name="to" required maxlength="40" autocomplete="off"
        autocapitalize="none"></label>
      <label>Chips in the tray, as counted <input name="count" required inputmode="decimal" pattern=${AMOUNT}></label>
      <button class="button small">Propose the hand-over</button></form></details>`;
}
