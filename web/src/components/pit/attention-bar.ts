/** The bar that stays on the screen: what waits for a person of the pit, with its amount and how long it has waited. */

import { html, nothing, type TemplateResult } from "lit";

import type { Alarm, AwardCase, CallView, Proposal } from "../../api/types";
import { show, totalOf } from "../../lib/money";
import type { LiveView } from "../../lib/play/table-view";
import { title } from "../../lib/text/labels";
import { minutes } from "../../lib/text/time";
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
}

interface Item {
  kind: "alarm" | "mispay" | "ruling" | "award" | "call" | "sign" | "stuck";
  /** What the drawer shows: a table, or the list of all that waits. */
  table: string;
  what: string;
  amount: string;
  since: string;
}

/** Items that the bar shows by themselves; the others are counted. */
const SHOWN = 8;

/** How many decisions wait for a person. */
export function countWaiting({ calls, ...others }: Waiting): number {
  const unanswered = calls.filter(({ coming }) => !coming);
  return Object.values(others).reduce((sum, { length }) => sum + length, unanswered.length);
}

function items({ rulings, stopped, awards, calls, proposals, alarms, stuck }: Waiting): Item[] {
  const onTable = (view: LiveView): string => show(totalOf(view.boxes.flatMap(({ stakes }) => stakes)));
  return [
    ...alarms.map(
      ({ name }): Item => ({ kind: "alarm", table: "", what: `Break glass: ${name}`, amount: "", since: "" }),
    ),
    ...stopped.map(
      (view): Item => ({
        kind: "mispay",
        table: "",
        what: `${view.table}: a bet is mispaid`,
        amount: onTable(view),
        since: minutes(waited(view)),
      }),
    ),
    ...awards.map(
      ({ table, box, hand, amount, missing }): Item => ({
        kind: "award",
        table: "",
        what: `${table}, box ${box}: ${title(hand)}`,
        amount: amount === null ? "waits for its turn" : show(amount),
        since: amount === null ? "" : `${missing} to sign`,
      }),
    ),
    ...rulings.map(
      (view): Item => ({
        kind: "ruling",
        table: "",
        what: `${view.table}: ${view.awaiting[0]?.says ?? ""}`,
        amount: onTable(view),
        since: minutes(waited(view)),
      }),
    ),
    ...calls.map(
      ({ table, coming, seconds }): Item => ({
        kind: "call",
        table: "",
        what: `${table} calls`,
        amount: coming ? `${coming} comes` : "",
        since: minutes(seconds),
      }),
    ),
    ...proposals.map(({ words }): Item => ({ kind: "sign", table: "", what: words, amount: "", since: "" })),
    ...stuck.map(
      (view): Item => ({
        kind: "stuck",
        table: view.table,
        what: `${view.table} does not move`,
        amount: onTable(view),
        since: minutes(waited(view)),
      }),
    ),
  ];
}

const KINDS: Record<Item["kind"], string> = {
  alarm: "Alarm",
  mispay: "Mispay",
  award: "Jackpot",
  ruling: "Ruling",
  call: "Call",
  sign: "Sign",
  stuck: "Stuck",
};

/** `open` shows a table in the drawer, or with an empty name all that waits. */
export function attentionBar(waiting: Waiting, open: (table: string) => void): TemplateResult {
  const all = items(waiting);
  return html`<section class="attention ${all.length ? "busy" : ""}" aria-label="Waiting">
    ${all.length ? nothing : html`<p class="calm">Nothing is waiting.</p>`}
    ${all.slice(0, SHOWN).map(
      ({ kind, table, what, amount, since }) => html`<button type="button" class="waits ${kind}"
        @click=${() => open(table)}><span class="kind">${KINDS[kind]}</span> <span class="what">${what}</span>
        ${amount ? html`<b>${amount}</b>` : nothing} ${since ? html`<time>${since}</time>` : nothing}</button>`,
    )}
    ${
      all.length > SHOWN
        ? html`<button type="button" class="waits more"
            @click=${() => open("")}>and ${all.length - SHOWN} more</button>`
        : nothing
    }</section>`;
}
