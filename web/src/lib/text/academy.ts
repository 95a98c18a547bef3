/** Words of the academy. */

import type { Topic } from "../../api/types";
import { type Plain, t } from "./language";

const NAMES: Record<Topic, Plain> = {
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

export const TOPICS = Object.keys(NAMES) as Topic[];

export const topicName = (topic: Topic): string => t(NAMES[topic]);

/** A place on the table in words. */
export function placeName(place: string): string {
  if (/^\d+$/.test(place)) return t("Box {box}", { box: place });
  return place === "dealer" ? t("Dealer") : t("Community cards");
}
