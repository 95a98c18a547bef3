/** Award cases: what is locked, what it waits for, and what the people at the table do meanwhile. */

import { html, nothing, type TemplateResult } from "lit";

import type { AwardCase } from "../../api/types";
import { show } from "../../lib/money";
import { isOpenAward } from "../../lib/play/table-view";
import { list, plural, rich, t } from "../../lib/text/language";
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

/** The awards of a table; `meanwhile` says what to do until an award is closed. */
export function awardList(awards: readonly AwardCase[] | undefined, meanwhile = ""): TemplateResult | typeof nothing {
  if (!awards?.length) return nothing;
  return html`<ul class="awards" data-test="awards">${awards.map(
    (award) => html`<li class=${award.state}>${rich("{hand}, box {box}, round {round}.", {
      hand: html`<b>${termName(award.hand)}</b>`,
      box: award.box,
      round: award.round,
    })}
      ${awardText(award)}
      ${meanwhile && isOpenAward(award) ? html`<span class="note">${meanwhile}</span>` : nothing}</li>`,
  )}</ul>`;
}
