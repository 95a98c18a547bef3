/** The result of the last round that this player has played here. */

import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";

import { signed } from "../../lib/money";
import { to } from "../../lib/navigation";
import { awardsOfRound } from "../../lib/play/own-awards";
import { direction } from "../../lib/play/results";
import { isOver } from "../../lib/play/table-view";
import { type PlayedRound, playedRounds } from "../../lib/state/played-rounds";
import { t } from "../../lib/text/language";
import { openProof } from "../rules/proof-dialog";
import { awardList } from "../table/awards";
import { resultList } from "../table/results";
import { lastRound } from "./own-result";
import type { PlayerTable } from "./player-table";
import { decisionReview } from "./practice";

/** The whole result until the next one comes: what the player has opened in it stays open. */
export function roundOutcome(table: PlayerTable): TemplateResult | typeof nothing {
  const { name, view, terms } = table;
  // A round whose end is still being shown is not there yet.
  const last = playedRounds.list.find(
    (played) => played.table === name && (played.round !== view.round || isOver(view)),
  );
  if (!last) return nothing;
  const isNew = last.round === view.round && isOver(view);
  const isNext = lastRound(table) === last;
  const heading = last.stage === "void" ? t("The round is void") : isNew ? t("Your result") : t("Your last result");
  const outcome = html`<section class="outcome" aria-label=${t("Results of round {round}", {
    round: last.round,
  })} data-test=${isNew || isNext ? "results" : "earlier-results"}>
    <h2 tabindex="-1">${heading} <b class=${direction(last.net)}>${signed(last.net)}</b></h2>
    ${decisionReview(table, last)} ${resultList(last.game, last.lines, last.boxes.length > 1, true)}
    ${
      isNew && view.boxes.some(({ best }) => best.length)
        ? html`<p class="quiet" data-test="bars">${t(
            "White bar over a card: one of the dealer's five. Gold bar under it: one of your five.",
          )}</p>`
        : nothing
    }
    ${awardList(awardsOfRound(view, last))} ${terms.physical ? nothing : proofAndReplay(last)}</section>`;
  return html`${keyed(last.round, outcome)}`;
}

function proofAndReplay({ table, round }: PlayedRound): TemplateResult {
  return html`<div class="row after"><button type="button" class="button small ghost"
      @click=${() => openProof(table, round)}>${t("Prove the deck")}</button>
    <a class="button small ghost" href=${to("replay", table, round)}>${t("Replay")}</a></div>`;
}
