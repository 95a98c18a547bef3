/** A spot of the layout: what lies on it, and the button that places a chip there. */

import { html, nothing, type TemplateResult } from "lit";

import type { BetKind, BoxView, Line } from "../../api/types";
import { cents, short, show, signed, totalOf } from "../../lib/money";
import { ownLines, ownStakes } from "../../lib/play/own-bets";
import { direction, net } from "../../lib/play/results";
import { live } from "../../lib/state/live";
import { title } from "../../lib/text/labels";
import { stack } from "../table/chips";
import type { PlayerTable } from "./player-table";

/** The lamp of a jackpot spot; other spots have none. */
type Lamp = "off" | "invited" | "placed" | "accepted" | "";

export function betSpot(table: PlayerTable, box: BoxView, bet: BetKind): TemplateResult {
  const { view, terms, betting } = table;
  const line = ownLines(view).find((settled) => settled.box === box.box && settled.bet === bet.bet);
  const staked = stakedOn(table, box, bet, line);
  const isOpen = view.stage === "betting" && bet.kind !== "decision";
  const isBarred = bet.kind === "jackpot" && isJackpotBarred(table, box, bet, isOpen && !staked);
  const lamp = bet.kind === "jackpot" ? lampOf(isBarred, staked, isOpen) : "";
  const limit = terms.limits[bet.bet];
  const hint = limit ? `${short(cents(limit[0]))}–${short(cents(limit[1]))}` : costText(table, bet);
  const result = line && (view.stage !== "void" || net(line)) ? net(line) : null;
  const body = html`
    ${lamp ? html`<span class="lamp ${lamp}" data-lamp=${lamp} aria-hidden="true"></span>` : nothing}
    <span class="label">${title(bet.bet)}</span>
    ${
      staked
        ? html`${stack(staked)}<span class="amount">${show(staked)}</span>`
        : html`<span class="hint">${isBarred ? "not taken" : hint}</span>`
    }
    ${result === null ? nothing : html`<span class="net ${direction(result)}">${signed(result)}</span>`}`;
  const classes = `spot ${bet.kind} ${staked ? "laid" : ""}`;
  if (!isOpen || isBarred)
    return html`<div class=${classes} data-bet=${bet.bet}>${body}
      ${lamp ? html`<span class="sr">${lamp === "off" ? "" : `Jackpot bet ${lamp}`}</span>` : nothing}</div>`;
  const place = (): void => {
    betting.active = box.box;
    betting.place(box.box, bet);
  };
  return html`<button type="button" class=${classes} data-bet=${bet.bet} ?disabled=${!live.online}
    @click=${place}>${body}
    <span class="sr">${lamp && lamp !== "off" ? `, ${lamp}` : ""}: ${tapText(table, bet, staked)}</span></button>`;
}

/** Cents of this player on the spot; the bets of a void round went back. */
function stakedOn({ view }: PlayerTable, box: BoxView, { bet }: BetKind, line: Line | undefined): number {
  if (view.stage === "void") return 0;
  return line ? cents(line.staked) : totalOf(ownStakes(box).filter((stake) => stake.bet === bet));
}

/** Whether the jackpot bet is not taken: beside an Ante, the server offers it wherever it takes one. */
function isJackpotBarred({ view }: PlayerTable, box: BoxView, { bet }: BetKind, isEmpty: boolean): boolean {
  if (view.notice) return true;
  const hasAnte = ownStakes(box).some((stake) => stake.bet === "ante");
  const isOffered = view.bets?.some((offer) => offer.box === box.box && offer.bet === bet) ?? false;
  return isEmpty && hasAnte && !isOffered;
}

function lampOf(isBarred: boolean, staked: number, isOpen: boolean): Lamp {
  if (isBarred) return "off";
  if (staked) return isOpen ? "placed" : "accepted";
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
