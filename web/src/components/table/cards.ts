/** Playing cards, drawn as SVG. */

import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { cardName } from "../../lib/text/card-names";
import "./card-art";

/** How a card is drawn: with its pips or figure, or with one large index that is read at a small size. */
type Face = "full" | "index";
/** The narrowest card that shows its pips, in pixels. */
const FULL_FACE = 46;

function face(card: string, style: Face): SVGTemplateResult {
  const suit = card[1]!;
  // The typeface's own tail is too short: from across the table a Q would be read as a 0.
  const tail = (path: string): SVGTemplateResult | typeof nothing =>
    card[0] === "Q" ? svg`<path d=${path}/>` : nothing;
  const isTen = card[0] === "T";
  const rank = isTen ? "10" : card[0]!;
  if (style === "index")
    return svg`<rect class="paper" x="1" y="1" width="98" height="138" rx="10"/>
      <g class="ink ${suit}">
        <text x=${isTen ? 36 : 30} y="58" text-anchor="middle" class="rank ${isTen ? "ten" : ""}">${rank}</text>
        ${tail("M31 45L47 65l8-4L41 44z")}
        <use href="#pip-${suit}" x="38" y="74" width="56" height="56"/></g>`;
  const corner = svg`<text x="12" y="25" text-anchor="middle" class="corner ${isTen ? "ten" : ""}">${rank}</text>
    ${tail("M12.500 19.500L18.500 28l3.500-1.800L16 19z")}
    <use href="#pip-${suit}" x="5" y="29" width="14" height="14"/>`;
  return svg`<rect class="paper" x="1" y="1" width="98" height="138" rx="9"/>
    <g class="ink ${suit}">${corner}<g transform="rotate(180 50 70)">${corner}</g>
      <use href="#face-${card}" x="0" y="0" width="100" height="140"/></g>`;
}

function drawn(code: string, style: Face): TemplateResult {
  const isDown = code === "??";
  return html`<svg class="card ${isDown ? "down" : "up"} ${style}" viewBox="0 0 100 140" role="img"
    aria-label=${cardName(code)} data-card=${code}>${
      isDown ? svg`<use href="#card-back" x="0" y="0" width="100" height="140"/>` : face(code, style)
    }</svg>`;
}

/** One small card; "??" is a card that lies face down. */
export const card = (code: string): TemplateResult => drawn(code, "index");

/** One card of a width in pixels: with its pips or figure from a certain size on. */
export const sizedCard = (code: string, width: number): TemplateResult =>
  drawn(code, width >= FULL_FACE ? "full" : "index");

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
