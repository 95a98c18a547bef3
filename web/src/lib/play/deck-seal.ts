/** Checks a deck against the seal that was published before the bets. Every step is computed on this page. */

import type { CardProof, SealedDeck } from "../../api/types";
import { t } from "../text/language";
import { sha256 } from "./sha256";

/** Leaves of the hash tree: the next power of two above 52 cards. */
const LEAVES = 64;
/** Steps from a leaf to the root. */
const DEPTH = 6;
const CARDS = 52;

const leaf = (position: number, card: string, salt: string): string =>
  sha256(`croupier card ${position} ${card} ${salt}`);
const node = (left: string, right: string): string => sha256(`croupier node ${left} ${right}`);

/** The seal to which the path of one card leads. */
function sealOfCard(proof: CardProof): string {
  let hash = leaf(proof.position, proof.card, proof.salt);
  let at = proof.position;
  for (const neighbour of proof.path) {
    hash = at % 2 ? node(neighbour, hash) : node(hash, neighbour);
    at = Math.floor(at / 2);
  }
  return hash;
}

/** The seal of a whole deck, whose salt is the seed of the salts of its cards. */
function sealOfDeck(cards: string[], seed: string): string {
  let level = cards.map((card, at) => leaf(at, card, sha256(`croupier salt ${at} ${seed}`)));
  while (level.length < LEAVES) level.push("0".repeat(64));
  while (level.length > 1) level = level.flatMap((left, at) => (at % 2 ? [] : [node(left, level[at + 1]!)]));
  return level[0]!;
}

export interface SealCheck {
  claim: string;
  passed: boolean;
}

/** Check a deck; `seen` is the seal that this page saw while bets were open. */
export function checkDeck(deck: SealedDeck, seen: string | undefined): SealCheck[] {
  const checks: SealCheck[] = [];
  if (deck.deck !== null && deck.salt !== null) {
    const cards = deck.deck.split(" ");
    const seal = deck.by_card ? sealOfDeck(cards, deck.salt) : sha256(`${deck.salt} ${deck.deck}`);
    checks.push({ claim: t("52 different cards"), passed: cards.length === CARDS && new Set(cards).size === CARDS });
    checks.push({ claim: t("the opened deck and its salt give the seal"), passed: seal === deck.commitment });
  } else if (deck.cards !== null) {
    const { cards, commitment } = deck;
    const all = cards.length;
    const [places, codes] = [new Set(cards.map((c) => c.position)), new Set(cards.map((c) => c.card))];
    const isDifferent = places.size === all && codes.size === all;
    const isSealed = (c: CardProof): boolean =>
      c.position < CARDS && c.path.length === DEPTH && sealOfCard(c) === commitment;
    checks.push({ claim: t("{all} cards that you have seen, all different", { all }), passed: isDifferent });
    checks.push({
      claim: t("each of them, with its salt and its path, gives the seal"),
      passed: cards.every(isSealed),
    });
  } else return [];
  if (seen)
    checks.push({
      claim: t("it is the seal that this page saw while bets were open"),
      passed: seen === deck.commitment,
    });
  return checks;
}
