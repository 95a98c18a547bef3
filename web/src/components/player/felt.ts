/** The felt: the dealer's cards, the community cards and the betting boxes of everybody at the table. */

import { html, nothing, type TemplateResult } from "lit";

import type { BoxView } from "../../api/types";
import { short, totalOf } from "../../lib/money";
import { direction, totalNet } from "../../lib/play/results";
import { session } from "../../lib/state/session";
import { describeBox } from "../../lib/text/narration";
import { hand } from "../table/cards";
import { stack } from "../table/chips";
import { payTablesAround } from "../table/pay-tables";
import type { PlayerTable } from "./player-table";

/** How a box stands, where that is worth a word. */
const STANDINGS: Record<BoxView["stands"], string> = {
  folded: "folded",
  invalid: "out",
  forfeited: "lost",
  live: "",
  out: "",
};

export function felt(table: PlayerTable): TemplateResult {
  // The first box is at the dealer's left hand, so it is on the right for a player who faces the dealer.
  const boxes = [...table.view.boxes].reverse();
  return html`<section class="felt" aria-label="The felt">
    <div class="top-of-felt">${payTablesAround(table.name, dealerCards(table))}</div>
    <div class="boxes" role="group" aria-label="Betting boxes, clockwise from the dealer's left">
      ${boxes.map((box) => boxTile(table, box))}
    </div>
  </section>`;
}

function dealerCards({ view, terms }: PlayerTable): TemplateResult {
  const cards = (codes: string[], label: string): TemplateResult | typeof nothing =>
    codes.length ? hand(codes, label) : html`<div class="cards empty"></div>`;
  const hasCommunity = view.community.length > 0 || terms.board > 0;
  return html`<div class="dealer">
    <div class="place"><h2>Dealer</h2> ${cards(view.dealer.cards, "Dealer's cards")}</div>
    ${
      hasCommunity
        ? html`<div class="place board"><h2>Community</h2> ${cards(view.community, "Community cards")}</div>`
        : nothing
    }
    <p class="hand-name">${view.dealer.hand}</p>
  </div>`;
}

function boxTile({ view, plays, betting }: PlayerTable, box: BoxView): TemplateResult {
  const lines = view.lines.filter((line) => line.box === box.box);
  const total = totalOf(box.stakes);
  const player = box.stakes[0]?.player ?? lines[0]?.player ?? "";
  const isOwn = player === session.me?.name;
  const isFree = view.stage === "betting" && !player;
  const isActive = box.box === betting.active;
  const result = totalNet(lines);
  const isSettled = lines.length > 0 && (view.stage !== "void" || result !== 0);
  const standing = STANDINGS[box.stands];
  // Players know the others by their box alone.
  const owner = isOwn ? "you" : player ? "taken" : isFree ? "free" : "";
  const description = describeBox(box, owner || "no player", total, standing, isSettled ? result : null);
  return html`<button type="button" class="tile ${isOwn ? "own" : ""} ${isActive ? "active" : ""} ${standing}"
      ?disabled=${!plays || !(isFree || isOwn)} aria-pressed=${isActive ? "true" : "false"}
      data-box=${box.box} @click=${() => betting.chooseBox(box.box)}>
    <span class="sr">${description}</span>
    <span class="as-seen" aria-hidden="true"><span class="number">${box.box}</span>
    ${hand(box.cards, "")}
    ${total ? html`<span class="chips">${stack(total)}<span>${short(total)}</span></span>` : nothing}
    ${isSettled ? boxResult(result) : nothing}
    <span class="name">${owner}</span>
    ${standing && !lines.length ? html`<span class="stands">${standing}</span>` : nothing}</span>
  </button>`;
}

function boxResult(result: number): TemplateResult {
  return html`<span class="net ${direction(result)}">${result > 0 ? "+" : ""}${short(result)}</span>`;
}
