/** The hands that a player has left in play on tables: every other page leads back to them. */

import { lobby } from "../state/lobby";
import { session } from "../state/session";
import { tables } from "../state/tables";
import { ownBets } from "./own-bets";
import { isOver, type LiveView } from "./table-view";

/** Kept for this tab, so that loading the page again does not forget them. */
const KEY = "croupier.open-hands";

/** Rounds by table. */
type Rounds = Record<string, number>;

interface Kept {
  player: string;
  rounds: Rounds;
}

/** A round that has or had a hand of this player, and its table as this page sees it. */
export interface OpenHand {
  table: string;
  round: number;
  view: LiveView | undefined;
  isOver: boolean;
}

function kept(): Rounds {
  const found = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Kept | null;
  return found && found.player === session.me?.name ? found.rounds : {};
}

function keep(rounds: Rounds): void {
  sessionStorage.setItem(KEY, JSON.stringify({ player: session.me?.name ?? "", rounds } satisfies Kept));
}

/** Keep the round in which this player has bets on a table; forget it when it is over. */
export function keepOpenHand(view: LiveView): void {
  const { table, round } = view;
  const isOpen = !isOver(view) && Object.keys(ownBets(view)).length > 0;
  if (!isOpen) forgetHand(table);
  else if (kept()[table] !== round) keep({ ...kept(), [table]: round });
}

export function forgetHand(table: string): void {
  const { [table]: round, ...others } = kept();
  if (round !== undefined) keep(others);
}

/** The hands that are kept; before the first view of its table, the lobby says whether a round is still in play. */
export function openHands(): OpenHand[] {
  return Object.entries(kept()).map(([table, round]) => {
    const view = tables.views.get(table);
    const known = view ?? lobby.tables.find((line) => line.table === table);
    const isInPlay = known?.round === round && (known.stage === "betting" || known.stage === "playing");
    return { table, round, view: known?.round === round ? view : undefined, isOver: !isInPlay };
  });
}
