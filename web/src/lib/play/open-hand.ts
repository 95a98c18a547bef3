/** The hand that a player has left on a table: the lobby leads back to it. */

import type { LobbyTable } from "../../api/types";
import { lobby } from "../state/lobby";
import { session } from "../state/session";
import { ownBets } from "./own-bets";
import { isOver, type LiveView } from "./table-view";

/** Kept for this tab, so that loading the page again does not forget it. */
const KEY = "croupier.open-hand";

interface OpenHand {
  player: string;
  table: string;
  round: number;
}

function kept(): OpenHand | null {
  return JSON.parse(sessionStorage.getItem(KEY) ?? "null") as OpenHand | null;
}

/** Keep the round in which this player has bets on a table; forget it when it is over. */
export function keepOpenHand(view: LiveView): void {
  const player = session.me?.name;
  const { table, round } = view;
  if (player && !isOver(view) && Object.keys(ownBets(view)).length)
    sessionStorage.setItem(KEY, JSON.stringify({ player, table, round } satisfies OpenHand));
  else if (kept()?.table === table) sessionStorage.removeItem(KEY);
}

/** The table on which this player still has bets, as the lobby knows its round. */
export function openHandTable(): LobbyTable | undefined {
  const hand = kept();
  if (hand?.player !== session.me?.name) return undefined;
  return lobby.tables.find(
    ({ table, round, stage }) =>
      table === hand?.table && round === hand.round && (stage === "betting" || stage === "playing"),
  );
}
