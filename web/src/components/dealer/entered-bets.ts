/** Bets that the dealer has entered, one by one or as in the last round: each entry can be taken back. */

import type { RoundStep } from "../../api/types";
import { cents, plain, totalOf } from "../../lib/money";
import { changeBox } from "../../lib/play/betting";
import { placeableKinds } from "../../lib/play/own-bets";
import { requests } from "../../lib/state/requests";
import { refuse } from "../../lib/state/toasts";
import type { DealerTable } from "./dealer-table";

/** Chips that were placed, in cents. */
export interface Placed {
  box: number;
  player: string;
  bet: string;
  amount: number;
}

export class EnteredBets {
  /** What was entered in the round, the last entry at the end. */
  private entries: Placed[][] = [];
  private round = 0;
  /** The bets of the last round, as they lay when they were closed; null until they are read. */
  private earlier: Placed[] | null = null;

  constructor(private readonly changed: () => void) {}

  /** Begin anew with each round, and read what was bet in the one before it. */
  follow(table: DealerTable): void {
    const { round, stage } = table.view;
    if (stage !== "betting" || round === this.round) return;
    [this.round, this.entries, this.earlier] = [round, [], null];
    if (round > 1) void this.readEarlier(table);
  }

  private async readEarlier({ name, view }: DealerTable): Promise<void> {
    try {
      const path = `/api/tables/${encodeURIComponent(name)}/rounds/${view.round - 1}`;
      const { steps } = await requests.get<{ steps: RoundStep[] }>(path);
      if (view.round !== this.round) return;
      const closed = steps.find(({ event }) => event.type === "BetsClosed");
      this.earlier = (closed?.view.boxes ?? []).flatMap(({ box, stakes }) =>
        stakes.map(({ player, bet, amount }) => ({ box, player, bet, amount: cents(amount) })),
      );
      this.changed();
    } catch (error) {
      refuse(error);
    }
  }

  /** The bets of the last round that do not lie on the table yet; none at a box that another player has taken. */
  missing({ view }: DealerTable): Placed[] {
    return (this.earlier ?? []).flatMap((placed) => {
      const { stakes } = view.boxes[placed.box - 1]!;
      if (stakes.length && !stakes.some(({ player }) => player === placed.player)) return [];
      const amount = placed.amount - lying(view, placed);
      return amount > 0 ? [{ ...placed, amount }] : [];
    });
  }

  /** The last entry, where its chips still lie on the table. */
  last({ view }: DealerTable): Placed[] | undefined {
    const entry = view.round === this.round ? this.entries.at(-1) : undefined;
    return entry?.every((placed) => lying(view, placed) >= placed.amount) ? entry : undefined;
  }

  async place(table: DealerTable, placed: Placed): Promise<boolean> {
    const { amount, ...bet } = placed;
    const isPlaced = await table.perform({ do: "bet", ...bet, amount: plain(amount) });
    if (isPlaced) this.entries.push([placed]);
    this.changed();
    return isPlaced;
  }

  /** Place what is missing of the last round's bets: all boxes at once, at each one the Ante before the others. */
  async repeat(table: DealerTable): Promise<void> {
    const order = placeableKinds(table.terms).map(({ bet }) => bet);
    const missing = this.missing(table).sort((a, b) => order.indexOf(b.bet) - order.indexOf(a.bet));
    const done: Placed[] = [];
    await table.performTogether(async (send) => {
      const fill = async (box: number): Promise<void> => {
        for (const placed of missing.filter((each) => each.box === box)) {
          const { amount, ...bet } = placed;
          if (!(await send({ do: "bet", ...bet, amount: plain(amount) }))) return;
          done.push(placed);
        }
      };
      await Promise.all([...new Set(missing.map(({ box }) => box))].map(fill));
    });
    if (done.length) this.entries.push(done);
    this.changed();
  }

  /** Take the last entry back. Bets are withdrawn whole, so what lay there before is placed again. */
  async undo(table: DealerTable): Promise<void> {
    const entry = this.last(table);
    if (!entry) return;
    const kinds = placeableKinds(table.terms).map(({ bet }) => bet);
    await table.performTogether(async (send) => {
      const takeBack = async (box: number): Promise<void> => {
        const here = entry.filter((placed) => placed.box === box);
        const { player } = here[0]!;
        const before: Record<string, number> = {};
        for (const stake of table.view.boxes[box - 1]!.stakes)
          if (stake.player === player) before[stake.bet] = (before[stake.bet] ?? 0) + cents(stake.amount);
        const target = { ...before };
        for (const { bet, amount } of here) target[bet] = (target[bet] ?? 0) - amount;
        await changeBox(box, before, target, kinds, (_, bet, more) =>
          send(more ? { do: "bet", box, player, bet, amount: plain(more) } : { do: "withdraw", box, player, bet }),
        );
      };
      await Promise.all([...new Set(entry.map(({ box }) => box))].map(takeBack));
    });
    this.entries.pop();
    this.changed();
  }
}

/** What lies on the table of such a bet, in cents. */
function lying(view: DealerTable["view"], { box, player, bet }: Placed): number {
  const stakes = view.boxes[box - 1]?.stakes ?? [];
  return totalOf(stakes.filter((stake) => stake.bet === bet && stake.player === player));
}
