import { html, nothing, type TemplateResult } from "lit";

import { failure } from "./api";
import { card } from "./drawing";
import { Piece, to } from "./element";
import { sha256 } from "./sha256";
import { store } from "./store";

/** A card with its salt and the neighbours on its way to the seal, the lowest first. */
interface CardProof {
  position: number;
  card: string;
  salt: string;
  path: string[];
}

export interface SealedDeck {
  deal: number;
  commitment: string;
  /** Sealed card by card, so that the cards one has seen can be checked without the others. */
  by_card: boolean;
  deck: string | null;
  salt: string | null;
  cards: CardProof[] | null;
}

const LEAVES = 64;
const leaf = (position: number, card: string, salt: string): string => sha256(`croupier card ${position} ${card} ${salt}`);
const node = (left: string, right: string): string => sha256(`croupier node ${left} ${right}`);

/** The seal to which one card leads. */
function sealOf(proof: CardProof): string {
  let [reached, at] = [leaf(proof.position, proof.card, proof.salt), proof.position];
  for (const neighbour of proof.path) {
    reached = at % 2 ? node(neighbour, reached) : node(reached, neighbour);
    at = Math.floor(at / 2);
  }
  return reached;
}

/** The seal of a whole deck, whose salt is the seed of its cards' salts. */
function sealOfAll(cards: string[], seed: string): string {
  let level = cards.map((card, at) => leaf(at, card, sha256(`croupier salt ${at} ${seed}`)));
  while (level.length < LEAVES) level.push("0".repeat(64));
  while (level.length > 1) level = level.flatMap((left, at) => (at % 2 ? [] : [node(left, level[at + 1]!)]));
  return level[0]!;
}

/** Checks a deck against what was published before the bets; every word of it is computed on this page. */
export function checks(deck: SealedDeck, seen: string | undefined): { says: string; passed: boolean }[] {
  const found = [];
  if (deck.deck !== null && deck.salt !== null) {
    const cards = deck.deck.split(" ");
    const seal = deck.by_card ? sealOfAll(cards, deck.salt) : sha256(`${deck.salt} ${deck.deck}`);
    found.push({ says: "52 different cards", passed: cards.length === 52 && new Set(cards).size === 52 });
    found.push({ says: "the opened deck and its salt give the seal", passed: seal === deck.commitment });
  } else if (deck.cards !== null) {
    const [places, faces] = [new Set(deck.cards.map((c) => c.position)), new Set(deck.cards.map((c) => c.card))];
    const all = deck.cards.length;
    found.push({ says: `${all} cards that you have seen, all different`, passed: places.size === all && faces.size === all });
    const lead = deck.cards.every((c) => c.position < 52 && c.path.length === 6 && sealOf(c) === deck.commitment);
    found.push({ says: "each of them, with its salt and its path, gives the seal", passed: lead });
  } else return [{ says: "The deck can be checked when the round is settled.", passed: false }];
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
      <p class="quiet">Salt <code>${deck.salt}</code>. ${deck.by_card ? "Sealed card by card." : "SHA-256 over the salt, a space and the cards."}</p>` : nothing}
    ${deck.cards ? html`<p class="mini deck"><span>${deck.cards.map((c) => card(c.card))}</span></p>
      <p class="quiet">In the order of the deck. Its other cards stay sealed: nobody sees what was folded or not dealt.</p>` : nothing}</div>`)}`;
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
      .catch((wrong: unknown) => (this.wrong = failure(wrong)))
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
