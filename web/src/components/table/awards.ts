/** Award cases: what is locked, what it waits for, and what the people at the table do meanwhile. */

import { html, nothing, type TemplateResult } from "lit";

import type { AwardCase } from "../../api/types";
import { show } from "../../lib/money";
import { title } from "../../lib/text/labels";

/** How far a case has come, in one or two sentences. */
export function awardText(award: AwardCase): string {
  const amount = award.amount === null ? "" : show(award.amount);
  switch (award.state) {
    case "claimed":
      return award.waits_for.length
        ? `Waits for ${award.waits_for.join(" and ")}, dealt earlier.`
        : "Waits for its turn.";
    case "locked":
      return `Locked at ${amount}. ${award.missing} more ${award.missing === 1 ? "signature" : "signatures"} needed.`;
    case "paid":
      return `Paid ${amount}.`;
    case "denied":
      return "Denied.";
  }
}

/** The awards of a table; `meanwhile` says what to do until an award is closed. */
export function awardList(awards: readonly AwardCase[] | undefined, meanwhile = ""): TemplateResult | typeof nothing {
  if (!awards?.length) return nothing;
  const isOpen = ({ state }: AwardCase): boolean => state === "claimed" || state === "locked";
  return html`<ul class="awards" data-test="awards">${awards.map(
    (award) => html`<li class=${award.state}><b>${title(award.hand)}</b>, box ${award.box}, round ${award.round}.
      ${awardText(award)} ${meanwhile && isOpen(award) ? html`<span class="note">${meanwhile}</span>` : nothing}</li>`,
  )}</ul>`;
}
