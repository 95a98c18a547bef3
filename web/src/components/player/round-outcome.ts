/** The result of the last round that this player has played here. */

import { html, nothing, type TemplateResult } from "lit";

import { signed } from "../../lib/money";
import { to } from "../../lib/navigation";
import { awardsOfRound } from "../../lib/play/own-awards";
import { ownBets } from "../../lib/play/own-bets";
import { isOver } from "../../lib/play/table-view";
import { type PlayedRound, playedRounds } from "../../lib/state/played-rounds";
import { t } from "../../lib/text/language";
import { openProof } from "../rules/proof-dialog";
import { awardList } from "../table/awards";
import { playedRound, resultList } from "../table/results";
import type { PlayerTable } from "./player-table";
import { decisionReview } from "./practice";

/** The whole result until the player bets again; then it is one line that opens. */
export function roundOutcome(table: PlayerTable): TemplateResult | typeof nothing {
  const { name, view, terms, coach } = table;
  const last = playedRounds.lastAt(name);
  if (!last) return nothing;
  const isBetting = view.stage === "betting";
  const isNew = last.round === view.round && isOver(view);
  const isNext = view.round === last.round + 1 && isBetting && !Object.keys(ownBets(view)).length;
  if (!isNew && !isNext)
    return isOver(view) || isBetting
      ? html`<section class="outcome" aria-label=${t("Last round")}>${playedRound(last)}</section>`
      : nothing;
  const heading = last.stage === "void" ? t("The round is void") : isNew ? t("Your result") : t("Your last result");
  return html`<section class="outcome" aria-label=${t("Results of round {round}", {
    round: last.round,
  })} data-test="results">
    <h2 tabindex="-1">${heading} <b>${signed(last.net)}</b></h2>
    ${decisionReview(coach, last.round)} ${resultList(view.edition, last.lines, last.hands.length > 1, true)}
    ${awardList(awardsOfRound(view, last))} ${terms.physical ? nothing : proofAndReplay(last)}</section>`;
}

function proofAndReplay({ table, round }: PlayedRound): TemplateResult {
  return html`<div class="row after"><button type="button" class="button small ghost"
      @click=${() => openProof(table, round)}>${t("Prove the deck")}</button>
    <a class="button small ghost" href=${to("replay", table, round)}>${t("Replay")}</a></div>`;
}
