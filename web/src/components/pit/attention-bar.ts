/** The bar that stays on the screen: what waits for a person of the pit, with its amount and how long it has waited. */

import { html, nothing, type TemplateResult } from "lit";

import type { Alarm, AwardCase, CallView, Proposal, TableFigures, VoidedRound } from "../../api/types";
import { cents, show, totalOf } from "../../lib/money";
import type { LiveView } from "../../lib/play/table-view";
import { title } from "../../lib/text/labels";
import { list, type Plain, t } from "../../lib/text/language";
import { minutes, secondsSince } from "../../lib/text/time";
import { served } from "../served";
import { waited } from "./wall";

export interface Waiting {
  rulings: LiveView[];
  /** Tables that a mispay stops. */
  stopped: LiveView[];
  awards: AwardCase[];
  calls: CallView[];
  proposals: Proposal[];
  alarms: Alarm[];
  stuck: LiveView[];
  voided: VoidedRound[];
  /** Dealers with more than one round in play, each with the tables. */
  doubled: [dealer: string, tables: string[]][];
}

/** By table: when its open mispay was found. */
export type FoundAt = ReadonlyMap<string, string>;

export interface Item {
  kind: "alarm" | "mispay" | "ruling" | "award" | "call" | "sign" | "stuck" | "doubled" | "void";
  /** What the drawer shows: a table, or the list of all that waits. */
  table: string;
  what: string | TemplateResult;
  amount: string;
  since: string;
}

/** Items that the bar shows by themselves; the others are counted. */
const SHOWN = 8;

/** How many decisions wait for a person. */
export function countWaiting({ calls, doubled: _, ...others }: Waiting): number {
  const unanswered = calls.filter(({ coming }) => !coming);
  return Object.values(others).reduce((sum, { length }) => sum + length, unanswered.length);
}

/** Dealers with more than one round in play. */
export function doubledDealers(lines: readonly TableFigures[]): Waiting["doubled"] {
  const of = new Map<string, string[]>();
  for (const { dealer, table } of lines) if (dealer) of.set(dealer, [...(of.get(dealer) ?? []), table]);
  return [...of].filter(([, { length }]) => length > 1);
}

function items(waiting: Waiting, found: FoundAt): Item[] {
  const { rulings, stopped, awards, calls, proposals, alarms, stuck, voided, doubled } = waiting;
  const onTable = (view: LiveView): string => show(totalOf(view.boxes.flatMap(({ stakes }) => stakes)));
  return [
    ...alarms.map(
      ({ name }): Item => ({
        kind: "alarm",
        table: "",
        what: t("Break glass: {name}", { name }),
        amount: "",
        since: "",
      }),
    ),
    ...stopped.map(
      (view): Item => ({
        kind: "mispay",
        table: "",
        what: t("{table}: a bet is mispaid", { table: view.table }),
        amount: show(Math.abs(cents(view.settling?.mispay?.over ?? "0.00"))),
        since: found.has(view.table) ? minutes(secondsSince(found.get(view.table)!)) : "",
      }),
    ),
    ...awards.map(
      ({ table, box, hand, amount, missing }): Item => ({
        kind: "award",
        table: "",
        what: t("{table}, box {box}: {hand}", { table, box, hand: title(hand) }),
        amount: amount === null ? t("waits for its turn") : show(amount),
        since: amount === null ? "" : t("{missing} to sign", { missing }),
      }),
    ),
    ...rulings.map(
      (view): Item => ({
        kind: "ruling",
        table: "",
        what: html`${view.table}: ${served(view.awaiting.find(({ by }) => by)?.says ?? "")}`,
        amount: onTable(view),
        since: minutes(waited(view)),
      }),
    ),
    ...calls.map(
      ({ table, coming, seconds }): Item => ({
        kind: "call",
        table: "",
        what: t("{table} calls", { table }),
        amount: coming ? t("{coming} comes", { coming }) : "",
        since: minutes(seconds),
      }),
    ),
    ...proposals.map(({ words }): Item => ({ kind: "sign", table: "", what: served(words), amount: "", since: "" })),
    ...voided.map(
      ({ table, by, returned }): Item => ({
        kind: "void",
        table: "",
        what: `${table} · ${by}`,
        amount: show(returned),
        since: "",
      }),
    ),
    ...stuck.map(
      (view): Item => ({
        kind: "stuck",
        table: view.table,
        what: t("{table} does not move", { table: view.table }),
        amount: onTable(view),
        since: minutes(waited(view)),
      }),
    ),
    ...doubled.map(
      ([dealer, at]): Item => ({
        kind: "doubled",
        table: at[0]!,
        what: t("{dealer} deals at {tables}", { dealer, tables: list(at) }),
        amount: "",
        since: "",
      }),
    ),
  ];
}

export const KINDS: Record<Item["kind"], Plain> = {
  alarm: "Alarm",
  mispay: "Mispay",
  award: "Jackpot",
  ruling: "Ruling",
  call: "Call|summons",
  sign: "Sign",
  stuck: "Stuck",
  void: "Void",
  doubled: "Dealer",
};

/** `open` shows a table in the drawer, or with an empty name all that waits. */
export function attentionBar(waiting: Waiting, found: FoundAt, open: (table: string) => void): TemplateResult {
  const all = items(waiting, found);
  return html`<section class="attention ${all.length ? "busy" : ""}" aria-label=${t("Waiting")}>
    ${all.length ? nothing : html`<p class="calm">${t("Nothing is waiting.")}</p>`}
    ${all.slice(0, SHOWN).map(
      ({ kind, table, what, amount, since }) => html`<button type="button" class="waits ${kind}"
        @click=${() => open(table)}><span class="kind">${t(KINDS[kind])}</span> <span class="what">${what}</span>
        ${amount ? html`<b>${amount}</b>` : nothing} ${since ? html`<time>${since}</time>` : nothing}</button>`,
    )}
    ${
      all.length > SHOWN
        ? html`<button type="button" class="waits more"
            @click=${() => open("")}>${t("and {count} more", { count: all.length - SHOWN })}</button>`
        : nothing
    }</section>`;
}
