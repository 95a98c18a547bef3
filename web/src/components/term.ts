/** A term of the documents, in English; in another language a tap or a key opens what it means. */

import { html, type nothing, type TemplateResult } from "lit";
import { payTablesOf } from "../lib/state/pay-tables";
import { title } from "../lib/text/labels";
import { language, t } from "../lib/text/language";
import { GLOSSARY, gloss } from "../lib/text/terms";

/** The term inside a text. */
export function term(slug: string): TemplateResult | string {
  const meaning = gloss(slug);
  if (language() === "en" || !meaning) return termName(slug);
  return html`<span class="term"><button type="button" lang="en" title=${meaning} aria-expanded="false"
      @click=${toggle}>${title(slug)}</button><span class="gloss" role="note" hidden>${meaning}</span></span>`;
}

function toggle(event: Event): void {
  const button = event.currentTarget as HTMLElement;
  const note = button.nextElementSibling as HTMLElement;
  note.hidden = !note.hidden;
  button.setAttribute("aria-expanded", String(!note.hidden));
}

/** The name of a bet or a hand on a pay table, marked as English where the page is in another language. */
export function termName(slug: string): TemplateResult | string {
  return language() === "en" ? title(slug) : html`<span lang="en">${title(slug)}</span>`;
}

/** Every term of the games with its meaning, and what marks cards; `bets` are those that the table takes. */
export function glossary(table: string, bets: readonly string[]): TemplateResult | typeof nothing {
  const hands = payTablesOf(table).flatMap(({ rows }) => rows.map(({ hand }) => hand));
  const isPlayed = (slug: string): boolean =>
    (!BET_TERMS.has(slug) || bets.includes(slug)) && (!RARE_HANDS.has(slug) || hands.includes(slug));
  const shown = GLOSSARY.filter(isPlayed);
  return html`<details class="glossary"><summary>${t("What the words mean")}</summary>
    <p>${t("White bar over a card: one of the dealer's five. Gold bar under it: one of your five.")}</p>
    <dl>${shown.map(
      (slug) => html`<div><dt lang="en">${title(slug)}</dt><dd>${gloss(slug)}</dd></div>`,
    )}</dl></details>`;
}

/** Hands that the pay tables of some games name. */
const RARE_HANDS = new Set(["odd_cards", "board_royal_flush"]);

/** Terms that are a bet of some games only. */
const BET_TERMS = new Set(["bonus", "pair_plus", "ante_bonus", "jackpot", "flop", "turn", "river", "play", "call"]);
