/** Chips and stacks of chips, drawn as SVG. */

import { html, svg, type TemplateResult } from "lit";

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
/** Chips that a stack shows at most. */
const STACK = 5;

export function chip(value: number): TemplateResult {
  return html`<svg class="chip ${COLOURS[value] ?? "bone"}" viewBox="0 0 60 60" aria-hidden="true">
    <circle class="body" cx="30" cy="30" r="28"/>
    <circle class="edge" cx="30" cy="30" r="24.500"/>
    <circle class="face" cx="30" cy="30" r="18.500"/>
    <text x="30" y="36" text-anchor="middle">${short(value)}</text>
  </svg>`;
}

/** The chips of an amount as they lie on a spot, the greatest at the bottom. */
export function stack(value: number): TemplateResult {
  const all = breakdown(value).flatMap(([size, count]) => Array<number>(count).fill(size));
  const chips = all.slice(0, STACK);
  return html`<svg class="stack" viewBox="0 0 60 ${38 + 7 * chips.length}" aria-hidden="true">
    ${chips.map(
      (size, i) => svg`<g class="chip ${COLOURS[size] ?? "bone"}"
          transform="translate(0 ${7 * (chips.length - 1 - i)})">
        <path class="body" d="M2 19v7a28 17 0 0 0 56 0v-7z"/>
        <ellipse class="body" cx="30" cy="19" rx="28" ry="17"/>
        <ellipse class="edge" cx="30" cy="19" rx="24" ry="14"/>
        <ellipse class="face" cx="30" cy="19" rx="18" ry="10"/></g>`,
    )}
  </svg>`;
}
