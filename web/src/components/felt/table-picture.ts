/** A small picture of a table: its cloth, rail, crest and boxes. Which boxes are taken the lobby does not know. */

import { html, svg, type TemplateResult } from "lit";

import type { LobbyTable } from "../../api/types";
import { crestMark } from "./cloth";
import { type Identity, monogram } from "./identity";

export function tablePicture({ boxes, operator, table }: LobbyTable, { mark }: Identity): TemplateResult {
  const id = `picture-${table.replace(/\W/g, "")}`;
  const seats = Array.from({ length: boxes }, (_, i) => {
    const t = boxes > 1 ? 1 - (2 * i) / (boxes - 1) : 0;
    return svg`<circle class="seat-free" cx=${160 + 118 * t}
      cy=${108 - 46 * t * t} r="9"/>`;
  });
  return html`<svg class="table-picture" viewBox="0 0 320 140" aria-hidden="true">
    <defs><radialGradient id=${id} cx="50%" cy="20%" r="90%"><stop offset="0" stop-color="var(--cloth)"/>
      <stop offset="1" stop-color="var(--cloth-deep)"/></radialGradient></defs>
    <path d="M8 0H312Q316 138 160 138 4 138 8 0z" fill="var(--rail)"/>
    <path d="M17 0H303Q306 129 160 129 14 129 17 0z" fill="url(#${id})" stroke="var(--trim)" stroke-width="1.500"/>
    <rect class="tray-box" x="112" y="-4" width="96" height="16" rx="4"/>
    <g transform="translate(160 54)" class="crest-mark">${crestMark(mark, monogram(operator), 24)}</g>
    ${seats}</svg>`;
}
