/** What became of every bet, with its reason, its paragraph one tap away. */

import { html, type TemplateResult } from "lit";

import { to } from "./element";
import { card } from "./drawing";
import { cents, show, signed } from "./money";
import { cited } from "./paragraph";
import type { Played } from "./store";
import type { Line } from "./types";
import { title, words } from "./words";

export function net(line: Line): number {
  return cents(line.won) + cents(line.returned) - cents(line.staked);
}

export function lineSays(line: Line): string {
  if (line.outcome === "win") return `wins ${show(line.won)}`;
  if (line.outcome === "lose") return `loses ${show(cents(line.staked) - cents(line.returned))}`;
  if (line.outcome === "stand_off") return `stands off, ${show(line.returned)} back`;
  return `${words(line.outcome)}, ${show(line.returned)} back`;
}

export function resultList(game: string, lines: readonly Line[], several: boolean): TemplateResult {
  return html`<ul class="results">${lines.map(
    (line) => html`<li class=${line.outcome}>
      <p><span class="says"><b>${several ? `Box ${line.box} · ` : ""}${title(line.bet)}</b> ${lineSays(line)}</span>
        <span class="net">${signed(net(line))}</span></p>
      <p class="because">${line.because} ${cited(game, line.rules)}</p>
    </li>`,
  )}</ul>`;
}

export function playedRound(played: Played, open = false): TemplateResult {
  return html`<details class="played" ?open=${open}>
    <summary><span>${played.table}, round ${played.round}</span>
      <b class=${played.net > 0 ? "up" : played.net < 0 ? "down" : ""}>${signed(played.net)}</b></summary>
    <div class="mini">
      ${played.hands.map((h) => html`<span>Box ${h.box} ${h.cards.map((c) => card(c))} ${h.hand}</span>`)}
      <span>Dealer ${played.dealer.cards.map((c) => card(c))} ${played.dealer.hand}</span>
      ${played.community.length ? html`<span>Board ${played.community.map((c) => card(c))}</span>` : ""}
    </div>
    ${resultList(played.game, played.lines, new Set(played.lines.map((l) => l.box)).size > 1)}
    <p><a href=${to("replay", played.table, played.round)}>Replay and proof of the deck</a></p>
  </details>`;
}
