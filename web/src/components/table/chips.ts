/** Chips and stacks of chips, drawn as SVG. */

import { html, type SVGTemplateResult, svg, type TemplateResult } from "lit";

import { breakdown, short } from "../../lib/money";

/** The colour of a chip, by its value in cents. */
const COLOURS: Record<number, string> = {
  100: "bone",
  500: "red",
  1000: "blue",
  2500: "green",
  10000: "black",
  50000: "violet",
  100000: "amber",
};
/** Chips of one stack, and stacks side by side, at most. */
const HIGH = 5;
const STACKS = 3;
/** The thickness of a chip in a stack. */
const THICK = 8;

export function chip(value: number): TemplateResult {
  return html`<svg class="chip ${COLOURS[value] ?? "bone"}" viewBox="0 0 60 60" aria-hidden="true">
    <circle class="body" cx="30" cy="30" r="28.500"/>
    <circle class="edge" cx="30" cy="30" r="24.700"/>
    <circle class="inner" cx="30" cy="30" r="19.500"/>
    <circle class="face" cx="30" cy="30" r="17.500"/>
    <text x="30" y="35.500" text-anchor="middle">${short(value)}</text>
  </svg>`;
}

/** The inserts on the edge of a lying chip. */
const INSERTS = [
  `M8 28.500v${THICK}l9 3.500v-${THICK}z`,
  `M23 33v${THICK}h10v-${THICK}z`,
  `M39 32v${THICK}l9-3.500v-${THICK}z`,
].join("");

/** One chip of a stack, seen from the player's chair; the highest one shows its value. */
function lying(size: number, x: number, y: number, isHighest: boolean): SVGTemplateResult {
  return svg`<g class="chip ${COLOURS[size] ?? "bone"}" transform="translate(${x} ${y})">
    <path class="body" d="M1 18v${THICK}a27 15 0 0 0 54 0v-${THICK}z"/>
    <path class="side" d=${INSERTS}/>
    <ellipse class="body" cx="28" cy="18" rx="27" ry="15"/>
    <ellipse class="edge" cx="28" cy="18" rx="23.500" ry="12.700"/>
    <ellipse class="face" cx="28" cy="18" rx="16.500" ry="8.600"/>${
      isHighest
        ? svg`<text transform="translate(28 22.500) scale(1 0.62)" text-anchor="middle">${short(size)}</text>`
        : ""
    }</g>`;
}

/** The chips of an amount as they lie on a spot: one stack for each denomination, the greatest at the left. */
export function stack(value: number): TemplateResult {
  const kinds = breakdown(value);
  const stacks = kinds.length > STACKS ? [kinds.flatMap(([size, count]) => Array<number>(count).fill(size))] : [];
  const columns = stacks.length
    ? [stacks[0]!.slice(0, HIGH)]
    : kinds.map(([size, count]) => Array<number>(Math.min(count, HIGH)).fill(size));
  const highest = Math.max(...columns.map((column) => column.length), 1);
  const step = 44;
  const high = 34 + THICK * highest;
  return html`<svg class="stack" viewBox="0 0 ${56 + step * (columns.length - 1)} ${high + 4}" aria-hidden="true">
    ${columns.map((column, c) =>
      column.map((size, i) => lying(size, c * step, THICK * (highest - 1 - i) + (c % 2) * 3, i === column.length - 1)),
    )}
  </svg>`;
}
