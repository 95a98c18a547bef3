/** A table as staff see it: what lies face up, box by box. */

import { html, type TemplateResult } from "lit";

import type { BoxView, TableView } from "../../api/types";
import { cents, short, signed } from "../../lib/money";
import { totalNet } from "../../lib/play/results";
import { label, patronName, title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { served } from "../served";
import { hand } from "./cards";

export function staffTable(view: TableView): TemplateResult {
  const shown = view.boxes.filter((box) => box.stakes.length || view.lines.some((line) => line.box === box.box));
  return html`<div class="staff-felt">
    <div class="dealer"><div class="place"><h3>${t("Dealer")}</h3>${hand(view.dealer.cards, t("Dealer's cards"))}
        <p class="hand-name">${served(view.dealer.hand)}</p></div>
      <div class="place"><h3>${t("Community")}</h3>${hand(view.community, t("Community cards"))}</div></div>
    ${
      shown.length
        ? html`<table class="boxes-table"><caption class="sr">${t("Boxes")}</caption>
            <thead><tr><th scope="col">${t("Box")}</th><th scope="col">${t(
              "Player",
            )}</th><th scope="col">${t("Bets")}</th>
              <th scope="col">${t("Cards")}</th><th scope="col">${t("Stands")}</th></tr></thead>
            <tbody>${shown.map((box) => boxRow(view, box))}</tbody></table>`
        : html`<p class="quiet">${t("No bets lie on the table.")}</p>`
    }
  </div>`;
}

function boxRow(view: TableView, box: BoxView): TemplateResult {
  const lines = view.lines.filter((line) => line.box === box.box);
  const players = new Set([...box.stakes, ...lines].map(({ player }) => player));
  return html`<tr><th scope="row">${box.box}</th>
    <td>${[...players].map((player) => patronName(view.table, player)).join(", ")}</td>
    <td>${box.stakes.map(
      ({ bet, amount }, i) => html`${i ? ", " : ""}<span class="stake">${title(bet)} ${short(cents(amount))}</span>`,
    )}</td>
    <td><div class="mini">${hand(box.cards, t("Cards of box {box}", { box: box.box }))} ${served(box.hand)}</div></td>
    <td>${lines.length ? signed(totalNet(lines)) : standing(view, box)}</td></tr>`;
}

function standing(view: TableView, box: BoxView): string {
  if (box.choices.length) return box.choices.map(label).join(", ");
  return view.stage === "betting" ? "" : label(box.stands);
}
