/** Cards that lie on a place of the felt, each with the motion that brought it there. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { sizedCard } from "../table/cards";
import type { CardMotion } from "./card-motion";
import { CARD_RATIO, rowOf, turned } from "./geometry";

export interface Lie {
  /** Width of a card, and of the whole place, in pixels. */
  size: number;
  wide: number;
  /** Cards that the place has room for; further ones make the row longer. */
  places: number;
  /** Where on the felt the place is, and by how much it is turned. */
  at: [x: number, y: number];
  angle: number;
  /** Classes of a card that makes a hand. */
  marks: (code: string) => string;
  shoe: { x: number; y: number };
}

/** Cards side by side from the left; a hand that has no place for that overlaps. */
export function laidCards(
  place: string,
  codes: string[],
  label: string,
  { size, wide, places, at: [x, y], angle, marks, shoe }: Lie,
  motion: CardMotion,
): TemplateResult | typeof nothing {
  if (!codes.length) return nothing;
  const [dx, dy] = turned(shoe.x - x, shoe.y - y, angle);
  const at = rowOf(Math.max(codes.length, places), size, wide);
  const style = (i: number): string =>
    `--x:${at[i]!.toFixed(1)}px;--from-x:${(dx - at[i]!).toFixed(0)}px;--from-y:${dy.toFixed(0)}px;` +
    `--n:${motion.order(place, i)}`;
  return html`<div class="cards" role="group" aria-label=${label}
    style="--card-w:${size}px;--card-h:${size * CARD_RATIO}px">
    ${repeat(
      codes,
      (code, i) => `${i}${code}`,
      (code, i) => html`<span class="laid-card ${motion.of(place, i)} ${marks(code)}" style=${style(i)}
        >${sizedCard(code, size)}</span>`,
    )}</div>`;
}
