/** Awards of this table that are signed for and not yet paid out, until the dealer confirms them. */

import { html, nothing, type TemplateResult } from "lit";

import type { HitView } from "../../api/types";
import { cents, chipCount, show } from "../../lib/money";
import { tables } from "../../lib/state/tables";
import { title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import type { DealerTable } from "./dealer-table";

/** Rounds for which the console asks about an award that was never confirmed here. */
const ASKED = 30;

export class AwardPayment {
  constructor(private readonly changed: () => void) {}

  /** The tabs of a console share what was paid out. */
  private key({ round, box }: HitView, table: string): string {
    return `croupier.paid.${table}.${round}.${box}`;
  }

  render({ name, terms, view }: DealerTable): TemplateResult | typeof nothing {
    const hits = (terms.link && tables.links.get(terms.link)?.last_hits) || [];
    const due = hits.filter(
      (hit) => hit.table === name && hit.round > view.round - ASKED && !localStorage.getItem(this.key(hit, name)),
    );
    return due.length
      ? html`<section class="award-banner" role="status" data-test="award-due">${due.map((hit) => {
          const { box, round, amount, hand } = hit;
          const done = (): void => {
            localStorage.setItem(this.key(hit, name), "1");
            this.changed();
          };
          return html`<p><span class="lock">${t("Signed")}</span>
            <b>${t("Pay {amount} to box {box}", { amount: show(amount), box })}</b>
            <span>${t("{hand}, round {round}. By the cage, or in chips: {chips}.", {
              hand: title(hand),
              round,
              chips: chipCount(cents(amount)),
            })}</span>
            <button type="button" class="button small" @click=${done}>${t("It is paid")}</button></p>`;
        })}</section>`
      : nothing;
  }
}
