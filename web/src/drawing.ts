/** Our own cards and chips. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { breakdown, short } from "./money";
import { cardName } from "./words";

const SUITS: Record<string, string> = {
  s: "M25 4C33 14 44 21 44 31a10 10 0 0 1-17 7c.5 5 2 8 5 11H18c3-3 4.500-6 5-11A10 10 0 0 1 6 31C6 21 17 14 25 4z",
  h: "M25 47C14 36 5 28 5 18A10.500 10.500 0 0 1 25 13a10.500 10.500 0 0 1 20 5c0 10-9 18-20 29z",
  d: "M25 3 43 25 25 47 7 25z",
  c: "M25 4a10.500 10.500 0 0 1 8.500 16.700A10.500 10.500 0 1 1 27 37.500c.4 5 2 8.500 5 11.500H18c3-3 4.600-6.500 5-11.500a10.500 10.500 0 1 1-6.500-16.800A10.500 10.500 0 0 1 25 4z",
};

const FACE = (card: string): SVGTemplateResult => {
  const suit = card[1]!;
  const rank = card[0] === "T" ? "10" : card[0]!;
  return svg`
    <rect class="paper" x="1" y="1" width="98" height="138" rx="10"/>
    <g class="ink ${suit}">
      <text x=${rank === "10" ? 31 : 27} y="56" text-anchor="middle" class="rank ${rank === "10" ? "ten" : ""}">${rank}</text>
      <path d=${SUITS[suit]!} transform="translate(8 66) scale(.74)"/>
      <path d=${SUITS[suit]!} transform="translate(42 78) scale(1.08)"/>
    </g>`;
};

const BACK = svg`
  <rect class="paper" x="1" y="1" width="98" height="138" rx="10"/>
  <rect class="back" x="7" y="7" width="86" height="126" rx="6"/>
  <g class="weave">
    <path d="M50 22 78 70 50 118 22 70z"/><path d="M50 40 68 70 50 100 32 70z"/>
    <circle cx="50" cy="70" r="8"/>
  </g>`;

export function card(face: string): TemplateResult {
  const down = face === "??";
  return html`<svg class="card ${down ? "down" : "up"}" viewBox="0 0 100 140" role="img" aria-label=${cardName(face)}
    data-card=${face}>${down ? BACK : FACE(face)}</svg>`;
}

/** A row of cards; a card that is turned is a new one, so that it is dealt with its motion. */
export function hand(cards: string[], label: string): TemplateResult | typeof nothing {
  if (!cards.length) return nothing;
  return html`<div class="cards" role="group" aria-label=${label}>
    ${repeat(cards, (face, i) => `${i}${face}`, (face) => card(face))}
  </div>`;
}

const TONES: Record<number, string> = {
  100: "bone", 500: "red", 1000: "blue", 2500: "green", 10000: "black", 50000: "violet", 100000: "amber",
};

export function chip(value: number, label = true): TemplateResult {
  return html`<svg class="chip ${TONES[value] ?? "bone"}" viewBox="0 0 60 60" aria-hidden="true">
    <circle class="body" cx="30" cy="30" r="28"/>
    <circle class="edge" cx="30" cy="30" r="24.500"/>
    <circle class="face" cx="30" cy="30" r="18.500"/>
    ${label ? svg`<text x="30" y="36" text-anchor="middle">${short(value)}</text>` : nothing}
  </svg>`;
}

/** Chips as they lie on a spot: at most five, the greatest below. */
export function stack(value: number): TemplateResult {
  const chips = breakdown(value).flatMap(([size, count]) => Array<number>(count).fill(size)).slice(0, 5);
  return html`<svg class="stack" viewBox="0 0 60 ${38 + 7 * chips.length}" aria-hidden="true">
    ${chips.map(
      (size, i) => svg`<g class="chip ${TONES[size] ?? "bone"}" transform="translate(0 ${7 * (chips.length - 1 - i)})">
        <path class="body" d="M2 19v7a28 17 0 0 0 56 0v-7z"/>
        <ellipse class="body" cx="30" cy="19" rx="28" ry="17"/><ellipse class="edge" cx="30" cy="19" rx="24" ry="14"/>
        <ellipse class="face" cx="30" cy="19" rx="18" ry="10"/></g>`,
    )}
  </svg>`;
}
