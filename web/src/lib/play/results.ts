/** What a settled bet has brought its player. */

import type { Line, RoundLine } from "../../api/types";
import { cents } from "../money";

/** Cents that mispays of a bet left with its player beyond what was due; below zero what they lack. */
export function mispaid({ let_stand }: Pick<Line, "let_stand">): number {
  return (let_stand ?? []).reduce((sum, { over }) => sum + cents(over), 0);
}

/** Cents that the line has really won or lost: what was due, and every mispay that stands. */
export function net(line: Line): number {
  return cents(line.won) + cents(line.returned) - cents(line.staked) + mispaid(line);
}

export function totalNet(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + net(line), 0);
}

/** The style of an amount: won, lost, or neither. */
export function direction(amount: number): "up" | "down" | "" {
  return amount > 0 ? "up" : amount < 0 ? "down" : "";
}

/** Cents that the house has won in a round; what the meter paid was not the house's. */
export function houseWin({ staked, won, returned, from_meter, mispaid: over }: RoundLine): number {
  return cents(staked) - cents(won) - cents(returned) - cents(over) + cents(from_meter);
}
