/** The player's own result in the dock: what the round has brought in all, and bet by bet. */

import { html, nothing, type TemplateResult } from "lit";

import { show, signed } from "../../lib/money";
import { ownBets } from "../../lib/play/own-bets";
import { direction, net } from "../../lib/play/results";
import { lateHands } from "../../lib/state/late-hands";
import { type PlayedRound, playedRounds } from "../../lib/state/played-rounds";
import { title } from "../../lib/text/labels";
import { list, t } from "../../lib/text/language";
import type { PlayerTable } from "./player-table";

/** The round that this player has just played, until they bet again or the next deal comes. */
export function lastRound({ name, view }: Pick<PlayerTable, "name" | "view">): PlayedRound | undefined {
  const last = playedRounds.lastAt(name);
  const isOpen = view.stage === "betting" && !Object.keys(ownBets(view)).length;
  return isOpen && last?.round === view.round - 1 ? last : undefined;
}

export function resultText({ net: won, stage }: PlayedRound): string {
  if (stage === "void") return t("The round is void. Your bets are back.");
  if (won > 0) return t("You win {amount}", { amount: show(won) });
  return won < 0 ? t("You lose {amount}", { amount: show(-won) }) : t("You are even");
}

/** That the clock has folded the hand, at which boxes where others were played. */
export function lateText({ table, round, boxes }: PlayedRound): string {
  const late = lateHands.boxes(table, round);
  if (!late.length) return "";
  const at = late.length < boxes.length ? `${list(late.map((box) => t("Box {box}", { box })))} · ` : "";
  return `${at}${t("Time ran out: folded")}`;
}

/** What each bet has won or lost; several boxes have a line each. */
export function betByBet({ lines, boxes }: PlayedRound): TemplateResult {
  return html`<span class="by-bet" data-test="by-bet">${boxes.map(
    (box) =>
      html`<span>${boxes.length > 1 ? html`<span class="of-box">${t("Box {box}", { box })}</span> ` : nothing}${lines
        .filter((line) => line.box === box)
        .map(
          (line) => html`<span class="each">${title(line.bet)}
          <span class=${direction(net(line))}>${signed(net(line))}</span></span> `,
        )}</span>`,
  )}</span>`;
}
