/** A spot of the layout: its print, the chips on it, and the control that a person may use there. */

import { html, nothing, type TemplateResult } from "lit";

import type { BetKind, Line } from "../../api/types";
import { short, show, signed } from "../../lib/money";
import { direction, net } from "../../lib/play/results";
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
  /** What a tap does, for a screen reader. */
  says?: string;
}

export interface SpotState {
  bet: BetKind;
  /** Cents on the spot. */
  staked: number;
  line: Line | undefined;
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

/** Chips before and after the settlement: lost ones go to the tray, winnings come from it. */
function chips({ staked, line }: SpotState): TemplateResult | typeof nothing {
  if (!staked) return nothing;
  const won = line ? Number(line.won.replace(".", "")) : 0;
  const isLost = line?.outcome === "lose";
  return html`<span class="chips ${isLost ? "swept" : ""}">${stack(staked)}</span>${
    won ? html`<span class="chips paid">${stack(won)}</span>` : nothing
  }`;
}

/** A figure on a spot: the longer it is, the smaller its letters, so that it never reaches the next spot. */
const figure = (kind: string, text: string): TemplateResult =>
  html`<span class=${kind} style="--letters:${text.length}">${text}</span>`;

/** A spot of a box that nobody uses from this page. */
export function printedSpot(state: SpotState): TemplateResult {
  const { bet, staked, line } = state;
  const result = line ? net(line) : null;
  return html`<span class="mark ${bet.kind} ${staked ? "laid" : ""}" style=${at(state)} data-mark=${bet.bet}>
    <span class="label">${title(bet.bet)}</span>${chips(state)}
    ${staked && result === null ? figure("amount", short(staked)) : nothing}
    ${result === null ? nothing : figure(`net ${direction(result)}`, sign(result))}</span>`;
}

const sign = (value: number): string => `${value > 0 ? "+" : ""}${short(value)}`;

export function betSpot(state: SpotState, isVoid: boolean): TemplateResult {
  const { bet, staked, line } = state;
  const control = state.control ?? {};
  const { lamp } = control;
  const result = line && (!isVoid || net(line)) ? net(line) : null;
  const body = html`
    ${lamp ? html`<span class="lamp ${lamp}" data-lamp=${lamp} aria-hidden="true"></span>` : nothing}
    <span class="label">${title(bet.bet)}</span>
    ${
      staked
        ? html`${chips(state)}${result === null ? figure("amount", show(staked)) : nothing}`
        : html`<span class="hint">${control.hint ?? ""}</span>`
    }
    ${result === null ? nothing : figure(`net ${direction(result)}`, signed(result))}`;
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
