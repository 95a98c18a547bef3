/** The head of the player's page: the table, its limits, the jackpot and the phase of the round. */

import { html, nothing, type TemplateResult } from "lit";

import { cents, short } from "../../lib/money";
import type { LiveView } from "../../lib/play/table-view";
import { STAGES, title, versioned } from "../../lib/text/labels";
import "../jackpot-meter";
import "../table/clock-ring";
import type { PlayerTable } from "./player-table";
import { practiceToggle } from "./practice";

/** The phase of the round, as this player reads it. */
export function phaseName(view: LiveView): string {
  if (view.awaiting.some((answer) => answer.by)) return "Waiting for a ruling";
  if (view.awaiting.length) return "Players choose";
  if (view.choices.length) return "Your decision";
  if (view.stage === "playing" && view.clock?.phase === "deciding") return "The others decide";
  return STAGES[view.stage] ?? view.stage;
}

export function tableHeading({ name, terms, view, plays }: PlayerTable): TemplateResult {
  const limits = Object.entries(terms.limits).map(
    ([bet, [low, high]]) => `${title(bet)} ${short(cents(low))}–${short(cents(high))}`,
  );
  return html`<div class="table-head">
    <div><h1>${terms.table} <span>${versioned(terms)}</span></h1>
      ${terms.missing ? html`<p class="notice" role="status">${terms.missing}</p>` : nothing}
      <p class="quiet">${terms.operator} · ${limits.join(", ")} ${terms.currency}</p></div>
    ${
      terms.link
        ? html`<div class="jackpot-line"><span class="quiet">Jackpot, ${terms.currency}</span>
            <jackpot-meter .link=${terms.link}></jackpot-meter></div>`
        : nothing
    }
    <div class="moment">${plays ? practiceToggle() : nothing}
      ${view.closed ? closedTag(view) : nothing}<b>${phaseName(view)}</b
      ><clock-ring .table=${name}></clock-ring></div>
  </div>`;
}

function closedTag({ stage }: LiveView): TemplateResult {
  const isRunning = stage === "betting" || stage === "playing";
  return html`<span class="tag">${isRunning ? "Closes after this round" : "Closed"}</span>`;
}
