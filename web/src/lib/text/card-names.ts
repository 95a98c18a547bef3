/** Cards and hole cards as people call them. */

import { type Plain, t } from "./language";

const RANKS: Record<string, Plain> = {
  A: "Ace",
  K: "King",
  Q: "Queen",
  J: "Jack",
  T: "Ten",
  "9": "Nine",
  "8": "Eight",
  "7": "Seven",
  "6": "Six",
  "5": "Five",
  "4": "Four",
  "3": "Three",
  "2": "Two",
};
const PAIRS: Record<string, Plain> = {
  A: "Pair of Aces",
  K: "Pair of Kings",
  Q: "Pair of Queens",
  J: "Pair of Jacks",
  T: "Pair of Tens",
  "9": "Pair of Nines",
  "8": "Pair of Eights",
  "7": "Pair of Sevens",
  "6": "Pair of Sixes",
  "5": "Pair of Fives",
  "4": "Pair of Fours",
  "3": "Pair of Threes",
  "2": "Pair of Twos",
};
const SUITS: Record<string, Plain> = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
/** Ranks from the lowest to the highest. */
const ORDER = "23456789TJQKA";

const rankName = (card: string): string => t(RANKS[card[0]!]!);

export function cardName(card: string): string {
  if (card === "??") return t("face down");
  return t("{rank} of {suit}", { rank: rankName(card), suit: t(SUITS[card[1]!]!) });
}

/** Two hole cards by name, before the community cards make a hand of them; empty where they are not both known. */
export function holeCardsName(cards: string[]): string {
  const [one, two] = [...cards].sort((a, b) => ORDER.indexOf(b[0]!) - ORDER.indexOf(a[0]!));
  if (cards.length !== 2 || !one || !two || one === "??" || two === "??") return "";
  if (one[0] === two[0]) return t(PAIRS[one[0]!]!);
  const names = { high: rankName(one), low: rankName(two) };
  return one[1] === two[1] ? t("{high} and {low}, suited", names) : t("{high} and {low}", names);
}

const CARD = /([2-9TJQKA]|10)([cdhs])/gi;

/** The cards in a typed text: "as kd" gives "As" and "Kd". Anything else is left out. */
export function parseCards(text: string): string[] {
  return [...text.matchAll(CARD)].map((m) => `${m[1]!.toUpperCase().replace("10", "T")}${m[2]!.toLowerCase()}`);
}

/** What of a typed text is not a card. */
export function withoutCards(text: string): string {
  return text
    .replace(CARD, "")
    .replace(/[,;\s]+/g, " ")
    .trim();
}
