/** What a settled bet has brought its player. */

import type { Line, RoundLine } from "../../api/types";
import { cents } from "../money";

/** Cents that the line has won or lost. */
export function net(line: Line): number {
  return cents(line.won) + cents(line.returned) - cents(line.staked);
}

export function totalNet(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + net(line), 0);
}

/** The style of an amount: won, lost, or neither. */
export function direction(amount: number): "up" | "down" | "" {
  return amount > 0 ? "up" : amount < 0 ? "down" : "";
}

/** Cents that the house has won in a round; what the meter paid was not the house's. */
export function houseWin({ staked, won, returned, from_meter }: RoundLine): number {
  return cents(staked) - cents(won) - cents(returned) + cents(from_meter);
}
