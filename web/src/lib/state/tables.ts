/** What this page sees of tables and links, as the live connection reports it. */

import type { LinkView, TableFact, TableMessage, TableView } from "../../api/types";
import { totalOf } from "../money";
import { type LiveView, withoutVoidStakes } from "../play/table-view";
import { lobby } from "./lobby";
import { playedRounds } from "./played-rounds";
import { session } from "./session";

/** Events that are kept for a player who was away, at most. */
const MISSED = 40;

class Tables {
  views = new Map<string, LiveView>();
  links = new Map<string, LinkView>();
  /** What happened at a table while the connection was down, once it is back. */
  missed = new Map<string, { events: TableFact[]; all: boolean }>();
  /** The seals of decks as this page saw them while bets were open, by table and round. */
  seals = new Map<string, string>();

  receiveLink(link: LinkView): void {
    this.links.set(link.link, link);
  }

  receiveMissed(table: string, events: TableFact[], all: boolean): void {
    if (events.length || !all) this.missed.set(table, { events: events.slice(-MISSED), all });
  }

  /** Take a new view of a table; `isBusy` where a command of this page waits for its answer. */
  receiveTable(received: TableMessage, isBusy: boolean): void {
    const view = withoutVoidStakes(received);
    const before = this.views.get(view.table);
    if (before && before.seq > view.seq && before.round > view.round) return;
    const sameStage = before?.stage === view.stage && before.round === view.round;
    const since = Date.now() - 1000 * view.phase.seconds;
    this.views.set(view.table, { ...view, arrived: performance.now(), since });
    lobby.receiveLimits(view);
    if (view.stage === "betting" && view.commitment) this.seals.set(`${view.table} ${view.round}`, view.commitment);
    const account = session.me?.account;
    // A player may use two screens: chips placed on the other one have left the balance here, too.
    if (before && account && !isBusy && this.ownStakes(before) !== this.ownStakes(view)) void session.refresh();
    if (view.stage === "settled" || view.stage === "void") {
      playedRounds.add(view);
      if (!sameStage && account) void session.refresh();
    }
    playedRounds.completeAwards(view);
  }

  private ownStakes(view: TableView): number {
    return totalOf(view.boxes.flatMap((box) => box.stakes).filter((stake) => stake.player === session.me?.name));
  }
}

export const tables = new Tables();
