/** Mispays: tables that one stops, and what errors at the settlement have cost today. */

import { html, nothing, type TemplateResult } from "lit";

import type { MispayFigures, MispaySum } from "../../api/types";
import { cents, show, signed } from "../../lib/money";
import type { LiveView } from "../../lib/play/table-view";
import { title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { mispayPanel } from "../table/mispay-panel";

export function stoppedTables(views: LiveView[]): TemplateResult | typeof nothing {
  if (!views.length) return nothing;
  return html`<section aria-label=${t("Mispays")} class="queue">
    <h2>${t("Stopped by a mispay")} <span class="count alarm">${views.length}</span></h2>
    ${views.map(
      (
        view,
      ) => html`<div class="panel ask"><h3>${t("{table}, round {round}", { table: view.table, round: view.round })}</h3>
      ${view.settling?.mispay ? mispayPanel(view, view.settling.mispay) : nothing}</div>`,
    )}</section>`;
}

export function mispayFigures(figures: MispayFigures | null): TemplateResult | typeof nothing {
  if (!figures?.total.count) return nothing;
  const groups: [string, MispaySum[], ((of: string) => string)?][] = [
    [t("Dealer"), figures.by_dealer],
    [t("Table"), figures.by_table],
    [t("Bet"), figures.by_bet, title],
    [t("Shift from, UTC"), figures.by_shift],
  ];
  return html`<section class="panel" aria-label=${t("Mispays today")} data-test="mispays"><h2>${t("Mispays today")}</h2>
    <p>${t("{count} found. Those that were not put right cost the House {cost}.", {
      count: figures.total.count,
      cost: show(figures.total.cost),
    })}</p>
    <div class="beside">${groups.map(([of, sums, name]) => sumTable(of, sums, name))}</div></section>`;
}

function sumTable(of: string, sums: MispaySum[], name = (one: string): string => one): TemplateResult {
  return html`<table class="plain"><thead><tr><th scope="col">${of}</th><th scope="col">${t("Found")}</th>
      <th scope="col">${t("Over")}</th><th scope="col">${t("Under")}</th><th scope="col">${t("Cost")}</th></tr></thead>
    <tbody>${sums.map(
      (sum) => html`<tr><th scope="row">${sum.of ? name(sum.of) : t("not known")}</th>
        <td class="num">${sum.count}</td><td class="num">${show(sum.overpaid)}</td>
        <td class="num">${show(sum.underpaid)}</td><td class="num">${signed(cents(sum.cost))}</td></tr>`,
    )}</tbody></table>`;
}
