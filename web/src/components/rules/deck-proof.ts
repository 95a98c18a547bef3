/** The sealed decks of a round, checked on this page. */

import { html, nothing, type TemplateResult } from "lit";

import type { SealedDeck } from "../../api/types";
import { checkDeck } from "../../lib/play/deck-seal";
import { rich, t } from "../../lib/text/language";
import { card } from "../table/cards";

/** The decks of a round; `seen` is the seal that this page saw while bets were open. */
export function deckProof(decks: readonly SealedDeck[], seen?: string): TemplateResult {
  if (!decks.length) return html`<p>${t("Real cards lay on this table: there is no sealed deck.")}</p>`;
  return html`${decks.map(
    (deck) => html`<div class="proof">
      ${decks.length > 1 ? html`<h3>${t("Deal {number}", { number: deck.deal + 1 })}</h3>` : nothing}
      <p>${t("Published before the bets:")} <code>${deck.commitment}</code></p>
      ${
        deck.deck || deck.cards
          ? nothing
          : html`<p class="quiet">${t("The deck can be checked when the round is settled.")}</p>`
      }
      <ul>${checkDeck(deck, decks.length === 1 ? seen : undefined).map(
        ({ claim, passed }) => html`<li class=${passed ? "up" : "down"}>${passed ? "✓" : "✗"} ${claim}</li>`,
      )}</ul>
      ${deck.deck ? openedDeck(deck.deck, deck) : nothing} ${deck.cards ? seenCards(deck.cards) : nothing}</div>`,
  )}`;
}

function openedDeck(cards: string, { salt, by_card }: SealedDeck): TemplateResult {
  return html`<p class="mini deck"><span>${cards.split(" ").map(card)}</span></p>
    <p class="quiet">${rich("Salt {salt}.", { salt: html`<code>${salt}</code>` })}
      ${by_card ? t("Sealed card by card.") : t("SHA-256 over the salt, a space and the cards.")}</p>`;
}

function seenCards(cards: { card: string }[]): TemplateResult {
  return html`<p class="mini deck"><span>${cards.map((proof) => card(proof.card))}</span></p>
    <p class="quiet">${t("In the order of the deck. Cards that were not turned stay sealed.")}</p>`;
}
