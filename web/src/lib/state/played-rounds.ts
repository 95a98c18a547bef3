/** The rounds that this tab has seen settled, with their lines; how many and what they came to is in `own-rounds`. */

import type { Line, PlayedRound as RoundOnRecord, TableView } from "../../api/types";
import { totalNet } from "../play/results";
import { changed } from "./changes";
import { lobby } from "./lobby";
import { ownRounds } from "./own-rounds";
import { requests } from "./requests";
import { session } from "./session";

export interface PlayedRound {
  table: string;
  game: string;
  currency: string;
  round: number;
  stage: string;
  /** The player's boxes. */
  boxes: number[];
  lines: Line[];
  net: number;
  at: number;
  /** An award of this round is not closed: its line comes later, perhaps during another round. */
  open?: boolean;
}

/** Rounds that are kept at most. */
const KEPT = 200;

const storageKey = (name: string): string => `croupier.played.${name}`;

/** Whether an award of these boxes in this round is not closed yet. */
function hasOpenAward(view: TableView, round: number, boxes: Set<number>): boolean {
  return [...(view.awards ?? []), ...(view.earlier_awards ?? [])].some(
    (award) => award.round === round && boxes.has(award.box) && (award.state === "claimed" || award.state === "locked"),
  );
}

class PlayedRounds {
  /** The newest first. */
  list: PlayedRound[] = [];
  /** Add the settled round of a view, where this player had bets in it. */
  add(view: TableView): void {
    const lines = view.lines.filter((line) => line.player === session.me?.name);
    if (!lines.length) return;
    const boxes = new Set(lines.map((line) => line.box));
    const played: PlayedRound = {
      table: view.table,
      game: view.edition,
      currency: lobby.terms.get(view.table)?.currency ?? "",
      round: view.round,
      stage: view.stage,
      boxes: [...boxes],
      lines,
      net: totalNet(lines),
      at: Date.now(),
      open: hasOpenAward(view, view.round, boxes),
    };
    const others = this.list.filter((other) => other.table !== played.table || other.round !== played.round);
    this.list = [played, ...others].slice(0, KEPT);
    this.save(session.me?.name ?? "");
  }

  /** Add rounds of a table that were settled while this page had no connection. */
  async addMissed(table: string, rounds: Iterable<number>): Promise<void> {
    for (const round of rounds) {
      const missed = await this.read(table, round);
      const last = missed?.steps.at(-1);
      if (missed && last) this.add({ ...last.view, lines: missed.lines });
    }
    void ownRounds.refresh();
    changed();
  }

  private read(table: string, round: number): Promise<RoundOnRecord | undefined> {
    const path = `/api/tables/${encodeURIComponent(table)}/rounds/${round}`;
    return requests.refresh(path, requests.get<RoundOnRecord>(path));
  }

  /** Read the lines again of every round whose award has been closed during a later round. */
  completeAwards(view: TableView): void {
    for (const played of this.list) {
      if (!played.open || played.table !== view.table || played.round >= view.round) continue;
      if (!hasOpenAward(view, played.round, new Set(played.boxes))) void this.complete(played);
    }
  }

  private async complete(played: PlayedRound): Promise<void> {
    played.open = false;
    const round = await this.read(played.table, played.round);
    if (!round) {
      // The next view of the table tries again.
      played.open = true;
      return;
    }
    const lines = round.lines.filter((line) => line.player === session.me?.name);
    const whole = { ...played, lines, net: totalNet(lines) };
    this.list = this.list.map((other) =>
      other.table === played.table && other.round === played.round ? whole : other,
    );
    this.save(session.me?.name ?? "");
    ownRounds.settled();
    await session.refresh();
  }

  /** Read the rounds of a person who comes back to this browser session. */
  restore(name: string): void {
    try {
      const kept = JSON.parse(sessionStorage.getItem(storageKey(name)) ?? "null");
      this.list = kept?.played ?? [];
    } catch {
      this.list = [];
    }
    this.save(name);
  }

  private save(name: string): void {
    sessionStorage.setItem(storageKey(name), JSON.stringify({ played: this.list }));
  }

  lastAt(table: string): PlayedRound | undefined {
    return this.list.find((played) => played.table === table);
  }
}

export const playedRounds = new PlayedRounds();
