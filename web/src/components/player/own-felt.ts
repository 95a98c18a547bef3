/** The felt as its player uses it: which boxes, what a tap on each spot does, and what is said at each box. */

import { html, nothing, type TemplateResult } from "lit";

import type { BetKind, BoxView } from "../../api/types";
import { cents, short, show, totalOf } from "../../lib/money";
import { ownBoxes, ownLines, ownStakes } from "../../lib/play/own-bets";
import { live } from "../../lib/state/live";
import { payTablesOf } from "../../lib/state/pay-tables";
import { session } from "../../lib/state/session";
import { holeCardsName } from "../../lib/text/card-names";
import { title } from "../../lib/text/labels";
import type { FeltControls } from "../felt/controls";
import "../felt/felt-table";

import type { Lamp, SpotControl } from "../felt/spot";
import type { PlayerTable } from "./player-table";

export function ownFelt(table: PlayerTable): TemplateResult {
  const { name, view, terms, plays } = table;
  return html`<felt-table .terms=${terms} .view=${view} .print=${payTablesOf(name)}
    .controls=${plays ? controls(table) : { owner: (box: BoxView) => ownerOf(table, box) }}></felt-table>`;
}

function controls(table: PlayerTable): FeltControls {
  const { view, betting } = table;
  return {
    boxes: shownBoxes(table),
    active: betting.active,
    player: session.me?.name ?? "",
    spot: (box, bet) => spotControl(table, box, bet),
    mayChoose: (box) => isFree(table, box) || ownStakes(box).length > 0,
    choose: (box, bet) => {
      betting.chooseBox(box);
      const isOpen = shownBoxes(table).includes(box) && bet && !isBarred(table, view.boxes[box - 1]!, bet);
      if (isOpen && live.online) betting.place(box, bet);
    },
    owner: (box) => ownerOf(table, box),
    handName: (box) => handName(table, box),
    note: (box) => note(table, box),
    handLabel: (box) => `Your cards at box ${box}`,
  };
}

/** The boxes of this player, and the chosen one while bets are open. */
export function shownBoxes({ view, terms, betting }: PlayerTable): number[] {
  const own = ownBoxes(view).map(({ box }) => box);
  const isFurther = view.stage === "betting" && view.boxes[betting.active - 1] && !own.includes(betting.active);
  const shown = isFurther && (terms.several_boxes || !own.length) ? [...own, betting.active] : own;
  return shown.sort((a, b) => b - a);
}

function isFree({ view }: PlayerTable, box: BoxView): boolean {
  return view.stage === "betting" && !box.stakes.length;
}

/** Players know the others by their box alone. */
function ownerOf(table: PlayerTable, box: BoxView): string {
  const lines = table.view.lines.filter((line) => line.box === box.box);
  const player = box.stakes[0]?.player ?? lines[0]?.player ?? "";
  if (player === session.me?.name) return "you";
  return player ? "taken" : isFree(table, box) ? "free" : "";
}

function handName({ view }: PlayerTable, box: BoxView): string {
  const isPlaying = view.stage === "playing";
  const isBlind = isPlaying && box.cards.includes("??") && !box.may_examine && ownBoxes(view).length > 1;
  const folded = box.stands === "folded" ? "Folded. " : "";
  return `${folded}${isBlind ? "Played blind" : box.hand || holeCardsName(box.cards)}`;
}

function note(table: PlayerTable, box: BoxView): TemplateResult | typeof nothing {
  if (table.view.stage !== "playing") return nothing;
  if (box.stands === "invalid")
    return html`<p class="note">Out of this round: ${show(totalOf(ownStakes(box)))} comes back when it is settled.</p>`;
  const kept = keptBets(table, box);
  if (box.stands !== "folded" || !kept.length) return nothing;
  return html`<p class="note">${kept.join(" and ")} ${kept.length > 1 ? "bets stay" : "bet stays"} alive.</p>`;
}

/** The bets of a box that a fold does not lose. */
export function keptBets({ terms }: PlayerTable, box: BoxView): string[] {
  return ownStakes(box)
    .filter(({ bet }) => terms.fold.keeps.includes(bet))
    .map(({ bet }) => title(bet));
}

function spotControl(table: PlayerTable, box: BoxView, bet: BetKind): SpotControl {
  const { view, terms, betting } = table;
  const staked = totalOf(ownStakes(box).filter((stake) => stake.bet === bet.bet));
  const isOpen = view.stage === "betting" && bet.kind !== "decision";
  const barred = isBarred(table, box, bet);
  const settled = ownLines(view).some((line) => line.box === box.box && line.bet === bet.bet);
  const lamp = bet.kind === "jackpot" ? lampOf(barred, staked > 0 || settled, isOpen) : undefined;
  const limit = terms.limits[bet.bet];
  const hint = limit ? `${short(cents(limit[0]))}–${short(cents(limit[1]))}` : costText(table, bet);
  const shown: SpotControl = { hint: barred ? "not taken" : hint, ...(lamp ? { lamp } : {}) };
  if (!isOpen || barred) return shown;
  return {
    ...shown,
    isDisabled: !live.online,
    says: tapText(table, bet, staked),
    act: () => {
      betting.active = box.box;
      betting.place(box.box, bet);
    },
  };
}

/** Whether a jackpot bet is not taken: beside an Ante, the server offers it wherever it takes one. */
function isBarred({ view }: PlayerTable, box: BoxView, { bet, kind }: BetKind): boolean {
  if (kind !== "jackpot") return false;
  if (view.notice) return true;
  const own = ownStakes(box);
  const isEmpty = view.stage === "betting" && !own.some((stake) => stake.bet === bet);
  const isOffered = view.bets?.some((offer) => offer.box === box.box && offer.bet === bet) ?? false;
  return isEmpty && own.some((stake) => stake.bet === "ante") && !isOffered;
}

function lampOf(barred: boolean, isLaid: boolean, isOpen: boolean): Lamp {
  if (barred) return "off";
  if (isLaid) return isOpen ? "placed" : "accepted";
  return isOpen ? "invited" : "off";
}

function costText({ terms }: PlayerTable, { kind, times_ante }: BetKind): string {
  if (kind === "jackpot") return short(cents(terms.jackpot_bet ?? "0"));
  return kind === "decision" ? `${times_ante}× Ante` : "";
}

/** What a tap on the spot does. */
function tapText(table: PlayerTable, bet: BetKind, staked: number): string {
  const { terms, betting } = table;
  if (bet.kind !== "jackpot") return `put ${short(betting.chip)}${staked ? " more" : ""}`;
  const most = cents(terms.jackpot_bet ?? "0") * terms.jackpot_multiples;
  return staked >= most ? "take it back" : `put ${costText(table, bet)}`;
}
