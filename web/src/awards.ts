/** Award cases in words: what is locked, what it waits for, and what the people at the table do meanwhile. */

import { html, nothing, type TemplateResult } from "lit";

import { show } from "./money";
import type { AwardCase } from "./types";
import { title } from "./words";

/** How far a case has come, as one sentence. */
export function awardSays(a: AwardCase): string {
  const amount = a.amount === null ? "" : show(a.amount);
  switch (a.state) {
    case "claimed":
      return a.waits_for.length ? `Waits for ${a.waits_for.join(" and ")}, dealt earlier.` : "Waits for its turn.";
    case "locked":
      return `Locked at ${amount}. ${a.missing} more ${a.missing === 1 ? "signature" : "signatures"} needed.`;
    case "paid":
      return `Paid ${amount}.`;
    case "denied":
      return "Denied.";
  }
}

/** The awards of a table, for the people who play or deal there. */
export function awardList(cases: readonly AwardCase[] | undefined, meanwhile = ""): TemplateResult | typeof nothing {
  if (!cases?.length) return nothing;
  return html`<ul class="awards" data-test="awards">${cases.map(
    (a) => html`<li class=${a.state}><b>${title(a.hand)}</b>, box ${a.box}, round ${a.round}. ${awardSays(a)}
      ${meanwhile && (a.state === "claimed" || a.state === "locked") ? html`<span class="note">${meanwhile}</span>` : nothing}</li>`,
  )}</ul>`;
}
