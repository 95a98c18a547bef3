/** What playing on may take beyond what a player has left. */

import type { Terms } from "../../api/types";
import { session } from "../state/session";
import type { Betting } from "./betting";
import { ownBets } from "./own-bets";
import type { LiveView } from "./table-view";

export interface Shortfall {
  /** Cents that are left after the bets before the deal. */
  left: number;
  /** Cents that playing on to the end may take. */
  needed: number;
  /** Cents that a fold would lose. */
  lost: number;
  /** The player's own loss limit leaves less than their chips. */
  isLimit: boolean;
}

interface Placing {
  view: LiveView;
  terms: Terms;
  betting: Betting;
}

/** The shortfall of the bets that lie, or of an Ante of the chosen chip where none lies; undefined with enough left. */
export function shortfall({ view, terms, betting }: Placing): Shortfall | undefined {
  const boxes = Object.values(ownBets(view));
  const isPlaced = boxes.length > 0;
  const bets = isPlaced ? boxes : [{ ante: betting.chip }];
  const purse = session.purse;
  if (purse === null) return undefined;
  const left = isPlaced ? purse : purse - betting.chip;
  const needed = dearest(terms) * bets.reduce((sum, { ante = 0 }) => sum + ante, 0);
  if (left < 0 || needed <= left) return undefined;
  const lost = bets
    .flatMap((box) => Object.entries(box))
    .reduce((sum, [bet, amount]) => sum + (terms.fold.loses.includes(bet) ? amount : 0), 0);
  return { left, needed, lost, isLimit: purse < (session.balance ?? 0) };
}

/** What playing a hand to its end may cost at most, in antes. */
function dearest({ bets }: Terms): number {
  return bets.filter(({ kind }) => kind === "decision").reduce((sum, { times_ante }) => sum + times_ante, 0);
}
