/** The table itself, drawn: rail, cloth, tray, shoe, discard rack, and what is printed on the cloth. */

import { nothing, type SVGTemplateResult, svg } from "lit";

import { CARD_RATIO, type Geometry, type Rect } from "./geometry";
import { type Identity, type Mark, monogram } from "./identity";

/** Chips of the dealer's tray, from the dealer's left. */
const TRAY_CHIPS = [
  "#e9e3d0",
  "#b3202c",
  "#b3202c",
  "#1f4fa3",
  "#1b7440",
  "#1b7440",
  "#23272b",
  "#23272b",
  "#6a2f8f",
  "#b06a10",
];

export interface Printed {
  operator: string;
  title: string;
  /** Whether cards come from a shoe; else from a shuffler. */
  hasShoe: boolean;
  dealerCards: number;
  board: number;
  identity: Identity;
  /** Unique on the page: gradients and paths are found by it. */
  id: string;
}

/** The lower edge of the table as a path, so many pixels inside the rail's middle. */
function edge({ w, edge: { bottom, drop, half } }: Geometry, inside: number): string {
  const points = Array.from({ length: 25 }, (_, i) => {
    const x = (w * i) / 24;
    const t = (x - w / 2) / half;
    return `${x.toFixed(1)} ${(bottom - inside - drop * t * t).toFixed(1)}`;
  });
  return points.join(" L ");
}

export function cloth(g: Geometry, printed: Printed): SVGTemplateResult {
  const { id, identity } = printed;
  const outline = `M0 -20 L ${edge(g, 0)} L ${g.w} -20 Z`;
  const trim = `M ${edge(g, g.rail * 0.62)}`;
  return svg`
    <defs>
      <radialGradient id="${id}-cloth" cx="50%" cy="38%" r="75%">
        <stop offset="0" stop-color="var(--cloth)"/><stop offset="1" stop-color="var(--cloth-deep)"/></radialGradient>
      <pattern id="${id}-weave" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(35)">
        <path d="M0 1h4M0 3h4" stroke="#fff" stroke-opacity=".025"/>
        <path d="M1 0v4" stroke="#000" stroke-opacity=".05"/>
      </pattern>
    </defs>
    <path d=${outline} fill="url(#${id}-cloth)"/>
    <path d=${outline} fill="url(#${id}-weave)"/>
    <path class="rail-shade" d="M ${edge(g, g.rail * 0.75)}" stroke-width=${g.rail * 0.9}/>
    <path class="rail-edge" d="M ${edge(g, 0)}" stroke-width=${g.rail}/>
    <path class="rail-light" d="M ${edge(g, g.rail * 0.12)}" stroke-width=${g.rail * 0.16}/>
    <path class="rail-trim" d=${trim} stroke-width=${Math.max(1.5, g.rail * 0.09)}/>
    ${g.shape === "wide" ? furniture(g, printed) : nothing}
    ${g.name ? gameName(g, printed) : nothing}
    ${cardPlaces(g.dealer, printed.dealerCards)} ${cardPlaces(g.board, printed.board)}
    ${g.shape === "wide" ? crest(g, identity.mark, printed) : nothing}`;
}

/** The printed outlines on which cards are laid. */
function cardPlaces({ x, y, card }: Geometry["dealer"], count: number): SVGTemplateResult {
  const step = card * 1.07;
  return svg`<g class="card-places">${Array.from({ length: count }, (_, i) => {
    const left = x + (i - (count - 1) / 2) * step - card / 2;
    return svg`<rect x=${left} y=${y - (card * CARD_RATIO) / 2} width=${card} height=${card * CARD_RATIO}
      rx=${card * 0.09}/>`;
  })}</g>`;
}

/** The name of the game in an arch between the dealer and the boxes. */
function gameName(g: Geometry, { title, id }: Printed): SVGTemplateResult {
  const { drop, half } = g.edge;
  const reach = Math.min(g.w * 0.3, half);
  const rise = drop * (reach / half) ** 2;
  const [left, right, high] = [g.w / 2 - reach, g.w / 2 + reach, g.nameAt - rise];
  const path = `M ${left} ${high} Q ${g.w / 2} ${g.nameAt + rise} ${right} ${high}`;
  const size = Math.min(g.name, (2 * reach) / (title.length * 0.78));
  return svg`<path id="${id}-name" d=${path} fill="none"/>
    <text class="game-name" font-size=${size}><textPath href="#${id}-name" startOffset="50%" text-anchor="middle"
      >${title.toUpperCase()}</textPath></text>`;
}

/** The dealer's tray, the shoe or shuffler, and the discard rack. */
function furniture({ tray, shoe, rack }: Geometry, { hasShoe }: Printed): SVGTemplateResult {
  const column = (tray.w - tray.h * 0.3) / TRAY_CHIPS.length;
  return svg`<g class="furniture">
    <rect class="tray-box" x=${tray.x - tray.w / 2} y="-8" width=${tray.w} height=${tray.h + 8} rx=${tray.h * 0.16}/>
    ${TRAY_CHIPS.map((colour, i) => trayColumn(tray, column, i, colour))}
    <rect class="tray-glass" x=${tray.x - tray.w / 2} y="-8" width=${tray.w} height=${tray.h + 8} rx=${tray.h * 0.16}/>
    ${hasShoe ? shoeBox(shoe) : shuffler(shoe)} ${discards(rack)}</g>`;
}

function trayColumn(tray: Rect, wide: number, i: number, colour: string): SVGTemplateResult {
  const left = tray.x - tray.w / 2 + tray.h * 0.15 + i * wide;
  const filled = tray.h * (0.62 + 0.22 * Math.abs(Math.sin(i * 2.3)));
  const each = tray.h / 11;
  return svg`<rect class="tray-well" x=${left + wide * 0.08} y="0" width=${wide * 0.84} height=${tray.h * 0.92} rx="3"/>
    ${Array.from({ length: Math.floor(filled / each) }, (_, n) => {
      const y = tray.h * 0.9 - (n + 1) * each;
      return svg`<rect x=${left + wide * 0.12} y=${y} width=${wide * 0.76} height=${each * 0.86} rx=${each * 0.3}
          fill=${colour}/><rect x=${left + wide * 0.4} y=${y} width=${wide * 0.2} height=${each * 0.86}
          fill="#fff" opacity=".75"/>`;
    })}`;
}

function shoeBox({ x, y, w, h }: Rect): SVGTemplateResult {
  return svg`<g transform="translate(${x} ${y}) rotate(8)">
    <rect class="shoe-body" x=${-w / 2} y=${-h / 2} width=${w} height=${h} rx=${h * 0.14}/>
    <path class="shoe-lid" d="M${-w / 2} ${-h * 0.1} H${w / 2} V${-h * 0.34} Q${w / 2} ${-h / 2} ${w * 0.36} ${-h / 2}
      H${-w * 0.36} Q${-w / 2} ${-h / 2} ${-w / 2} ${-h * 0.34} Z"/>
    <rect class="shoe-card" x=${-w * 0.36} y=${h * 0.06} width=${w * 0.72} height=${h * 0.36} rx="3"/></g>`;
}

function shuffler({ x, y, w, h }: Rect): SVGTemplateResult {
  return svg`<g transform="translate(${x} ${y})">
    <rect class="shoe-body" x=${-w * 0.6} y=${-h / 2} width=${w * 1.2} height=${h} rx=${h * 0.18}/>
    <rect class="shoe-card" x=${-w * 0.42} y=${h * 0.1} width=${w * 0.84} height=${h * 0.2} rx="3"/>
    <circle cx=${w * 0.4} cy=${-h * 0.25} r=${h * 0.07} fill="#59e08a"/>
    <path class="shoe-line" d="M${-w * 0.42} ${-h * 0.25} H${w * 0.2}"/></g>`;
}

function discards({ x, y, w, h }: Rect): SVGTemplateResult {
  return svg`<g transform="translate(${x} ${y}) rotate(-6)">
    ${[4, 3, 2, 1, 0].map(
      (n) => svg`<rect class="discard" x=${-w * 0.36 + n * 1.6} y=${-h * 0.42 + n * 1.4} width=${w * 0.66}
        height=${h * 0.92} rx="4"/>`,
    )}
    <rect class="rack" x=${-w / 2} y=${-h / 2} width=${w} height=${h} rx=${h * 0.1}/></g>`;
}

/** The operator's crest, on both sides of the dealer's cards. */
function crest(g: Geometry, mark: Mark, { operator, board }: Printed): SVGTemplateResult {
  const r = g.dealer.card * 0.62;
  const isStacked = board > 0 && g.board.y > g.dealer.y;
  const reach = isStacked ? g.dealer.card * 2.9 : g.print.left.w ? 0 : g.dealer.card * 4;
  if (!reach) return svg``;
  return svg`${[-1, 1].map(
    (side) => svg`<g class="crest-mark" transform="translate(${g.w / 2 + side * reach} ${g.dealer.y + r * 0.2})">
      ${crestMark(mark, monogram(operator), r)}</g>`,
  )}`;
}

/** A ring with an operator's letters and ornament, around the origin. */
export function crestMark(mark: Mark, letters: string, r: number): SVGTemplateResult {
  return svg`<circle r=${r} class="crest-ring"/><circle r=${r * 0.84} class="crest-ring thin"/>
    ${ornament(mark, r)}
    <text class="crest-text" text-anchor="middle" y=${r * 0.2} font-size=${(r * 1.5) / Math.max(letters.length, 2)}
      >${letters}</text>`;
}

function ornament(mark: Mark, r: number): SVGTemplateResult {
  const around = (count: number, d: string): SVGTemplateResult =>
    svg`${Array.from({ length: count }, (_, i) => svg`<path d=${d} transform="rotate(${(360 / count) * i})"/>`)}`;
  if (mark === "rays") return svg`<g class="ornament">${around(16, `M0 ${-r * 1.06} L0 ${-r * 1.3}`)}</g>`;
  if (mark === "petals") return svg`<g class="ornament">${around(5, petal(r))}</g>`;
  if (mark === "waves") {
    const wave = (y: number): string =>
      `M${-r * 0.6} ${y} q${r * 0.15} ${-r * 0.14} ${r * 0.3} 0 t${r * 0.3} 0 t${r * 0.3} 0 t${r * 0.3} 0`;
    return svg`<g class="ornament"><path d=${wave(r * 0.45)}/><path d=${wave(r * 0.6)}/></g>`;
  }
  const spike = `M0 ${-r * 1.05} L${r * 0.08} ${-r * 1.22} L0 ${-r * 1.36} L${-r * 0.08} ${-r * 1.22} Z`;
  return svg`<g class="ornament">${around(8, spike)}</g>`;
}

const petal = (r: number): string =>
  `M0 ${-r} Q${r * 0.4} ${-r * 1.38} 0 ${-r * 1.4} Q${-r * 0.4} ${-r * 1.38} 0 ${-r}`;
