/** What is printed on a layout: the pay tables of the table's bets, as its terms have them. */

import { html, nothing, type TemplateResult } from "lit";

import { RETRY, store } from "./store";
import { title } from "./words";

export interface Printed {
  of: string;
  rows: { hand: string; pays: string }[];
  rules: string[];
}

const known = new Map<string, Printed[]>();

/** Read what is printed now; the server is asked again as long as it is wanted. */
export async function learnLayout(table: string, isWanted: () => boolean): Promise<void> {
  const path = `/api/tables/${encodeURIComponent(table)}/layout`;
  const printed = await store.refresh(path, store.list<Printed>(path));
  if (printed) known.set(table, printed);
  else window.setTimeout(() => isWanted() && void learnLayout(table, isWanted), RETRY);
  store.changed();
}

export function printedAt(table: string): Printed[] {
  return known.get(table) ?? [];
}

const one = (t: Printed): TemplateResult => html`<section class="printed" aria-label="${title(t.of)} pays"><h3>${title(t.of)} pays</h3>
  <dl>${t.rows.map((row) => html`<div><dt>${title(row.hand)}</dt><dd>${row.pays.replace(/%$/, "% of meter")}</dd></div>`)}</dl></section>`;

/** Around the dealer's cards: the tables of the bets at his right hand, the jackpot's at his left. */
export function aroundDealer(table: string, dealer: TemplateResult): TemplateResult {
  const tables = printedAt(table);
  return html`<div class="print left">${tables.filter((t) => t.of !== "jackpot").map(one)}</div>${dealer}
    <div class="print right">${tables.filter((t) => t.of === "jackpot").map(one)}</div>`;
}

/** The same where the felt is too small to print on. */
export function payTables(table: string): TemplateResult | typeof nothing {
  const tables = printedAt(table);
  return tables.length ? html`<details class="pays"><summary>What the bets pay</summary>${tables.map(one)}</details>` : nothing;
}
