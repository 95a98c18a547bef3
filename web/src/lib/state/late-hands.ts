/** The hands of this player that the clock has folded, as the views of their tables show it. */

import { secondsLeft } from "../play/own-clock";
import type { LiveView } from "../play/table-view";
import { session } from "./session";

/** Hands that are kept at most, also while the player visits other pages. */
const KEPT = 100;
/** Seconds that the page's clock may be behind the server's. */
const CLOCK_ERROR = 1.5;

const storageKey = (): string => `croupier.late.${session.me?.name ?? ""}`;
const keyOf = (table: string, round: number, box: number): string => JSON.stringify([table, round, box]);

class LateHands {
  /** Hands that the player has folded on this page. */
  private folded = new Set<string>();

  private get kept(): string[] {
    return JSON.parse(sessionStorage.getItem(storageKey()) ?? "[]") as string[];
  }

  /** Notice that the player folds a hand. */
  fold({ table, round }: LiveView, box: number): void {
    this.folded.add(keyOf(table, round, box));
  }

  /** Keep the hands that were due, are folded now, and were not folded by their player. */
  notice(before: LiveView | undefined, view: LiveView): void {
    if (!before?.choices.length || before.round !== view.round || secondsLeft(before) > CLOCK_ERROR) return;
    const found = before.boxes.flatMap(({ box, stakes, stands }) => {
      const isOwn = stakes.some((stake) => stake.player === session.me?.name);
      const isFolded = isOwn && stands === "live" && view.boxes[box - 1]?.stands === "folded";
      const key = keyOf(view.table, view.round, box);
      return isFolded && !this.folded.has(key) ? [key] : [];
    });
    if (found.length) sessionStorage.setItem(storageKey(), JSON.stringify([...this.kept.slice(-KEPT), ...found]));
  }

  /** The boxes of a round whose hand the clock has folded. */
  boxes(table: string, round: number): number[] {
    return this.kept
      .map((key) => JSON.parse(key) as [string, number, number])
      .flatMap(([at, number, box]) => (at === table && number === round ? [box] : []));
  }
}

export const lateHands = new LateHands();
