/** What the documents' terms mean, in the language of the page. The terms themselves stay in English. */

import { type Plain, t } from "./language";

const BETS: Record<string, Plain> = {
  ante: "The bet before the deal that lets you take part in the round.",
  bonus: "A bet beside the Ante that pays by a table of its own.",
  pair_plus: "A bet that wins with a Pair or better, whatever the Dealer has.",
  ante_bonus: "A payment on the Ante for a high hand, even against a better Dealer.",
  jackpot: "A bet of a fixed amount that takes part in the progressive jackpot.",
  flop: "The bet after your first cards, to see the three Flop Cards.",
  turn: "The bet after the Flop Cards, before the Turn Card.",
  river: "The bet after the Turn Card, before the River Card.",
  play: "The bet with which you play your hand against the Dealer.",
  call: "The bet with which you play your hand against the Dealer.",
};

const CHOICES: Record<string, Plain> = {
  check: "To stay in the round without a further bet.",
  fold: "To give the hand up, with the bets that the rules name.",
};

const HANDS: Record<string, Plain> = {
  royal_flush: "Ace, King, Queen, Jack and Ten of one suit.",
  straight_flush: "Cards in sequence, all of one suit.",
  four_of_a_kind: "Four cards of one rank.",
  full_house: "Three cards of one rank and two of another.",
  flush: "Cards of one suit.",
  straight: "Cards in sequence.",
  three_of_a_kind: "Three cards of one rank.",
  two_pairs: "Two cards of one rank and two of another.",
  pair: "Two cards of one rank.",
  odd_cards: "A hand without a pair, a sequence or one suit.",
  board_royal_flush: "A Royal Flush of the community cards alone.",
};

const TERMS = { ...BETS, ...CHOICES, ...HANDS };

/** The terms that every player meets, in the order in which a round brings them. */
export const GLOSSARY = [...Object.keys(BETS), ...Object.keys(CHOICES), ...Object.keys(HANDS)];

/** What a term means; empty for any other word. */
export function gloss(slug: string): string {
  const known = TERMS[slug.replaceAll(" ", "_")];
  return known ? t(known) : "";
}
