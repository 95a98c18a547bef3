/** The house in one strip: win, handle, hold, pace and meters of the last hours, each with its line. */

import { html, nothing, type TemplateResult } from "lit";

import type { FloorFigures } from "../../api/types";
import { cents, show, signed } from "../../lib/money";
import { lobby } from "../../lib/state/lobby";
import { tables } from "../../lib/state/tables";
import "../spark-line";
import { number, percent, t } from "../../lib/text/language";

export function houseStrip(figures: FloorFigures | undefined, links: string[]): TemplateResult {
  const views = lobby.own.map(({ table }) => tables.views.get(table));
  const isOpen = ({ closed, stage }: { closed: boolean; stage: string | null }) => !closed && stage !== "idle";
  const open = lobby.own.filter((line) => isOpen(tables.views.get(line.table) ?? line)).length;
  const boxes = lobby.own.reduce((sum, table) => sum + table.boxes, 0);
  const taken = views.reduce((sum, view) => sum + (view?.boxes.filter(({ stakes }) => stakes.length).length ?? 0), 0);
  const [win, handle] = [cents(figures?.win ?? "0"), cents(figures?.handle ?? "0")];
  const hours = figures ? Math.round((figures.wins.length * figures.step) / 3600) : 0;
  return html`<section class="house" aria-label=${t("House totals")}>
    ${figure(
      t("Win, {hours} h", { hours: hours || "…" }),
      figures ? signed(win) : "…",
      win < 0 ? "down" : "up",
      line(figures, "win"),
    )}
    ${figure(t("Handle"), figures ? show(handle) : "…", "", line(figures, "handle"))}
    ${figure(t("Hold"), handle ? percent(win / handle, 1) : "–")}
    ${figure(t("Rounds an hour"), figures ? number(figures.pace) : "…", "", line(figures, "pace"))}
    ${figure(
      t("Tables open"),
      t("{open} of {count}", { open, count: lobby.own.length }),
    )} ${figure(t("Boxes in play"), t("{taken} of {boxes}", { taken, boxes }))}
    ${links.map((link) => meter(link, figures))}</section>`;
}

function figure(name: string, value: string, kind = "", spark: TemplateResult | typeof nothing = nothing) {
  return html`<div class="total"><span class="name">${name}</span><b class=${kind}>${value}</b>${spark}</div>`;
}

function meter(link: string, figures: FloorFigures | undefined): TemplateResult {
  const view = tables.links.get(link);
  const points = figures?.meters[link]?.map((value) => (value === null ? null : cents(value))) ?? [];
  const spark = figures
    ? html`<spark-line .points=${points} .write=${show} .from=${Date.parse(figures.since) / 1000} .step=${figures.step}
        label=${t("The meter of {link} over the last hours", { link })}></spark-line>`
    : nothing;
  return html`<div class="total meter-total"><span class="name">${t("Jackpot {link}", { link })}${
    view?.closed ? html` <em class="tag">${t("Closed")}</em>` : nothing
  }</span><b>${view ? show(view.meter) : "…"}</b>${
    view && cents(view.locked)
      ? html`<span class="locked">${t("{locked} locked", { locked: show(view.locked) })}</span>`
      : nothing
  }${spark}</div>`;
}

function line(figures: FloorFigures | undefined, of: "win" | "handle" | "pace"): TemplateResult | typeof nothing {
  if (!figures) return nothing;
  const perHour = 3600 / figures.step;
  const [points, label, write] = {
    win: [accumulated(figures.wins), t("Win of the house over the last hours"), signed],
    handle: [figures.handles.map(cents), t("Handle by step"), show],
    pace: [figures.paces.map((rounds) => rounds * perHour), t("Rounds an hour by step"), number],
  }[of] as [number[], string, (value: number) => string];
  return html`<spark-line .points=${points} .write=${write} .from=${Date.parse(figures.since) / 1000}
    .step=${figures.step} label=${label}></spark-line>`;
}

/** The running sum of a line, in cents. */
export function accumulated(amounts: readonly string[]): number[] {
  let sum = 0;
  return amounts.map((amount) => {
    sum += cents(amount);
    return sum;
  });
}
