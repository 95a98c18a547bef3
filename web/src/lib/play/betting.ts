/** Chips of one player at one table: placed, taken back, doubled, and placed again as in the last round. */

import type { BetKind, Terms, Waiting } from "../../api/types";
import { cents, plain } from "../money";
import { perform } from "../state/live";
import { lobby } from "../state/lobby";
import { requests } from "../state/requests";
import { session } from "../state/session";
import { tables } from "../state/tables";
import { refuse, toast } from "../state/toasts";
import { list, t } from "../text/language";
import { betLimits } from "./bet-limits";
import { type Bets, ownBets, ownBoxes, ownStakes, placeableKinds } from "./own-bets";
import type { LiveView } from "./table-view";

/** The chips that a player can choose, in cents. */
export const TRAY = [500, 1000, 2500, 10000, 50000];
/** The order in which free boxes are offered: from the middle of the table outwards. */
const BOX_ORDER = [3, 4, 2, 5, 6, 1, 7];
/** Milliseconds to wait for the view that shows the bets after their answers. */
const VIEW_TIMEOUT = 2000;

/** A change of a player's bets: what lay before it, and what lies after it. */
interface Change {
  before: Bets;
  after: Bets;
}

/** Changes of one player's bets in one round, as the tabs of a browser share them. */
interface Changes {
  player: string;
  round: number;
  made: Change[];
}

/** Send one step for a spot: cents to place, or zero to take the bet off; false where it is refused. */
export type Send = (box: number, bet: string, more: number) => Promise<boolean>;

export class Betting {
  /** The chosen chip, in cents. */
  chip = 2500;
  /** The chosen box; zero where none is free. */
  active = 0;
  isBusy = false;
  private queue: Promise<void> = Promise.resolve();
  private closedRound = 0;
  private waiting = { round: 0, players: 0 };

  constructor(
    private readonly table: string,
    private readonly changed: () => void,
  ) {}

  private get view(): LiveView | undefined {
    return tables.views.get(this.table);
  }

  private get terms(): Terms | undefined {
    return lobby.terms.get(this.table);
  }

  private get lastKey(): string {
    return `croupier.bets.${this.table}`;
  }

  private get changesKey(): string {
    return `croupier.changes.${this.table}`;
  }

  /** The changes of this round, made in any tab. */
  private get changes(): Change[] {
    const kept = JSON.parse(localStorage.getItem(this.changesKey) ?? "null") as Changes | null;
    return kept?.player === session.me?.name && kept?.round === this.view?.round ? (kept?.made ?? []) : [];
  }

  private keepChanges(round: number, made: Change[]): void {
    const kept: Changes = { player: session.me?.name ?? "", round, made };
    localStorage.setItem(this.changesKey, JSON.stringify(kept));
  }

  /** Whether the last change still lies on the table; the bets of another device are not undone from here. */
  get canUndo(): boolean {
    const last = this.changes.at(-1);
    return last !== undefined && this.view?.stage === "betting" && isSame(ownBets(this.view), last.after);
  }

  /** The bets of the last round that this player has played here. */
  get last(): Bets | null {
    return JSON.parse(sessionStorage.getItem(this.lastKey) ?? "null") as Bets | null;
  }

  chooseBox(box: number): void {
    this.active = box;
    this.changed();
  }

  chooseChip(value: number): void {
    this.chip = value;
    this.changed();
  }

  /** Move to another box where another player has taken the chosen one, or the rules take no bet there any more. */
  followBoxes(view: LiveView): void {
    const stakes = view.boxes[this.active - 1]?.stakes;
    const isTaken = view.stage === "betting" && stakes?.some((stake) => stake.player !== session.me?.name);
    const isLeft = ownBoxes(view).length > 0 && this.isClosed(view, this.active);
    if (!this.active || isTaken || isLeft) this.active = this.firstBox(view);
  }

  /** Whether the server offers this player no bet at a box where they have none. */
  isClosed(view: LiveView, box: number): boolean {
    const at = view.boxes[box - 1];
    if (view.stage !== "betting" || !view.bets || !at || ownStakes(at).length) return false;
    return !view.bets.some((offer) => offer.box === box);
  }

  private firstBox(view: LiveView): number {
    const own = view.boxes.find((box) => ownStakes(box).length);
    const free = BOX_ORDER.find((n) => view.boxes[n - 1] && !view.boxes[n - 1]!.stakes.length);
    return own?.box ?? free ?? 0;
  }

  /** Keep the bets of a round that has begun. */
  followRounds(view: LiveView): void {
    if (view.stage === "playing" && this.closedRound !== view.round) {
      this.closedRound = view.round;
      const bets = ownBets(view);
      if (Object.keys(bets).length) sessionStorage.setItem(this.lastKey, JSON.stringify(bets));
    }
  }

  /** Players for whom the deal of a round still waits after this one has said "deal now"; zero before that. */
  waitingFor(round: number): number {
    return this.waiting.round === round ? this.waiting.players : 0;
  }

  /** Say that no more time is needed; bets that are on their way are placed first. */
  dealNow = (): void =>
    this.enqueue(async () => {
      const round = this.view?.round ?? 0;
      try {
        const path = `/api/tables/${encodeURIComponent(this.table)}/ready`;
        const { players } = await requests.send<Waiting>("POST", path);
        this.waiting = { round, players };
      } catch (error) {
        refuse(error);
      }
      this.changed();
    });

  place(box: number, bet: BetKind): void {
    this.enqueue(() => this.add(box, bet));
  }

  undo = (): void =>
    this.enqueue(async () => {
      const made = this.changes;
      const last = made.at(-1);
      if (!last || !this.canUndo) return;
      if (this.view) this.keepChanges(this.view.round, made.slice(0, -1));
      await this.change(last.before, false);
    });

  clear = (): void => this.enqueue(() => this.change({}));

  rebet = (): void =>
    this.enqueue(async () => {
      const last = this.last;
      if (!last) return;
      const boxes = Object.keys(last).map(Number);
      const taken = boxes.filter((box) => this.isTaken(box));
      const free = Object.fromEntries(Object.entries(last).filter(([box]) => !taken.includes(Number(box))));
      await this.change(free, true, true);
      // Another player may have been faster than this page.
      const lost = boxes.filter((box) => this.isTaken(box));
      if (lost.length) toast(takenText(lost, Object.keys(this.view ? ownBets(this.view) : {}).map(Number)), "refusal");
    });

  private isTaken(box: number): boolean {
    return this.view?.boxes[box - 1]?.stakes.some(({ player }) => player !== session.me?.name) ?? false;
  }

  double = (): void =>
    this.enqueue(async () => {
      const [view, terms] = [this.view, this.terms];
      if (!view || !terms) return;
      const target = ownBets(view);
      for (const [box, bets] of Object.entries(target))
        for (const { bet, kind } of placeableKinds(terms)) {
          const most = cents(betLimits(terms, Number(box), bet)?.[1] ?? "0");
          if (kind !== "jackpot" && bets[bet]) bets[bet] = Math.min(bets[bet] * 2, most);
        }
      await this.change(target);
    });

  /** Run taps and keys one after the other where they come faster than the answers, so that none is lost. */
  private enqueue(act: () => Promise<void>): void {
    this.queue = this.queue.then(act, act);
  }

  private async add(box: number, { bet, kind }: BetKind): Promise<void> {
    const [view, terms] = [this.view, this.terms];
    if (!view || !terms) return;
    const target = ownBets(view);
    target[box] ??= {};
    const now = target[box]![bet] ?? 0;
    if (kind === "jackpot") {
      const unit = cents(terms.jackpot_bet ?? "0");
      target[box]![bet] = now >= unit * terms.jackpot_multiples ? 0 : now + unit;
    } else {
      target[box]![bet] = now + this.chip;
    }
    await this.change(target);
  }

  /** Change the bets to the target, with as few commands as that takes. A refusal ends it; with `goesOn`, at its box
   *  alone.
   */
  private async change(target: Bets, canUndo = true, goesOn = false): Promise<void> {
    const [view, terms] = [this.view, this.terms];
    if (!view || !terms || view.stage !== "betting") return;
    this.isBusy = true;
    this.changed();
    const before = ownBets(view);
    const after = structuredClone(before);
    const kinds = placeableKinds(terms).map(({ bet }) => bet);
    const send: Send = async (box, bet, more) => {
      const step = more ? { do: "bet", box, bet, amount: plain(more) } : { do: "withdraw", box, bet };
      if (!(await perform(this.table, step))) return false;
      after[box] ??= {};
      after[box]![bet] = more ? (after[box]![bet] ?? 0) + more : 0;
      return true;
    };
    try {
      const boxes = new Set([...Object.keys(before), ...Object.keys(target)].map(Number));
      for (const box of boxes) if (!(await changeBox(box, before[box], target[box], kinds, send)) && !goesOn) return;
      await this.waitForView(after);
    } finally {
      this.isBusy = false;
      if (canUndo && !isSame(before, after)) this.keepChanges(view.round, [...this.changes, { before, after }]);
      this.changed();
    }
  }

  /** Wait for the view that shows the target: an answer may arrive before it, and the next tap counts from the view. */
  private async waitForView(target: Bets): Promise<void> {
    const until = Date.now() + VIEW_TIMEOUT;
    while (this.view?.stage === "betting" && !isSame(ownBets(this.view), target) && Date.now() < until)
      await new Promise((done) => window.setTimeout(done, 15));
  }
}

/** Which boxes could not be bet again because another player has them, and which were. */
function takenText(taken: number[], again: number[]): string {
  const named = (boxes: number[]): string => list(boxes.map((box) => t("Box {box}", { box })));
  const boxes = named(taken);
  return again.length
    ? t("{boxes}: taken by another player. Bet again: {others}.", { boxes, others: named(again) })
    : t("{boxes}: taken by another player. Nothing was bet again.", { boxes });
}

function isSame(some: Bets, others: Bets): boolean {
  const normal = (bets: Bets): string =>
    JSON.stringify(
      Object.entries(bets)
        .map(([box, here]): [string, unknown[]] => [
          box,
          Object.entries(here)
            .filter(([, amount]) => amount)
            .sort(),
        ])
        .filter(([, here]) => here.length),
    );
  return normal(some) === normal(others);
}

/** Change one box; an Ante is taken off last and placed first. */
export async function changeBox(
  box: number,
  before: Record<string, number> = {},
  target: Record<string, number> = {},
  kinds: string[],
  send: Send,
): Promise<boolean> {
  const now = { ...before };
  const anteFalls = (target.ante ?? 0) < (now.ante ?? 0);
  for (const bet of kinds) {
    const falls = (target[bet] ?? 0) < (now[bet] ?? 0);
    if (!(now[bet] && (falls || anteFalls))) continue;
    if (!(await send(box, bet, 0))) return false;
    now[bet] = 0;
  }
  for (const bet of [...kinds].reverse()) {
    const more = (target[bet] ?? 0) - (now[bet] ?? 0);
    if (more > 0 && !(await send(box, bet, more))) return false;
  }
  return true;
}
