/** The state of the jackpot where staff cannot overlook it: what is locked, what it waits for, what to do meanwhile. */

import { html, nothing, type TemplateResult } from "lit";

import type { AwardCase } from "../../api/types";
import { show } from "../../lib/money";
import { title } from "../../lib/text/labels";

const isOpen = ({ state }: AwardCase): boolean => state === "claimed" || state === "locked";

/** Open awards of this table, and awards of other tables that wait for it. */
export function awardBanner(table: string, awards: readonly AwardCase[]): TemplateResult | typeof nothing {
  const own = awards.filter((award) => award.table === table && isOpen(award));
  const waiting = awards.filter((award) => award.table !== table && award.waits_for.includes(table));
  if (!own.length && !waiting.length) return nothing;
  return html`<section class="award-banner" role="status" aria-label="Jackpot">
    ${own.map(
      (award) => html`<p><span class="lock">${award.state === "locked" ? "Locked" : "Pending"}</span>
        <b>${title(award.hand)}, box ${award.box}${award.amount === null ? "" : `: ${show(award.amount)}`}</b>
        <span>${waitsFor(award)} Do not pay it. Hold the cards.</span></p>`,
    )}
    ${waiting.map(
      (award) => html`<p><span class="lock">Awaited</span>
        <span>${award.table} waits for this table: ${title(award.hand)}, box ${award.box}. Play this round to its
          end.</span></p>`,
    )}</section>`;
}

function waitsFor({ state, missing, waits_for }: AwardCase): string {
  if (state === "claimed")
    return waits_for.length ? `It waits for ${waits_for.join(" and ")}, dealt earlier.` : "It waits for its turn.";
  return `${missing} ${missing === 1 ? "signature is" : "signatures are"} missing.`;
}
