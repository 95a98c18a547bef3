import type { nothing, TemplateResult } from "lit";

import type { BetKind, BoxView, Terms } from "../../api/types";
import type { SpotControl } from "./spot";

/** What of a table's terms its felt is drawn from; the terms of any rulebook will do. */
export type FeltTerms = Pick<
  Terms,
  | "game"
  | "operator"
  | "title"
  | "bets"
  | "boxes"
  | "box_cards"
  | "dealer_cards"
  | "community_cards"
  | "jackpot_bet"
  | "dealing"
>;

/** What a page lets its person do on the felt, and what it knows of the boxes. Everything is optional: a felt without
 *  controls is a picture (replay, pit, display).
 */
export interface FeltControls {
  /** Boxes whose spots are used from this page; on a small felt they are drawn large. */
  boxes?: readonly number[];
  /** The chosen box. */
  active?: number;
  /** Whose chips lie on those boxes; every player's where it is empty. */
  player?: string;
  /** The control of a spot of such a box. */
  spot?: (box: BoxView, bet: BetKind) => SpotControl;
  /** Whether a box may be chosen. */
  mayChoose?: (box: BoxView) => boolean;
  /** Whether the rules take no bet of this person at a free box: it does not look as if it could be taken. */
  isClosed?: (box: BoxView) => boolean;
  /** A box is chosen; with the bet on whose printed spot the tap fell, if on any. */
  choose?: (box: number, bet?: BetKind) => void;
  /** Whose a box is, in a word: "you", "free", "Box 4". */
  owner?: (box: BoxView) => string;
  /** The name of a hand where the page knows better, and a line under it. */
  handName?: (box: BoxView) => string;
  note?: (box: BoxView) => TemplateResult | typeof nothing;
  /** The label of the cards of a box. */
  handLabel?: (box: number) => string;
}
