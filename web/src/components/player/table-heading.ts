/** The head of the player's page: the table, its limits, the jackpot and the phase of the round. */

import { html, nothing, svg, type TemplateResult } from "lit";

import { cents, short } from "../../lib/money";
import type { LiveView } from "../../lib/play/table-view";
import { settings } from "../../lib/state/settings";
import { stageName, versioned } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import "../jackpot-meter";
import "../table/clock-ring";
import { served } from "../served";
import { term } from "../term";
import type { PlayerTable } from "./player-table";
import { practiceToggle } from "./practice";

/** The phase of the round, as this player reads it; while cards are being dealt it is the turn of no player. */
export function phaseName(view: LiveView, isStaged: boolean): string {
  if (view.awaiting.some((answer) => answer.by)) return t("Waiting for a ruling");
  if (view.awaiting.length) return t("Players choose");
  if (view.choices.length) return t("Your decision");
  if (view.stage === "playing" && view.clock?.phase === "deciding" && !isStaged) return t("The others decide");
  return stageName(view.stage);
}

export function tableHeading({ name, terms, view, isStaged, plays }: PlayerTable): TemplateResult {
  const limits = Object.entries(terms.limits).map(
    ([bet, [low, high]], i) => html`${i ? ", " : ""}${term(bet)} ${short(cents(low))}–${short(cents(high))}`,
  );
  return html`<div class="table-head">
    <div><h1>${terms.table} <span>${versioned(terms)}</span></h1>
      ${terms.missing ? html`<p class="notice" role="status">${served(terms.missing)}</p>` : nothing}
      <p class="quiet">${terms.operator} · ${limits} ${terms.currency}</p></div>
    ${
      terms.link
        ? html`<div class="jackpot-line"><span class="quiet">${t("Jackpot, {currency}", {
            currency: terms.currency,
          })}</span>
            <jackpot-meter .link=${terms.link} .isHeld=${isStaged}></jackpot-meter></div>`
        : nothing
    }
    ${plays ? html`<div class="switches">${practiceToggle()}${soundToggle()}</div>` : nothing}
    <div class="moment">${view.closed ? closedTag(view) : nothing}<b>${phaseName(view, isStaged)}</b
      ><clock-ring .table=${name}></clock-ring></div>
  </div>`;
}

/** One switch for every sound of the table; off until a person wants it. */
function soundToggle(): TemplateResult {
  const { tableSound } = settings.current;
  return html`<button type="button" class="icon sound" aria-pressed=${tableSound ? "true" : "false"}
    aria-label=${t("Table sound")} @click=${() => settings.change({ tableSound: !tableSound })}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 10v4h3.500L12 18V6L7.500 10z"/>${
      tableSound
        ? svg`<path d="M15 9.500a4 4 0 0 1 0 5M17.500 7a7.500 7.500 0 0 1 0 10"/>`
        : svg`<path d="m15.500 9.500 5 5m0-5-5 5"/>`
    }</svg></button>`;
}

function closedTag({ stage }: LiveView): TemplateResult {
  const isRunning = stage === "betting" || stage === "playing";
  return html`<span class="tag">${isRunning ? t("Closes after this round") : t("Closed")}</span>`;
}
