/** What was ruled in this round, until the dealer has said that it is carried out. */

import { html, nothing, type TemplateResult } from "lit";

import { commandId } from "../../api/command-id";
import { post } from "../../lib/forms";
import { postName, rulingEffect, title } from "../../lib/text/labels";
import { list, t } from "../../lib/text/language";
import { hour } from "../../lib/text/time";
import type { DealerTable } from "./dealer-table";

export function givenRulings({ name, procedure, view, reload }: DealerTable): TemplateResult | typeof nothing {
  const open = procedure?.rulings?.filter(({ carried_out_by }) => !carried_out_by) ?? [];
  if (!open.length || procedure?.round !== view.round) return nothing;
  const confirm = async (ruling: number): Promise<void> => {
    await post(
      `/api/tables/${encodeURIComponent(name)}/ruling-done`,
      { id: commandId(), ruling },
      t("It is on record."),
    );
    reload();
  };
  return html`<section class="award-banner" role="status" data-test="ruled">${open.map(
    ({ number, decision, by, who, text, boxes, at }) => html`<p><span class="lock">${t("Ruling")}</span>
      <b>${title(decision)}${boxes.length ? `, ${t("Box {box}", { box: list(boxes.map(String)) })}` : ""}${
        text ? `: ${text}` : ""
      }</b>
      <span>${decision === "card_order" ? t("Lay the cards in this order.") : rulingEffect(decision)}
        ${who} (${postName(by)}), ${hour(at)}.</span>
      <button type="button" class="button small" @click=${() => confirm(number)}>${t("Done")}</button></p>`,
  )}</section>`;
}
