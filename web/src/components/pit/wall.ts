/** The wall of the pit: every table of the house as a tile or as a row, small enough for a hundred on one screen. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import type { LobbyTable, TableFigures } from "../../api/types";
import { cents, short, signed, totalOf } from "../../lib/money";
import { awardsOf, isOpenAward, type LiveView } from "../../lib/play/table-view";
import { tables } from "../../lib/state/tables";
import { gameKind, otherServerNotice, pitPhase, shortTitle, stageName } from "../../lib/text/labels";
import { number, t } from "../../lib/text/language";
import { minutes } from "../../lib/text/time";
import { accumulated } from "./house-strip";

export type Layout = "tiles" | "rows";

/** How a table stands, the most urgent first; the colour of its lamp. */
export type Lamp = "mispay" | "ruling" | "jackpot" | "stuck" | "playing" | "betting" | "rest" | "closed" | "away";

/** Seconds for which a table has been in its phase, by the house's clock. */
export const waited = (view: LiveView): number => Math.max(Math.floor((Date.now() - view.since) / 1000), 0);

/** Whether a person has to rule; where players choose, the round waits for them alone. */
export const takesRuling = ({ awaiting }: LiveView): boolean => awaiting.some(({ by }) => by);

export function isStuck(view: LiveView | undefined): boolean {
  const after = view?.phase.alarm_after ?? null;
  return view !== undefined && after !== null && waited(view) >= after;
}

export function lampOf(table: LobbyTable, view: LiveView | undefined): Lamp {
  if (table.elsewhere) return "away";
  if (view?.settling?.mispay) return "mispay";
  if (view && takesRuling(view)) return "ruling";
  if (view && awardsOf(view).some(isOpenAward)) return "jackpot";
  if (isStuck(view)) return "stuck";
  if (view?.stage === "playing") return "playing";
  if (view?.closed ?? table.closed) return "closed";
  return view?.stage === "betting" ? "betting" : "rest";
}

/** What takes a person, the most urgent first. */
export const URGENT: Lamp[] = ["mispay", "ruling", "jackpot", "stuck"];

/** Tables by name as they are numbered. */
export const byName = (a: { table: string }, b: { table: string }): number =>
  a.table.localeCompare(b.table, "en", { numeric: true, sensitivity: "base" });

/** Tables that need a person before all others, then by name as they are numbered. */
export function sorted(list: readonly LobbyTable[]): LobbyTable[] {
  const place = (table: LobbyTable): number => {
    const urgent = URGENT.indexOf(lampOf(table, tables.views.get(table.table)));
    return urgent < 0 ? URGENT.length : urgent;
  };
  return [...list].sort((a, b) => place(a) - place(b) || byName(a, b));
}

/** The phase of a table in a few words. */
export function phaseOf(table: LobbyTable, view: LiveView | undefined): string {
  if (view?.settling?.mispay) return t("Stopped by a mispay");
  if (view?.awaiting.length) return takesRuling(view) ? t("Waits for a ruling") : t("Players choose");
  if (view && awardsOf(view).some(({ state }) => state === "locked")) return t("Jackpot locked");
  if ((view?.closed ?? table.closed) && view?.stage !== "playing") return t("Closed");
  return view ? (pitPhase(view.clock?.phase ?? view.stage) ?? stageName(view.stage)) : "…";
}

/** At most this many tables have room for names beside their figures. */
export const FEW = 24;

interface Wall {
  layout: Layout;
  chosen: string;
  figures: Map<string, TableFigures>;
  choose: (table: string) => void;
}

export function wall(list: readonly LobbyTable[], { layout, chosen, figures, choose }: Wall): TemplateResult {
  const isFew = list.length <= FEW;
  return html`<ul class="wall ${layout} ${isFew ? "few" : ""}">${layout === "rows" ? headings() : nothing}${repeat(
    list,
    ({ table }) => table,
    (table) => {
      const view = tables.views.get(table.table);
      const lamp = lampOf(table, view);
      const open = (): void => choose(table.table);
      return html`<li class="spot-of ${table.game} lamp-${lamp}" data-table=${table.table}>
        <button type="button" aria-pressed=${chosen === table.table} @click=${open}>${
          table.elsewhere ? away(table) : content(table, view, figures.get(table.table), layout, isFew)
        }</button></li>`;
    },
  )}</ul>`;
}

/** What stands in the columns of the rows. */
function headings(): TemplateResult {
  const right = (text: string): TemplateResult => html`<span class="right">${text}</span>`;
  return html`<li class="headings" aria-hidden="true"><span>${t("Table")}</span><span>${t("Phase")}</span>
    ${right(t("Since"))}<span>${t("Boxes")}</span>${right(t("Bets"))}${right(t("Pace"))}${right(t("Win"))}</li>`;
}

function away(table: LobbyTable): TemplateResult {
  return html`<span class="name">${table.table}</span>
    <span class="phase">${table.closed ? `${t("Closed.")} ` : ""}${otherServerNotice(table.table)}</span>`;
}

function content(
  table: LobbyTable,
  view: LiveView | undefined,
  figures: TableFigures | undefined,
  layout: Layout,
  isFew: boolean,
): TemplateResult {
  const stakes = totalOf(view?.boxes.flatMap(({ stakes: laid }) => laid) ?? []);
  const taken = view ? view.boxes.filter(({ stakes: laid }) => laid.length).length : 0;
  const win = figures ? cents(figures.win) : 0;
  const won = figures ? html`<span class="win ${win < 0 ? "down" : win ? "up" : ""}">${whole(win)}</span>` : nothing;
  const clock = html`<span class="time">${view ? minutes(waited(view)) : ""}</span>`;
  const boxes = html`<span class="boxes" aria-label=${t("{taken} of {boxes} boxes in play", {
    taken,
    boxes: table.boxes,
  })}>${lights(table, view)}</span>`;
  const phase = html`<span class="phase">${phaseOf(table, view)}${
    view?.notice ? html` <em>${t("No jackpot bets")}</em>` : nothing
  }${view?.phase.restarted ? html` <em>${t("Restarted")}</em>` : nothing}</span>`;
  const isTile = layout === "tiles" && isFew;
  const name = html`<span class="name">${table.table} <small title=${table.title}>${
    isTile ? shortTitle(table.title) : gameKind(table.title)
  }</small></span>`;
  const chips = html`<span class="chips" aria-label=${t("On the table")}>${stakes ? short(stakes) : "–"}</span>`;
  const pace = html`<span class="pace">${figures?.pace ? `${number(figures.pace)}/h` : "–"}</span>`;
  if (layout === "rows") return html`${name}${phase}${clock}${boxes}${chips}${pace}${won}`;
  if (isTile) {
    const named = (text: string, figure: unknown): TemplateResult => html`<span><small>${text}</small>${figure}</span>`;
    return html`<span class="head">${name}${clock}</span><span class="foot">${phase}${boxes}</span>
      <span class="figures">${named(t("Bets"), chips)}${named(t("Pace"), pace)}${named(t("Win"), won)}</span>
      ${figures ? trace(figures) : nothing}`;
  }
  return html`<span class="head">${name}${clock}</span>
    <span class="foot">${phase}${figures ? trace(figures) : nothing}</span>
    <span class="foot">${boxes}${chips}${won}</span>`;
}

/** An amount without its cents, for a tile. */
const whole = (value: number): string => signed(Math.round(value / 100) * 100).slice(0, -3);

/** A light for each box: lit where chips lie. */
function lights(table: LobbyTable, view: LiveView | undefined): TemplateResult[] {
  return Array.from(
    { length: table.boxes },
    (_, i) => html`<i class=${view?.boxes[i]?.stakes.length ? "lit" : ""}></i>`,
  );
}

/** The win of a table over the last hours, over a line at zero. */
function trace({ wins, rounds }: TableFigures): TemplateResult | typeof nothing {
  if (!rounds) return nothing;
  const began = wins.findIndex((amount) => cents(amount) !== 0);
  const points = accumulated(wins.slice(Math.max(began - 1, 0)));
  if (points.length < 3) return nothing;
  const [low, high] = [Math.min(0, ...points), Math.max(0, ...points)];
  const y = (value: number): string => (20 - (18 * (value - low)) / (high - low || 1)).toFixed(1);
  const path = points.map((value, i) => `${i ? "L" : "M"}${i} ${y(value)}`).join("");
  const box = `0 0 ${points.length - 1} 21`;
  return html`<svg class="trace" viewBox=${box} preserveAspectRatio="none" aria-hidden="true">${svg`
    <path class="zero" d=${`M0 ${y(0)}H${points.length - 1}`} vector-effect="non-scaling-stroke"/>
    <path d=${path} vector-effect="non-scaling-stroke"/>`}</svg>`;
}
