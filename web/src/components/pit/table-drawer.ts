/** One table in the drawer: what lies on it, its figures, and what this person may do to it. */

import { html, nothing, type TemplateResult } from "lit";

import type { LobbyTable, TableFigures } from "../../api/types";
import { cents, show, signed, totalOf } from "../../lib/money";
import { to } from "../../lib/navigation";
import { awardsOf, type LiveView } from "../../lib/play/table-view";
import { perform } from "../../lib/state/live";
import { session } from "../../lib/state/session";
import { toast } from "../../lib/state/toasts";
import { otherServerNotice, versioned } from "../../lib/text/labels";
import { minutes } from "../../lib/text/time";
import "../spark-line";
import { number, percent, t } from "../../lib/text/language";
import { served } from "../served";
import { awardList } from "../table/awards";
import { restartNotice } from "../table/restart-notice";
import { staffTable } from "../table/staff-table";
import { accumulated } from "./house-strip";
import { tableForms } from "./table-forms";
import { phaseOf, waited } from "./wall";

/** After a fault of the jackpot system: the measure, its button, and what the table does then. */
const JACKPOT_MEASURES = [
  ["no_jackpot_bets", "No jackpot bets", "{table} takes no jackpot bets."],
  ["close_table", "Close the table", "{table} is closed."],
  ["restore", "Restore", "{table} plays as before, with jackpot bets."],
] as const;

const closedTag = (): TemplateResult => html`<span class="tag">${t("Closed")}</span> `;

export function tableDrawer(
  table: LobbyTable,
  view: LiveView | undefined,
  figures: TableFigures | undefined,
  span: { since: string; step: number } | undefined,
  changed: () => void,
): TemplateResult {
  const heading = html`<p class="quiet">${table.operator} · ${versioned(table)} · ${t("pit {pit}", {
    pit: table.pit,
  })}</p>
    ${table.missing ? html`<p class="notice" role="status">${served(table.missing)}</p>` : nothing}`;
  if (table.elsewhere)
    return html`<div class="of-table" data-open=${table.table}>${heading}
      <p>${table.closed ? closedTag() : nothing}${otherServerNotice(table.table)}</p></div>`;
  return html`<div class="of-table" data-open=${table.table}>${heading}
    <p class="state">${(view?.closed ?? table.closed) ? closedTag() : nothing}<b>${phaseOf(table, view)}</b>
      <span class="quiet">${t("for {time}", { time: view ? minutes(waited(view)) : "…" })}</span></p>
    <div class="row">${
      session.may("deal")
        ? html`<a class="button small" href=${to("dealer", table.table)}>${t("Console")}</a>`
        : nothing
    }<a class="button small ghost" href=${to("table", table.table)}>${t("Watch")}</a>
      <a class="button small ghost" href=${to("rounds", table.table)}>${t("Rounds")}</a></div>
    ${view ? restartNotice(view) : nothing}
    ${figureList(table, view, figures, span)}
    ${view ? awardList(awardsOf(view), "", figures?.payments) : nothing}
    ${view?.notice ? html`<p class="tag">${t("No jackpot bets")}</p>` : nothing}
    ${view ? html`<div class="felt-panel lying">${staffTable(view)}</div>` : nothing}
    ${view?.may?.includes("jackpot_mode") ? jackpotMeasures(table) : nothing}
    ${view?.may?.includes("restrict") ? restriction(table, view) : nothing}
    ${session.may("open_tables") ? tableForms(table, view, changed) : nothing}</div>`;
}

function figureList(
  table: LobbyTable,
  view: LiveView | undefined,
  figures: TableFigures | undefined,
  span: { since: string; step: number } | undefined,
): TemplateResult {
  const staked = totalOf(view?.boxes.flatMap(({ stakes }) => stakes) ?? []);
  const taken = view ? view.boxes.filter(({ stakes }) => stakes.length).length : "–";
  const handle = figures ? cents(figures.handle) : 0;
  const rows: [string, string | number][] = [
    [t("Round"), view?.round ?? "–"],
    ...(figures?.dealer ? [[t("Dealer"), figures.dealer] as [string, string]] : []),
    [t("Boxes"), t("{taken} of {boxes}", { taken, boxes: table.boxes })],
    [t("On the table"), show(staked)],
    [t("Handle"), figures ? show(figures.handle) : "–"],
    [t("Win"), figures ? signed(cents(figures.win)) : "–"],
    [t("Hold"), figures && handle ? percent(cents(figures.win) / handle, 1) : "–"],
    [t("Rounds an hour"), figures?.pace ? number(figures.pace) : "–"],
  ];
  const items = rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return html`<dl class="table-facts">${items}</dl>
    ${
      figures && span
        ? html`<spark-line class="wide" .points=${accumulated(figures.wins)} .write=${signed}
            .from=${Date.parse(span.since) / 1000} .step=${span.step}
            label=${t("Win of {table} over the last hours", { table: table.table })}></spark-line>`
        : nothing
    }`;
}

function jackpotMeasures({ table, boxes }: LobbyTable): TemplateResult {
  const take = async (mode: string, done: string, box?: number): Promise<void> => {
    if (await perform(table, { do: "jackpot_mode", mode, ...(box ? { box } : {}) })) toast(done);
  };
  return html`<details class="measures"><summary>${t("Jackpot measures")}</summary>
    <p class="quiet">${t("After a fault of the jackpot system, at this table.")}</p>
    <div class="row">${JACKPOT_MEASURES.map(
      ([mode, text, done]) => html`<button type="button" class="button small ghost"
        @click=${() => take(mode, t(done, { table }))}>${t(text)}</button>`,
    )}</div>
    <p class="quiet">${t("Or at one box, until you restore:")}</p>
    <div class="row">${Array.from(
      { length: boxes },
      (_, i) => html`<button type="button" class="button small ghost"
        @click=${() =>
          take(
            "disallow_box",
            t("{table} takes no bets on box {box}.", { table, box: i + 1 }),
            i + 1,
          )}>${t("Close box {box}", { box: i + 1 })}</button>`,
    )}</div></details>`;
}

/** Players who play more than one box, where the game lets the pit keep them to one. */
function restriction({ table }: LobbyTable, view: LiveView): TemplateResult | typeof nothing {
  const players = new Set(view.boxes.flatMap(({ stakes }) => stakes.map(({ player }) => player)));
  if (!players.size) return nothing;
  const restrict = async (player: string): Promise<void> => {
    if (await perform(table, { do: "restrict", player }))
      toast(t("{player} plays one box at {table} from now on.", { player, table }));
  };
  return html`<details class="measures"><summary>${t("One box for a player")}</summary>
    <div class="row">${[...players].map(
      (player) => html`<button type="button" class="button small ghost"
        @click=${() => restrict(player)}>${t("{player}: one box", { player })}</button>`,
    )}</div></details>`;
}
