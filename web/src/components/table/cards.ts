/** Playing cards, drawn as SVG. */

import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { cardName } from "../../lib/text/card-names";

const SUITS: Record<string, string> = {
  s: "M25 4C33 14 44 21 44 31a10 10 0 0 1-17 7c.5 5 2 8 5 11H18c3-3 4.500-6 5-11A10 10 0 0 1 6 31C6 21 17 14 25 4z",
  h: "M25 47C14 36 5 28 5 18A10.500 10.500 0 0 1 25 13a10.500 10.500 0 0 1 20 5c0 10-9 18-20 29z",
  d: "M25 3 43 25 25 47 7 25z",
  c: [
    "M25 4a10.500 10.500 0 0 1 8.500 16.700A10.500 10.500 0 1 1 27 37.500c.4 5 2 8.500 5 11.500H18",
    "c3-3 4.600-6.500 5-11.500a10.500 10.500 0 1 1-6.500-16.800A10.500 10.500 0 0 1 25 4z",
  ].join(""),
};

function face(card: string): SVGTemplateResult {
  const suit = card[1]!;
  const isTen = card[0] === "T";
  const rank = isTen ? "10" : card[0]!;
  return svg`
    <rect class="paper" x="1" y="1" width="98" height="138" rx="10"/>
    <g class="ink ${suit}">
      <text x=${isTen ? 31 : 27} y="56" text-anchor="middle" class="rank ${isTen ? "ten" : ""}">${rank}</text>
      <path d=${SUITS[suit]!} transform="translate(8 66) scale(.74)"/>
      <path d=${SUITS[suit]!} transform="translate(42 78) scale(1.08)"/>
    </g>`;
}

const BACK = svg`
  <rect class="paper" x="1" y="1" width="98" height="138" rx="10"/>
  <rect class="back" x="7" y="7" width="86" height="126" rx="6"/>
  <g class="weave">
    <path d="M50 22 78 70 50 118 22 70z"/><path d="M50 40 68 70 50 100 32 70z"/>
    <circle cx="50" cy="70" r="8"/>
  </g>`;

/** One card; "??" is a card that lies face down. */
export function card(code: string): TemplateResult {
  const isDown = code === "??";
  return html`<svg class="card ${isDown ? "down" : "up"}" viewBox="0 0 100 140" role="img"
    aria-label=${cardName(code)} data-card=${code}>${isDown ? BACK : face(code)}</svg>`;
}

/** A row of cards. A card that is turned is a new element, so that it appears with its motion. */
export function hand(cards: string[], label: string): TemplateResult | typeof nothing {
  if (!cards.length) return nothing;
  return html`<div class="cards" role="group" aria-label=${label}>
    ${repeat(
      cards,
      (code, i) => `${i}${code}`,
      (code) => card(code),
    )}
  </div>`;
}
