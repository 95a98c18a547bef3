/** Cards and hole cards as people call them. */

const RANKS: Record<string, string> = {
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
const SUITS: Record<string, string> = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
/** Ranks from the lowest to the highest. */
const ORDER = "23456789TJQKA";

export function cardName(card: string): string {
  return card === "??" ? "face down" : `${RANKS[card[0]!]} of ${SUITS[card[1]!]}`;
}

/** Two hole cards by name, before the community cards make a hand of them; empty where they are not both known. */
export function holeCardsName(cards: string[]): string {
  const [one, two] = [...cards].sort((a, b) => ORDER.indexOf(b[0]!) - ORDER.indexOf(a[0]!));
  if (cards.length !== 2 || !one || !two || one === "??" || two === "??") return "";
  if (one[0] === two[0]) return `Pair of ${RANKS[one[0]!]}${one[0] === "6" ? "es" : "s"}`;
  return `${RANKS[one[0]!]} and ${RANKS[two[0]!]}${one[1] === two[1] ? ", suited" : ""}`;
}

const CARD = /([2-9TJQKA]|10)([cdhs])/gi;

/** The cards in a typed text: "as kd" gives "As" and "Kd". Anything else is left out. */
export function parseCards(text: string): string[] {
  return [...text.matchAll(CARD)].map((m) => `${m[1]!.toUpperCase().replace("10", "T")}${m[2]!.toLowerCase()}`);
}

/** What of a typed text is not a card. */
export function withoutCards(text: string): string {
  return text.replace(CARD, "").trim();
}
