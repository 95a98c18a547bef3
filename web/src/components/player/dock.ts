/** The dock under the felt, always of one height: the player's chips, their decisions, or what they wait for. */

import { html, nothing, type TemplateResult } from "lit";

import type { AwardCase } from "../../api/types";
import { openAward } from "../../lib/play/own-awards";
import { ownBoxes } from "../../lib/play/own-bets";
import { direction } from "../../lib/play/results";
import { isOver } from "../../lib/play/table-view";
import { type PlayedRound, playedRounds } from "../../lib/state/played-rounds";
import { title } from "../../lib/text/labels";
import { rich, t } from "../../lib/text/language";
import "../shell/reality-check";
import { awardText } from "../table/awards";
import { chipTray } from "./chip-tray";
import { decisionButtons } from "./decision-buttons";
import { shownBoxes } from "./own-felt";
import { betByBet, lateText, resultText } from "./own-result";
import { pendingQuestion } from "./pending-question";
import type { PlayerTable } from "./player-table";
import { winOf } from "./win-moment";

export function dock(table: PlayerTable): TemplateResult {
  return html`<section class="rail" aria-label=${t("Your bets and decisions")}
    ><reality-check .table=${table.name}></reality-check>${content(table)}</section>`;
}

function content(table: PlayerTable): TemplateResult | typeof nothing {
  const { view } = table;
  const question = pendingQuestion(table);
  if (question !== nothing) return question;
  if (view.choices.length) return decisionButtons(table);
  const shown = shownBoxes(table);
  if (view.stage === "betting") return shown.length ? chipTray(table) : everyBoxTaken();
  const result = isOver(view) ? resultLine(table) : nothing;
  return result === nothing ? html`<p class="wait">${waitText(table, shown.length > 0)}</p>` : result;
}

/** What the round has brought, in all and bet by bet; the reasons are under the felt. */
function resultLine({ name, view }: PlayerTable): TemplateResult | typeof nothing {
  const last = playedRounds.lastAt(name);
  if (last?.round !== view.round) return nothing;
  const award = openAward(name, view);
  const win = winOf(view);
  return html`<p class="wait result ${direction(last.net)}">${award ? lockedAward(award) : nothing}
    ${win?.isBig ? html`<em>${win.isJackpot ? t("Jackpot!") : t("Big win")}</em>` : nothing}<b>${resultText(last)}</b>
    ${lateNote(last)}${
      view.dealer.qualifies === false ? html`<small>${t("The dealer does not qualify.")}</small>` : nothing
    }
    ${betByBet(last)}
    <button type="button" class="button small ghost" @click=${showResults}>${t("Bet by bet")}</button></p>`;
}

function lateNote(last: PlayedRound): TemplateResult | typeof nothing {
  const late = lateText(last);
  return late ? html`<small class="late">${late}</small>` : nothing;
}

/** An award that the player has made and does not have yet. */
function lockedAward(award: AwardCase): TemplateResult {
  return html`<span class="own-award" data-test="own-award"><b>${title(award.hand)}</b> ${awardText(award)}</span>`;
}

function showResults(): void {
  document.querySelector('[data-test="results"]')?.scrollIntoView({ behavior: "smooth", block: "start" });
}

function everyBoxTaken(): TemplateResult {
  return html`<p class="wait" data-test="full">${rich("Every box of this table is taken. Wait for one, or {choose}.", {
    choose: html`<a href="#/">${t("choose another table")}</a>`,
  })}</p>`;
}

function waitText({ view, terms }: PlayerTable, isPlaying: boolean): string {
  const isFolded = ownBoxes(view).every(({ stands }) => stands === "folded");
  if (view.stage === "playing")
    return isPlaying
      ? isFolded
        ? t("You have folded.")
        : t("Your hand is in play.")
      : t("This round is under way. Place your bets when it is settled.");
  if (view.closed) return t("The table is closed.");
  if (terms.staffed)
    return view.stage === "idle" ? t("This table waits for its dealer.") : t("The dealer opens the next round.");
  return view.stage === "idle" ? t("The table opens in a moment.") : t("The next round begins in a moment.");
}
