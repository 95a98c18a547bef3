/** The line of tables at the foot of the display: game, limits and free boxes of each. */

import { html, nothing, type TemplateResult } from "lit";

import type { LobbyTable } from "../../api/types";
import { cents, short } from "../../lib/money";
import { plural, t } from "../../lib/text/language";

/** Seconds that one table takes to pass. */
const SECONDS = 7;

export function ticker(tables: readonly LobbyTable[]): TemplateResult | typeof nothing {
  const open = tables.filter(({ closed, missing }) => !closed && !missing);
  if (!open.length) return nothing;
  const items = open.map(({ table, title, limits, boxes, seats_taken, jackpot_bet }) => {
    const [low, high] = limits.ante ?? ["", ""];
    const ante = low && high ? t("Ante {low}–{high}", { low: short(cents(low)), high: short(cents(high)) }) : "";
    const jackpot = jackpot_bet ? t("Jackpot {jackpot_bet}", { jackpot_bet: short(cents(jackpot_bet)) }) : "";
    const free = boxes - seats_taken;
    return html`<li><b>${table}</b> ${title} <span>${[ante, jackpot].filter(Boolean).join(" · ")}</span>
      <span class="free">${free ? plural(free, "{count} box free", "{count} boxes free") : t("full")}</span></li>`;
  });
  // The line stands twice, so that it goes on where it ends.
  return html`<div class="ticker" tabindex="0" role="region" aria-label=${t("Tables")}
    style="--lasts:${open.length * SECONDS}s">
    <ul aria-label=${t("Tables of this jackpot")}>${items}</ul>
    <ul aria-hidden="true">${items}</ul></div>`;
}
