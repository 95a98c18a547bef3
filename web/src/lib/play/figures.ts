/** The figures of a table over its last rounds: handle, win and pace. */

import type { RoundLine } from "../../api/types";
import { cents } from "../money";

export interface TableFigures {
  /** Cents staked. */
  handle: number;
  /** Cents that the house has won. */
  win: number;
  /** Rounds an hour; zero where there are too few rounds. */
  pace: number;
}

const HOUR = 3_600_000;

export function tableFigures(rounds: RoundLine[]): TableFigures {
  const played = rounds.filter(({ staked }) => cents(staked) > 0);
  const [newest, oldest] = [played[0], played.at(-1)];
  const hours = newest && oldest ? (Date.parse(newest.at) - Date.parse(oldest.at)) / HOUR : 0;
  return {
    handle: played.reduce((sum, { staked }) => sum + cents(staked), 0),
    win: played.reduce((sum, round) => sum + houseWin(round), 0),
    pace: hours > 0 ? (played.length - 1) / hours : 0,
  };
}

/** Cents that the house has won in a round; what the meter paid was not the house's. */
export function houseWin({ staked, won, returned, from_meter }: RoundLine): number {
  return cents(staked) - cents(won) - cents(returned) + cents(from_meter);
}
