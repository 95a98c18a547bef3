/** What was ruled in this round, until the dealer has carried it out. */

import { html, nothing, type TemplateResult } from "lit";

import { postName, rulingEffect, title } from "../../lib/text/labels";
import { list, t } from "../../lib/text/language";
import { hour } from "../../lib/text/time";
import type { DealerTable } from "./dealer-table";

export class GivenRulings {
  /** Rulings that the dealer has confirmed, by table and number. */
  private done = new Set<string>();

  constructor(private readonly changed: () => void) {}

  render({ name, procedure, view }: DealerTable): TemplateResult | typeof nothing {
    const key = (number: number): string => `${name} ${number}`;
    const open = procedure?.rulings?.filter(({ number }) => !this.done.has(key(number))) ?? [];
    if (!open.length || procedure?.round !== view.round) return nothing;
    const confirm = (number: number): void => {
      this.done.add(key(number));
      this.changed();
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
}
