import { html, nothing, type TemplateResult } from "lit";

import { card } from "./drawing";
import { Piece, to } from "./element";
import { sha256 } from "./sha256";
import { Refused, store } from "./store";

export interface SealedDeck {
  deal: number;
  commitment: string;
  deck: string | null;
  salt: string | null;
}

/** Checks a deck against what was published before the bets; every word of it is computed on this page. */
export function checks(deck: SealedDeck, seen: string | undefined): { says: string; passed: boolean }[] {
  if (deck.deck === null || deck.salt === null) return [{ says: "The deck is opened when the round is settled.", passed: false }];
  const cards = deck.deck.split(" ");
  const found = [
    { says: "52 different cards", passed: cards.length === 52 && new Set(cards).size === 52 },
    { says: "the opened deck and its salt give the seal", passed: sha256(`${deck.salt} ${deck.deck}`) === deck.commitment },
  ];
  if (seen) found.push({ says: "it is the seal that this page saw while bets were open", passed: seen === deck.commitment });
  return found;
}

export function proofOf(decks: readonly SealedDeck[], seen?: string): TemplateResult {
  if (!decks.length) return html`<p>Real cards lay on this table: there is no sealed deck.</p>`;
  return html`${decks.map((deck) => html`<div class="proof">
    ${decks.length > 1 ? html`<h3>Deal ${deck.deal + 1}</h3>` : nothing}
    <p>Published before the bets: <code>${deck.commitment}</code></p>
    <ul>${checks(deck, decks.length === 1 ? seen : undefined).map((c) => html`<li class=${c.passed ? "up" : "down"}>${c.passed ? "✓" : "✗"} ${c.says}</li>`)}</ul>
    ${deck.deck ? html`<p class="mini deck"><span>${deck.deck.split(" ").map((c) => card(c))}</span></p>
      <p class="quiet">Salt <code>${deck.salt}</code>. SHA-256 over the salt, a space and the cards.</p>` : nothing}</div>`)}`;
}

/** "Prove the deck": one click from a result. */
export class ProofDialog extends Piece {
  private decks: SealedDeck[] | null = null;
  private wrong = "";
  private table = "";
  private round = 0;

  open(table: string, round: number): void {
    [this.table, this.round, this.decks, this.wrong] = [table, round, null, ""];
    store.get<{ decks: SealedDeck[] }>(`/api/tables/${encodeURIComponent(table)}/rounds/${round}`)
      .then((said) => (this.decks = said.decks))
      .catch((wrong: unknown) => (this.wrong = wrong instanceof Refused ? wrong.message : "The server does not answer."))
      .finally(() => this.requestUpdate());
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector("dialog")?.showModal());
  }

  override render(): TemplateResult {
    const close = (): void => this.querySelector("dialog")?.close();
    return html`<dialog class="report" aria-labelledby="proof-title" closedby="any"><h2 id="proof-title">The deck of ${this.table}, round ${this.round}</h2>
      ${this.wrong ? html`<p class="wrong">${this.wrong}</p>` : this.decks ? proofOf(this.decks, store.seals.get(`${this.table} ${this.round}`)) : html`<p>…</p>`}
      <div class="row"><a class="button ghost" href=${to("replay", this.table, this.round)} @click=${close}>Replay the round</a>
        <button type="button" class="button" @click=${close}>Close</button></div></dialog>`;
  }
}
customElements.define("proof-dialog", ProofDialog);

export function prove(table: string, round: number): void {
  document.querySelector<ProofDialog>("proof-dialog")?.open(table, round);
}
