/** What of a table belongs to the player of this page. */

import type { BetKind, BoxView, Line, Stake, Terms } from "../../api/types";
import { cents } from "../money";
import { session } from "../state/session";
import type { LiveView } from "./table-view";

/** Cents by box and bet. */
export type Bets = Record<number, Record<string, number>>;

export function ownStakes(box: BoxView): Stake[] {
  return box.stakes.filter((stake) => stake.player === session.me?.name);
}

export function ownLines(view: LiveView): Line[] {
  return view.lines.filter((line) => line.player === session.me?.name);
}

export function ownBoxes(view: LiveView): BoxView[] {
  const settled = new Set(ownLines(view).map((line) => line.box));
  return view.boxes.filter((box) => ownStakes(box).length || settled.has(box.box));
}

export function ownBets(view: LiveView): Bets {
  const bets: Bets = {};
  for (const box of view.boxes)
    for (const stake of ownStakes(box)) {
      bets[box.box] ??= {};
      const here = bets[box.box]!;
      here[stake.bet] = (here[stake.bet] ?? 0) + cents(stake.amount);
    }
  return bets;
}

/** The kinds of bets that a player places before the deal, in the order of the layout. */
export function placeableKinds(terms: Terms): BetKind[] {
  const kinds = ["jackpot", "side", "entry"];
  return terms.bets
    .filter((bet) => bet.kind !== "decision" && (bet.kind !== "jackpot" || terms.jackpot_bet))
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}
