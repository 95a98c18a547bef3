/** What the dealer pays, takes and leaves after the comparison, box by box. */

import { html, type TemplateResult } from "lit";

import type { Line } from "../../api/types";
import { cents, chipCount, show } from "../../lib/money";
import { patronName, title } from "../../lib/text/labels";
import { citations } from "../rules/citations";
import { awardList } from "../table/awards";
import type { DealerTable } from "./dealer-table";
import "./settlement-acts";
import { t } from "../../lib/text/language";
import { reason } from "./reason";

const awardNotice = (): string =>
  t("Take the jackpot bet. Do not pay the award: hold the cards until two people have verified it.");

export function payAndTake(table: DealerTable): TemplateResult {
  const { view, procedure } = table;
  const awards = awardList(view.awards, awardNotice(), procedure?.payments, []);
  if (view.settling)
    return html`<section class="work" aria-label=${t("Pay and take")} data-test="pay">
      <settlement-acts .table=${table}></settlement-acts>${awards}</section>`;
  const boxes = [...new Set(view.lines.map(({ box }) => box))];
  return html`<section class="work" aria-label=${t("Pay and take")} data-test="pay"><h2>${t("Pay and take")}</h2>
    <ol class="pay">${boxes.map((box) => {
      const lines = view.lines.filter((line) => line.box === box);
      return html`<li><h3>${boxTitle(view.table, box, lines[0]!.player)}</h3>
        <ul>${lines.map((line) => payLine(view.edition, line))}</ul></li>`;
    })}</ol>
    ${awards}</section>`;
}

function boxTitle(table: string, box: number, player: string): string {
  return patronName(table, player) === player ? t("Box {box}, {player}", { box, player }) : t("Box {box}", { box });
}

function payLine(game: string, line: Line): TemplateResult {
  return html`<li><span>${title(line.bet)}</span> ${moves(line).map((move) => html`${move} `)}
    <span class="because">${reason(line.because)} ${citations(game, line.rules)}</span></li>`;
}

/** What happens to the chips of one bet. */
function moves({ outcome, won, staked, returned }: Line): TemplateResult[] {
  const [paid, back] = [cents(won), cents(returned)];
  const taken = cents(staked) - back;
  return [
    ...(taken > 0 ? [html`<b class="take">${t("Take {taken}", { taken: show(taken) })}</b>`] : []),
    ...(paid
      ? [
          html`<b class="give">${t("Pay {paid}", {
            paid: show(paid),
          })}</b> <span class="quiet">${chipCount(paid)}</span>`,
        ]
      : []),
    ...(back && outcome === "stand_off" ? [html`<b>${t("Leave {back}", { back: show(back) })}</b>`] : []),
    ...(back && (outcome === "lose" || outcome === "returned")
      ? [html`<b class="give">${t("Give back {back}", { back: show(back) })}</b>`]
      : []),
  ];
}
