/** The felt as its player uses it: which boxes, what a tap on each spot does, and what is said at each box. */

import { html, nothing, type TemplateResult } from "lit";

import type { BetKind, BoxView } from "../../api/types";
import { cents, short, show, totalOf } from "../../lib/money";
import { betLimits } from "../../lib/play/bet-limits";
import { ownBoxes, ownLines, ownStakes } from "../../lib/play/own-bets";
import { shortfall } from "../../lib/play/shortfall";
import type { LiveView } from "../../lib/play/table-view";
import { live } from "../../lib/state/live";
import { payTablesOf } from "../../lib/state/pay-tables";
import { session } from "../../lib/state/session";
import { toast } from "../../lib/state/toasts";
import { holeCardsName } from "../../lib/text/card-names";
import { title } from "../../lib/text/labels";
import { list, plural, t } from "../../lib/text/language";
import type { FeltControls } from "../felt/controls";
import "../felt/felt-table";

import { sentence } from "../../lib/text/sentences";
import type { Lamp, SpotControl } from "../felt/spot";
import { lastRound } from "./own-result";
import type { PlayerTable } from "./player-table";

/** The felt; `last` is the player's last round, whose cards lie there until they bet again or the next deal comes. */
export function ownFelt(table: PlayerTable, last: LiveView | undefined): TemplateResult {
  const { name, view, terms, plays } = table;
  const kept = lastRound(table) && last?.round === view.round - 1 ? last : undefined;
  const shown = kept ? lookingBack(view, kept) : view;
  return html`<felt-table class=${kept ? "looks-back" : ""} .terms=${terms} .view=${shown} .print=${payTablesOf(name)}
    .controls=${plays ? controls(table) : { owner: (box: BoxView) => ownerOf(table, box) }}></felt-table>`;
}

/** A view in which nothing is dealt yet, with the cards of the round before it on the free boxes. */
function lookingBack(view: LiveView, { round, dealer, community, boxes }: LiveView): LiveView {
  const kept = (box: BoxView, { cards, hand, best }: BoxView): BoxView => ({ ...box, cards, hand, best });
  return {
    ...view,
    round,
    dealer,
    community,
    boxes: view.boxes.map((box, i) => (box.stakes.length || !boxes[i] ? box : kept(box, boxes[i]))),
  };
}

function controls(table: PlayerTable): FeltControls {
  const { view, betting } = table;
  return {
    boxes: drawnBoxes(table),
    active: chosenBox(table),
    player: session.me?.name ?? "",
    spot: (box, bet) => spotControl(table, box, bet),
    isClosed: (box) => isFree(table, box) && betting.isClosed(view, box.box),
    mayChoose: (box) => isFree(table, box) || ownStakes(box).length > 0,
    choose: (box, bet) => {
      const why = whyClosed(table, box);
      if (why) return toast(why, "refusal");
      betting.chooseBox(box);
      const isOpen = shownBoxes(table).includes(box) && bet && !isBarred(table, view.boxes[box - 1]!, bet);
      if (isOpen && live.online) betting.place(box, bet);
    },
    owner: (box) => ownerOf(table, box),
    handName: (box) => handName(table, box),
    note: (box) => note(table, box),
    handLabel: (box) => t("Your cards at box {box}", { box }),
  };
}

/** The boxes of this player, and the chosen one while bets are open. */
export function shownBoxes({ view, terms, betting }: PlayerTable): number[] {
  const own = ownBoxes(view).map(({ box }) => box);
  const isFurther = view.stage === "betting" && view.boxes[betting.active - 1] && !own.includes(betting.active);
  const shown = isFurther && (terms.several_boxes || !own.length) ? [...own, betting.active] : own;
  return shown.sort((a, b) => b - a);
}

/** The chosen box; in a round that is dealt, none but one of the player's own is marked. */
function chosenBox({ view, betting }: PlayerTable): number {
  const own = ownBoxes(view).map(({ box }) => box);
  return view.stage === "betting" || !own.length || own.includes(betting.active) ? betting.active : own[0]!;
}

/** The boxes that are drawn large: also the chosen one while others play, so that the felt keeps its shape. */
function drawnBoxes(table: PlayerTable): number[] {
  const shown = shownBoxes(table);
  const chosen = table.view.boxes[table.betting.active - 1];
  return shown.length || !chosen || chosen.stakes.length || chosen.cards.length ? shown : [chosen.box];
}

/** Why the rules take no bet of this player at a box that is free; empty where they do. */
function whyClosed({ view, terms, betting }: PlayerTable, box: number): string {
  if (!betting.isClosed(view, box)) return "";
  const [own] = ownBoxes(view);
  return own && !terms.several_boxes
    ? t("You play box {own}. The rules of this game allow one box for each player.", { own: own.box })
    : t("The table takes no bet of yours at box {box} now.", { box });
}

function isFree({ view }: PlayerTable, box: BoxView): boolean {
  return view.stage === "betting" && !box.stakes.length;
}

/** Players know the others by their box alone. */
function ownerOf(table: PlayerTable, box: BoxView): string {
  const lines = table.view.lines.filter((line) => line.box === box.box);
  const player = box.stakes[0]?.player ?? lines[0]?.player ?? "";
  if (player === session.me?.name) return t("you");
  if (player) return t("taken");
  return isFree(table, box) && !table.betting.isClosed(table.view, box.box) ? t("free") : "";
}

function handName({ view, terms }: PlayerTable, box: BoxView): string {
  const isPlaying = view.stage === "playing";
  const isBlind =
    isPlaying && !terms.physical && box.cards.includes("??") && !box.may_examine && ownBoxes(view).length > 1;
  if (isBlind && box.stands === "folded") return t("Folded");
  const hand = isBlind ? t("Played blind") : sentence(box.hand) || holeCardsName(box.cards);
  return box.stands === "folded" ? t("Folded. {hand}", { hand }) : hand;
}

function note(table: PlayerTable, box: BoxView): TemplateResult | typeof nothing {
  if (table.view.stage === "betting") return shortfallNote(table, box);
  if (table.view.stage !== "playing") return nothing;
  if (box.stands === "invalid") return html`<p class="note">${outOfRound(totalOf(ownStakes(box)))}</p>`;
  if (box.declined && box.stands === "live") return html`<p class="note">${t("Declined to show")}</p>`;
  const kept = keptBets(table, box);
  if (box.stands !== "folded" || !kept.length) return nothing;
  return html`<p class="note">${plural(kept.length, "{bets} bet stays alive.", "{bets} bets stay alive.", {
    bets: list(kept),
  })}</p>`;
}

/** Beside the chips of a box: what is left, where playing on may take more. */
function shortfallNote(table: PlayerTable, box: BoxView): TemplateResult | typeof nothing {
  const gap = ownStakes(box).length || box.box === table.betting.active ? shortfall(table) : undefined;
  return gap
    ? html`<p class="note careful">${t("{left} left, up to {needed} needed", {
        left: show(gap.left),
        needed: show(gap.needed),
      })}</p>`
    : nothing;
}

const outOfRound = (amount: number): string =>
  t("Out of this round: {amount} comes back when it is settled.", { amount: show(amount) });

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
  const settled = ownLines(view).find((line) => line.box === box.box && line.bet === bet.bet);
  const isLaid = settled ? settled.outcome !== "lose" : staked > 0;
  const lamp = bet.kind === "jackpot" ? lampOf(barred, isLaid, isOpen) : undefined;
  const limit = betLimits(terms, box.box, bet.bet);
  const hint = limit ? `${short(cents(limit[0]))}–${short(cents(limit[1]))}` : costText(table, bet);
  const isLost = view.stage === "playing" && box.stands === "folded" && terms.fold.loses.includes(bet.bet);
  const shown: SpotControl = { hint: barred ? t("not taken") : hint, isLost, ...(lamp ? { lamp } : {}) };
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
  return kind === "decision" ? t("{times_ante}× Ante", { times_ante }) : "";
}

/** What a tap on the spot does. */
function tapText(table: PlayerTable, bet: BetKind, staked: number): string {
  const { terms, betting } = table;
  if (bet.kind !== "jackpot")
    return staked > 0
      ? t("put {amount} more", { amount: short(betting.chip) })
      : t("put {amount}", { amount: short(betting.chip) });
  const most = cents(terms.jackpot_bet ?? "0") * terms.jackpot_multiples;
  return staked >= most ? t("take it back") : t("put {amount}", { amount: costText(table, bet) });
}
