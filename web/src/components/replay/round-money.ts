/** What a round came to: for each player, for each award of the meter, and for the house. */

import { html, nothing, type TemplateResult } from "lit";

import type { PlayedRound } from "../../api/types";
import { show, signed, totalOf } from "../../lib/money";
import { totalNet } from "../../lib/play/results";
import { session } from "../../lib/state/session";
import { label } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { citations } from "../rules/citations";
import { resultList } from "../table/results";

export function roundMoney({ game, lines, awards }: PlayedRound): TemplateResult {
  const players = [...new Set(lines.map(({ player }) => player))];
  return html`<section class="panel" aria-label=${t("The money")}><h2>${t("The money")}</h2>
    ${players.map((player) => {
      const own = lines.filter((line) => line.player === player);
      return html`<h3>${player} ${signed(totalNet(own))}</h3> ${resultList(game, own, true, session.may("play"))}`;
    })}
    ${awards.map(
      ({ box, hand, amount, rules }) =>
        html`<p>${t("Award: box {box}, {hand}, {amount}", {
          box,
          hand: label(hand),
          amount: show(amount),
        })} ${citations(game, rules)}</p>`,
    )}
    ${lines.length ? houseWin(lines, awards) : html`<p class="quiet">${t("No bet has been settled.")}</p>`}</section>`;
}

/** What the house made of the round, as the list of rounds has it: the meter pays its awards. */
function houseWin(lines: PlayedRound["lines"], awards: PlayedRound["awards"]): TemplateResult | typeof nothing {
  const byMeter = totalOf(awards.filter(({ from_meter }) => from_meter));
  // A player reads of their own bets alone.
  if (session.may("play")) return nothing;
  const house = signed(byMeter - totalNet(lines));
  return html`<p class="quiet" data-test="house">${
    byMeter
      ? t("House {house}: of what players won, the meter paid {amount}.", { house, amount: show(byMeter) })
      : t("House {house}.", { house })
  }</p>`;
}
