/** A table on the wall of the pit: its phase, its figures, and what may be done to it. */

import { html, nothing, type TemplateResult } from "lit";

import type { LobbyTable } from "../../api/types";
import { show, signed, totalOf } from "../../lib/money";
import { to } from "../../lib/navigation";
import type { TableFigures } from "../../lib/play/figures";
import type { LiveView } from "../../lib/play/table-view";
import { perform } from "../../lib/state/live";
import { session } from "../../lib/state/session";
import { toast } from "../../lib/state/toasts";
import { otherServerNotice, PIT_PHASES, STAGES, versioned } from "../../lib/text/labels";
import { minutes } from "../../lib/text/time";
import { tableForms } from "./table-forms";

/** After a fault of the jackpot system: the measure, its button, and what the table does then. */
const JACKPOT_MEASURES = [
  ["no_jackpot_bets", "No jackpot bets", "takes no jackpot bets."],
  ["close_table", "Close the table", "is closed."],
  ["restore", "Restore", "plays as before, with jackpot bets."],
] as const;

const CLOSED = html`<span class="tag">Closed</span> `;

export function tableTile(
  table: LobbyTable,
  view: LiveView | undefined,
  figures: TableFigures | undefined,
  changed: () => void,
): TemplateResult {
  const heading = html`<h3>${table.table} <small>${versioned(table)}</small></h3>
    ${table.missing ? html`<p class="notice" role="status">${table.missing}</p>` : nothing}`;
  if (table.elsewhere)
    return html`<li class="panel ${table.game}" data-table=${table.table}>${heading}
      <p>${table.closed ? CLOSED : nothing}${otherServerNotice(table.table)}</p></li>`;
  const waitsForRuling = view?.awaiting.some(({ by }) => by) ?? false;
  const seconds = view ? Math.floor((Date.now() - view.since) / 1000) : 0;
  const phase = view ? (PIT_PHASES[view.clock?.phase ?? view.stage] ?? STAGES[view.stage]) : "…";
  return html`<li class="panel ${table.game} ${waitsForRuling ? "alarm" : ""}" data-table=${table.table}>${heading}
    <p>${(view?.closed ?? table.closed) ? CLOSED : nothing}<b>${waitsForRuling ? "Waits for a ruling" : phase}</b>
      <span class="quiet">for ${minutes(seconds)}</span></p>
    ${figureList(table, view, figures)}
    ${view?.notice ? html`<p class="tag">No jackpot bets</p>` : nothing}
    <div class="row"><a class="button small ghost" href=${to("table", table.table)}>Watch</a>
      ${
        session.may("deal")
          ? html`<a class="button small ghost" href=${to("dealer", table.table)}>Console</a>`
          : nothing
      }
      <a class="button small ghost" href=${to("rounds", table.table)}>Rounds</a>
      ${view?.may?.includes("jackpot_mode") ? jackpotMeasures(table.table) : nothing}
      ${session.may("open_tables") ? tableForms(table, view, changed) : nothing}</div></li>`;
}

function figureList(
  { boxes }: LobbyTable,
  view: LiveView | undefined,
  figures: TableFigures | undefined,
): TemplateResult {
  const staked = totalOf(view?.boxes.flatMap(({ stakes }) => stakes) ?? []);
  const taken = view ? view.boxes.filter(({ stakes }) => stakes.length).length : "–";
  const rows: [string, string | number][] = [
    ["Round", view?.round ?? "–"],
    ["On the table", show(staked)],
    ["Handle, last 20", figures ? show(figures.handle) : "–"],
    ["Win", figures ? signed(figures.win) : "–"],
    ["Rounds an hour", figures?.pace ? figures.pace.toFixed(0) : "–"],
    ["Boxes", `${taken} of ${boxes}`],
  ];
  return html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function jackpotMeasures(table: string): TemplateResult {
  const take = async (mode: string, done: string): Promise<void> => {
    if (await perform(table, { do: "jackpot_mode", mode })) toast(`${table} ${done}`);
  };
  return html`<details class="measures"><summary>Jackpot measures</summary>
    <p class="quiet">After a fault of the jackpot system, at this table.</p>
    ${JACKPOT_MEASURES.map(
      ([mode, text, done]) => html`<button type="button" class="button small ghost"
        @click=${() => take(mode, done)}>${text}</button>`,
    )}</details>`;
}
