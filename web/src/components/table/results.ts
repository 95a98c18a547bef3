/** What became of every bet, with its reason and its paragraphs. */

import { html, nothing, type TemplateResult } from "lit";

import type { Line } from "../../api/types";
import { cents, show, signed } from "../../lib/money";
import { to } from "../../lib/navigation";
import { direction, net } from "../../lib/play/results";
import type { PlayedRound } from "../../lib/state/played-rounds";
import { label, title } from "../../lib/text/labels";
import { PLAYER_TEXTS as T } from "../../lib/text/player-texts";
import { citations } from "../rules/citations";
import { card } from "./cards";

function outcomeText({ outcome, won, staked, returned }: Line): string {
  if (outcome === "win") return `wins ${show(won)}`;
  if (outcome === "lose") return `loses ${show(cents(staked) - cents(returned))}`;
  return `${label(outcome)}, ${show(returned)} back`;
}

/** The settled bets; `several` where they lie in more than one box. With `folded`, one "Why?" opens every reason. */
export function resultList(game: string, lines: readonly Line[], several: boolean, folded = false): TemplateResult {
  return html`${
    folded ? html`<details class="why"><summary>${T.why}</summary></details>` : nothing
  }<ul class="results">${lines.map(
    (line) => html`<li class=${line.outcome}>
      <p><span class="says"><b>${several ? `Box ${line.box} · ` : ""}${title(line.bet)}</b> ${outcomeText(line)}</span>
        <span class="net">${signed(net(line))}</span></p>
      <p class="because">${line.because} ${citations(game, line.rules)}</p>
    </li>`,
  )}</ul>`;
}

/** A round of this player's session as one line that opens. */
export function playedRound(played: PlayedRound): TemplateResult {
  const { table, round, hands, dealer, community, lines } = played;
  return html`<details class="played">
    <summary><span>${table}, round ${round}</span> <b class=${direction(played.net)}>${signed(played.net)}</b></summary>
    <div class="mini">
      ${hands.map(({ box, cards, hand }) => html`<span>Box ${box} ${cards.map(card)} ${hand}</span>`)}
      <span>Dealer ${dealer.cards.map(card)} ${dealer.hand}</span>
      ${community.length ? html`<span>Board ${community.map(card)}</span>` : ""}
    </div>
    ${resultList(played.game, lines, new Set(lines.map(({ box }) => box)).size > 1, true)}
    <p><a href=${to("replay", table, round)}>Replay and proof of the deck</a></p>
  </details>`;
}
