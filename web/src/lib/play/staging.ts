/** Shows a round as it is dealt at a table: the hands, each street, the dealer's hand, then box by box. The server
 *  sends where the round stands; what lies between two of its views is shown here, in about three seconds.
 */

import type { BoxView } from "../../api/types";
import { cents, totalOf } from "../money";
import { changed } from "../state/changes";
import { session } from "../state/session";
import { settings } from "../state/settings";
import { ownLines, ownStakes } from "./own-bets";
import { isOver, type LiveView } from "./table-view";

/** What a step of the staging shows, for its sound. */
export type Moment = "deal" | "turn" | "street" | "dealer" | "name" | "box" | "pause" | "end";

interface Stage {
  view: LiveView;
  moment: Moment;
  /** Milliseconds until the next step. */
  hold: number;
}

const DEALT = 340;
const EACH_CARD = 55;
const TURN = 350;
const STREET = 600;
const DEALER = 550;
/** Milliseconds between the name of the dealer's hand and the first payment. */
const NAME = 450;
/** Milliseconds for all boxes together, and for one at most. */
const BOXES = 1000;
const BOX = 420;
/** Steps in which the balance counts up after a win, and milliseconds of each. */
const COUNTS = 12;
const COUNT = 45;

const known = (cards: string[]): number => cards.filter((code) => code !== "??").length;

/** The balance that the head of the page shows while a round's end is being shown; null for the real one. */
export const shownBalance: { cents: number | null } = { cents: null };

export class Staging {
  private target: LiveView | undefined;
  private shown: LiveView | undefined;
  private stages: Stage[] = [];
  private timer = 0;
  /** When the step that is shown has been shown long enough, on the clock of the page. */
  private until = 0;
  /** Cents of this player before the settlement: their balance and their stakes on this table. */
  private money: number | null = null;

  constructor(
    private readonly rendered: () => void,
    private readonly noticed: (moment: Moment, view: LiveView) => void,
  ) {}

  get isRunning(): boolean {
    return this.stages.length > 0;
  }

  /** The view to show now for the newest view of the server. */
  show(view: LiveView): LiveView {
    if (view === this.target) {
      if (!isOver(view) && session.balance !== null) this.money = session.balance + staked(view);
      return this.shown ?? view;
    }
    const before = this.shown;
    const left = this.isRunning ? this.until - performance.now() : 0;
    this.target = view;
    window.clearTimeout(this.timer);
    this.stages = before && wantsMotion() && before.round === view.round ? stagesBetween(before, view) : [];
    // A view that comes in the middle of a step does not cut it short.
    if (before && this.stages.length && left > 0)
      this.stages.unshift({ view: hide(before, view), moment: "pause", hold: left });
    shownBalance.cents = this.stages.length && isOver(view) && this.money !== null ? this.money - staked(view) : null;
    if (this.stages.length) this.step();
    else this.shown = view;
    return this.shown ?? view;
  }

  /** Show at once what the server has sent. */
  skip = (): void => {
    if (!this.isRunning || !this.target) return;
    window.clearTimeout(this.timer);
    this.stages = [];
    this.shown = this.target;
    shownBalance.cents = null;
    this.end(this.target);
  };

  stop(): void {
    window.clearTimeout(this.timer);
    shownBalance.cents = null;
  }

  private end(view: LiveView): void {
    this.noticed("end", view);
    this.countUp(shownBalance.cents, COUNTS);
  }

  /** Let the balance grow to the real one; what has not grown is there at once. */
  private countUp(from: number | null, steps: number): void {
    const gain = from === null || session.balance === null ? 0 : session.balance - from;
    shownBalance.cents = gain > 0 && steps > 1 ? from! + Math.round(gain / steps) : null;
    changed();
    if (shownBalance.cents === null) return;
    this.timer = window.setTimeout(() => this.countUp(shownBalance.cents, steps - 1), COUNT);
  }

  private step(): void {
    const stage = this.stages[0]!;
    this.shown = stage.view;
    if (stage.moment === "end") {
      this.stages = [];
      this.end(stage.view);
      return;
    }
    this.noticed(stage.moment, stage.view);
    this.until = performance.now() + stage.hold;
    this.timer = window.setTimeout(() => {
      this.stages.shift();
      if (this.stages.length) this.step();
      this.rendered();
    }, stage.hold);
  }
}

export function wantsMotion(): boolean {
  return settings.current.motion && !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Every step from one view of a round to a later one; none where no card has come and no bet was settled. */
function stagesBetween(before: LiveView, view: LiveView): Stage[] {
  const stages: Stage[] = [];
  let now: LiveView = hide(before, view);
  const add = (moment: Moment, hold: number, part: Partial<LiveView>): void => {
    now = { ...now, ...part };
    stages.push({ view: now, moment, hold });
  };
  const dealt = cardsOf(view).length - cardsOf(before).length;
  if (dealt > 0) add("deal", DEALT + EACH_CARD * (dealt + 2), { boxes: dealtBoxes(before, view) });
  else if (!isOver(view) && known(cardsOf(view)) > known(cardsOf(before)))
    add("turn", TURN, { boxes: dealtBoxes(before, view) });
  for (const length of streets(before.community, view.community))
    add("street", STREET, { community: view.community.slice(0, length) });
  const settles = isOver(view) && !isOver(before) && view.stage === "settled";
  if (known(view.dealer.cards) > known(before.dealer.cards)) {
    add("dealer", DEALER, { dealer: { ...view.dealer, hand: "", best: [] } });
    if (view.dealer.hand) add("name", NAME, { dealer: view.dealer });
  }
  const boxes = settles ? [...new Set(view.lines.map(({ box }) => box))].sort((a, b) => a - b) : [];
  for (const box of boxes)
    add("box", Math.min(BOX, BOXES / boxes.length), {
      boxes: now.boxes.map((shown) => (shown.box === box ? view.boxes[box - 1]! : shown)),
      lines: view.lines.filter((line) => line.box <= box),
    });
  if (!stages.length) return [];
  return [...stages, { view, moment: "end", hold: 0 }];
}

/** The newest view without what has not been shown yet. */
function hide(before: LiveView, view: LiveView): LiveView {
  return {
    ...view,
    stage: isOver(view) ? before.stage : view.stage,
    choices: [],
    awaiting: [],
    lines: before.lines,
    community: before.community,
    dealer: known(view.dealer.cards) > known(before.dealer.cards) ? before.dealer : view.dealer,
    boxes: view.boxes.map((box, i) => unsettled(before.boxes[i] ?? box, box)),
  };
}

/** A box as it lay, with the decisions that were made since. */
function unsettled(before: BoxView, box: BoxView): BoxView {
  const stakes = box.stakes.length ? box.stakes : before.stakes;
  return { ...before, stakes, stands: box.stands, choices: box.choices };
}

const cardsOf = ({ boxes }: LiveView): string[] => boxes.flatMap(({ cards }) => cards);

/** Cents that this player has staked in a round, settled or not. */
function staked(view: LiveView): number {
  return isOver(view)
    ? ownLines(view).reduce((sum, line) => sum + cents(line.staked), 0)
    : totalOf(view.boxes.flatMap(ownStakes));
}

/** The hands as they are dealt; a name that the coming cards would tell is not there yet. */
function dealtBoxes(before: LiveView, view: LiveView): BoxView[] {
  const isLater = view.community.length > before.community.length;
  return view.boxes.map((box) => (isLater ? { ...box, hand: "", best: [] } : box));
}

/** How many community cards lie after each street. */
function streets(before: string[], now: string[]): number[] {
  const lengths: number[] = [];
  for (let length = before.length; length < now.length; ) {
    length = length < 3 ? Math.min(3, now.length) : length + 1;
    lengths.push(length);
  }
  return lengths;
}
