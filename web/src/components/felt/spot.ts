/** A spot of the layout: its print, the chips on it, and the control that a person may use there. */

import { html, nothing, type TemplateResult } from "lit";

import type { BetKind, Line } from "../../api/types";
import { cents, short, show } from "../../lib/money";
import { direction, mispaid, totalNet } from "../../lib/play/results";
import { label, title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { stack } from "../table/chips";

/** The lamp of a jackpot spot; other spots have none. */
export type Lamp = "off" | "invited" | "placed" | "accepted";

/** What a page adds to a spot of a box that its person uses. */
export interface SpotControl {
  /** What a tap does; without it the spot is not a button. */
  act?: () => void;
  isDisabled?: boolean;
  /** Printed on the empty spot: limits or price. */
  hint?: string;
  lamp?: Lamp;
  /** A fold has lost the bet: its chips go to the tray. */
  isLost?: boolean;
  /** What a tap does, for a screen reader. */
  says?: string;
}

export interface SpotState {
  bet: BetKind;
  /** Cents on the spot. */
  staked: number;
  /** What has become of the bets of this spot, and of the payouts that have no spot. */
  lines: Line[];
  control: SpotControl | undefined;
  /** Diameter, and centre from the middle of the block, in pixels. */
  size: number;
  x: number;
  y: number;
  /** The way to the dealer's tray, in pixels. */
  tray: [number, number];
}

const at = ({ size, x, y, tray: [dx, dy] }: SpotState): string =>
  `--d:${size.toFixed(1)}px;--x:${x.toFixed(1)}px;--y:${y.toFixed(1)}px;` +
  `--tray-x:${dx.toFixed(0)}px;--tray-y:${dy.toFixed(0)}px`;

/** Chips before and after the settlement: lost ones go to the tray, winnings come from it and lie beside the bet. */
function chips({ bet, staked, lines, control }: SpotState): TemplateResult | typeof nothing {
  if (!staked) return nothing;
  const won = Math.max(
    lines.reduce((sum, line) => sum + cents(line.won) + mispaid(line), 0),
    0,
  );
  const own = lines.filter((line) => line.bet === bet.bet);
  const isLost = control?.isLost || (own.length > 0 && own.every(({ outcome }) => outcome === "lose"));
  return html`<span class="chips ${isLost ? "swept" : won ? "kept" : ""}">${stack(staked)}</span>${
    won ? html`<span class="chips paid">${stack(won)}</span>` : nothing
  }`;
}

/** What a settled spot says: the money won or lost, or that the bet goes back; null before the settlement. */
function resultOf({ lines }: SpotState, amount: (value: number) => string): TemplateResult | null {
  if (!lines.length) return null;
  const result = totalNet(lines);
  const back = lines.reduce((sum, line) => sum + cents(line.returned), 0);
  const isPush = lines.some(({ outcome }) => outcome === "stand_off");
  const words =
    result || !back
      ? `${result > 0 ? "+" : ""}${amount(result)}`
      : isPush
        ? t("Push {amount}", { amount: amount(back) })
        : t("Back {amount}", { amount: amount(back) });
  return figure(`net ${direction(result)}`, words);
}

/** The print of a spot: a long word has small letters, so that it is never broken. */
function name({ bet }: BetKind): TemplateResult {
  const words = title(bet);
  const long = Math.max(...words.split(" ").map(({ length }) => length));
  return html`<span class="label" style="--long:${long}">${words}</span>`;
}

/** A figure on a spot: the longer it is, the smaller its letters, so that it never reaches the next spot. */
const figure = (kind: string, text: string): TemplateResult =>
  html`<span class=${kind} style="--letters:${text.length}">${text}</span>`;

/** A spot of a box that nobody uses from this page. */
export function printedSpot(state: SpotState): TemplateResult {
  const { bet, staked } = state;
  const result = resultOf(state, short);
  return html`<span class="mark ${bet.kind} ${staked ? "laid" : ""}" style=${at(state)} data-mark=${bet.bet}>
    ${name(bet)}${chips(state)}
    ${staked && !result ? figure("amount", short(staked)) : nothing}
    ${result ?? nothing}</span>`;
}

export function betSpot(state: SpotState, isVoid: boolean): TemplateResult {
  const { bet, staked, lines } = state;
  const control = state.control ?? {};
  const { lamp } = control;
  const result = !isVoid || totalNet(lines) ? resultOf(state, show) : null;
  const body = html`
    ${lamp ? html`<span class="lamp ${lamp}" data-lamp=${lamp} aria-hidden="true"></span>` : nothing}
    ${name(bet)}
    ${
      staked
        ? html`${chips(state)}${result === null && !control.isLost ? figure("amount", show(staked)) : nothing}`
        : html`<span class="hint">${control.hint ?? ""}</span>`
    }
    ${result ?? nothing}`;
  const classes = `spot ${bet.kind} ${staked ? "laid" : ""}`;
  if (!control.act)
    return html`<div class=${classes} style=${at(state)} data-bet=${bet.bet}>${body}
      ${
        lamp
          ? html`<span class="sr">${lamp === "off" ? "" : t("Jackpot bet {lamp}", { lamp: label(lamp) })}</span>`
          : nothing
      }</div>`;
  return html`<button type="button" class=${classes} style=${at(state)} data-bet=${bet.bet}
    ?disabled=${control.isDisabled} @click=${control.act}>${body}
    <span class="sr">${lamp && lamp !== "off" ? `, ${label(lamp)}` : ""}: ${control.says ?? ""}</span></button>`;
}
