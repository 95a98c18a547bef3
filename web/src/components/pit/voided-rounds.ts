/** Rounds that became void in the last hours: who reported or ruled it, why, and what went back. */

import { html, nothing, type TemplateResult } from "lit";

import type { FloorFigures, VoidedRound } from "../../api/types";
import { show } from "../../lib/money";
import { session } from "../../lib/state/session";
import { t } from "../../lib/text/language";
import { hour } from "../../lib/text/time";
import { citations } from "../rules/citations";
import { served } from "../served";

/** Until when this device's void rounds are seen. */
const SEEN = "croupier.voided";

/** Whether a round that became void at this moment is not called seen on this device. */
export const isUnseen = (at: string): boolean => at > (localStorage.getItem(SEEN) ?? "");

/** The void rounds that are not called seen on this device, without those that this person made void. */
export function unseenVoided(figures: FloorFigures | undefined): VoidedRound[] {
  return (figures?.voided ?? []).filter(({ by, at }) => by !== session.me?.name && isUnseen(at));
}

export function voidedRounds(rounds: VoidedRound[], changed: () => void): TemplateResult | typeof nothing {
  if (!rounds.length) return nothing;
  const note = (): void => {
    localStorage.setItem(SEEN, rounds[0]!.at);
    changed();
  };
  return html`<section class="queue"><h2>${t("Void: every bet goes back")}</h2>${rounds.map(
    ({ table, round, at, by, because, rules, returned, edition }) => html`<article class="panel ask" data-void=${table}>
      <p><b>${t("{table}, round {round}", { table, round })}: ${show(returned)}</b>
        ${served(because)} ${citations(edition, rules)}
        ${by} ${hour(at)}</p></article>`,
  )}<button type="button" class="button small" @click=${note}>${t("Seen")}</button></section>`;
}
