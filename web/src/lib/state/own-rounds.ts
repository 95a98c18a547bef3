/** What the server counts of this player's rounds: the same in every tab and on every device. */

import type { OwnRound, OwnRounds, SessionSums } from "../../api/types";
import { changed } from "./changes";
import { requests } from "./requests";
import { session } from "./session";

/** Rounds that the history of the table's page lists at most. */
const LISTED = 30;
/** Milliseconds without a round after which a session is over. */
const REST = 6 * 3_600_000;
/** What the tabs of a browser tell each other: a round was settled. */
const KEY = "croupier.settled";

class OwnRoundsState {
  /** Rounds that are over, the newest first. */
  rounds: OwnRound[] = [];
  private last: SessionSums | undefined;
  private isBusy = false;
  private isDue = false;

  /** The sums of the session that runs; undefined before its first round is over. */
  get running(): SessionSums | undefined {
    return this.last && Date.now() - Date.parse(this.last.until) < REST ? this.last : undefined;
  }

  /** Forget the rounds, because another person uses the page. */
  clear(): void {
    [this.rounds, this.last] = [[], undefined];
  }

  /** Read the rounds again. */
  async refresh(): Promise<void> {
    this.isDue = this.isBusy;
    if (this.isBusy || !session.may("play")) return;
    this.isBusy = true;
    const name = session.me?.name;
    const found = await requests.get<OwnRounds>(`/api/play/rounds?limit=${LISTED}`).catch(() => undefined);
    this.isBusy = false;
    if (this.isDue) return this.refresh();
    if (!found || name !== session.me?.name) return;
    this.rounds = found.rounds.filter(({ in_play }) => !in_play);
    [this.last] = found.sessions;
    changed();
  }

  /** Read the rounds again after one was settled, here and in every other tab. */
  settled(): void {
    localStorage.setItem(KEY, String(Date.now()));
    void this.refresh();
  }

  /** Follow the other tabs, and what happened on other devices while this page was hidden. */
  follow(): () => void {
    const look = (event: Event): void => {
      if (event instanceof StorageEvent ? event.key === KEY : !document.hidden) void this.refresh();
    };
    window.addEventListener("storage", look);
    document.addEventListener("visibilitychange", look);
    void this.refresh();
    return () => {
      window.removeEventListener("storage", look);
      document.removeEventListener("visibilitychange", look);
    };
  }
}

export const ownRounds = new OwnRoundsState();
