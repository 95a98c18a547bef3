/** The state of the jackpot where staff cannot overlook it: what is locked, what it waits for, what to do meanwhile. */

import { html, nothing, type TemplateResult } from "lit";

import type { AwardCase } from "../../api/types";
import { show } from "../../lib/money";
import { isOpenAward } from "../../lib/play/table-view";
import { title } from "../../lib/text/labels";
import { list, plural, t } from "../../lib/text/language";

/** Open awards of this table, and awards of other tables that wait for it. */
export function awardBanner(table: string, awards: readonly AwardCase[]): TemplateResult | typeof nothing {
  const own = awards.filter((award) => award.table === table && isOpenAward(award));
  const waiting = awards.filter((award) => award.table !== table && award.waits_for.includes(table));
  if (!own.length && !waiting.length) return nothing;
  return html`<section class="award-banner" role="status" aria-label=${t("Jackpot")}>
    ${own.map(
      (award) => html`<p><span class="lock">${award.state === "locked" ? t("Locked") : t("Pending")}</span>
        <b>${
          award.amount === null
            ? t("{hand}, box {box}", { hand: title(award.hand), box: award.box })
            : t("{hand}, box {box}: {amount}", {
                hand: title(award.hand),
                box: award.box,
                amount: show(award.amount),
              })
        }</b>
        <span>${waitsFor(award)} ${t("Do not pay it. Hold the cards.")}</span></p>`,
    )}
    ${waiting.map(
      (award) => html`<p><span class="lock">${t("Awaited")}</span>
        <span>${t("{table} waits for this table: {hand}, box {box}. Play this round to its end.", {
          table: award.table,
          hand: title(award.hand),
          box: award.box,
        })}</span></p>`,
    )}</section>`;
}

function waitsFor({ state, missing, waits_for }: AwardCase): string {
  if (state === "claimed")
    return waits_for.length
      ? t("It waits for {tables}, dealt earlier.", { tables: list(waits_for) })
      : t("It waits for its turn.");
  return plural(missing, "{count} signature is missing.", "{count} signatures are missing.");
}
