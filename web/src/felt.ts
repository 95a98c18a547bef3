/** A table as staff see it: what lies face up, box by box. */

import { html, nothing, type TemplateResult } from "lit";

import { hand } from "./drawing";
import { cents, short, show, signed } from "./money";
import { net } from "./results";
import type { BoxEffect, TableView } from "./types";
import { title, words } from "./words";

export function staffFelt(view: TableView): TemplateResult {
  const shown = view.boxes.filter((box) => box.stakes.length || view.lines.some((line) => line.box === box.box));
  return html`<div class="staff-felt">
    <div class="dealer"><div class="place"><h3>Dealer</h3>${hand(view.dealer.cards, "Dealer's cards")}
        <p class="hand-name">${view.dealer.hand}</p></div>
      <div class="place"><h3>Community</h3>${hand(view.community, "Community cards")}</div></div>
    ${shown.length ? html`<table class="boxes-table"><caption class="sr">Boxes</caption>
      <thead><tr><th scope="col">Box</th><th scope="col">Player</th><th scope="col">Bets</th><th scope="col">Cards</th><th scope="col">Stands</th></tr></thead>
      <tbody>${shown.map((box) => {
        const lines = view.lines.filter((line) => line.box === box.box);
        const result = lines.reduce((sum, line) => sum + net(line), 0);
        return html`<tr><th scope="row">${box.box}</th>
          <td>${[...new Set([...box.stakes.map((s) => s.player), ...lines.map((l) => l.player)])].join(", ")}</td>
          <td>${box.stakes.map((s, i) => html`${i ? ", " : ""}<span class="stake">${title(s.bet)} ${short(cents(s.amount))}</span>`)}</td>
          <td><div class="mini">${hand(box.cards, `Cards of box ${box.box}`)} ${box.hand}</div></td>
          <td>${lines.length ? signed(result) : box.choices.length ? box.choices.map(words).join(", ") : view.stage === "betting" ? "" : words(box.stands)}</td></tr>`;
      })}</tbody></table>` : html`<p class="quiet">No bets lie on the table.</p>`}
  </div>`;
}

/** Where the chips of each box would stand. */
export function moneyTable(money: Record<string, BoxEffect>): TemplateResult | typeof nothing {
  const boxes = Object.entries(money);
  if (!boxes.length) return nothing;
  return html`<table class="money"><thead><tr><th scope="col">Box</th><th scope="col">Back</th><th scope="col">Lost</th>
      <th scope="col">In play</th></tr></thead>
    <tbody>${boxes.map(([box, m]) => html`<tr><th scope="row">${box}</th><td>${show(m.returned)}</td><td>${show(m.lost)}</td>
      <td>${m.effect === "option" ? "player's choice" : show(m.in_play)}</td></tr>`)}</tbody></table>`;
}
