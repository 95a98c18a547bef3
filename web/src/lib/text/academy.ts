/** Words of the academy. */

import type { Topic } from "../../api/types";

export const TOPICS: Record<Topic, string> = {
  hand: "Name the hand",
  five_cards: "The five cards that play",
  winner: "Which hand is higher",
  procedure: "Dealing procedure",
  bets: "Which chips may lie",
  outcome: "What becomes of a bet",
  payout: "What a bet is paid",
  acts: "Take and pay in order",
  consequence: "What follows from an irregularity",
  authority: "Who may decide",
  reconstruction: "May it be reconstructed",
  ruling_money: "Money after a ruling",
  reading: "How the house reads the document",
  other_house: "What differs elsewhere",
};

/** A place on the table in words. */
export function placeName(place: string): string {
  return /^\d+$/.test(place) ? `Box ${place}` : place === "dealer" ? "Dealer" : "Community cards";
}

/** Seconds as minutes and seconds. */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
