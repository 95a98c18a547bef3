/** What the jackpot bet pays, line by line, at the present value of the meter. */

import { html, nothing, type TemplateResult } from "lit";

import type { Ladder } from "../../api/types";
import { cents, show } from "../../lib/money";
import { t } from "../../lib/text/language";
import { payText } from "../../lib/text/odds";
import { termName } from "../term";

/** The value of a line: a share of the meter moves with it, rounded down to the cent; the others are fixed. */
function worth(pays: string, amount: string, meter: number): number {
  const share = /^([\d.]+)%$/.exec(pays);
  return share ? Math.floor((meter * Number(share[1])) / 100 + 1e-6) : cents(amount);
}

export function payLadder(ladder: Ladder | undefined, meter: string | undefined): TemplateResult | typeof nothing {
  if (!ladder) return nothing;
  const value = meter === undefined ? undefined : cents(meter);
  return html`<section class="ladder" style="--rows: ${ladder.lines.length}"
    aria-label=${t("What the jackpot bet pays")}>
    <h2>${ladder.operator} ${ladder.title} <small>${t("for a bet of {bet}", { bet: show(ladder.bet) })}</small></h2>
    <table>${ladder.lines.map(
      ({ hand, pays, amount, major }) => html`<tr class=${major ? "major" : ""}><th scope="row">${termName(hand)}</th>
        <td class="pays">${pays.endsWith("%") || pays.includes(" ") ? payText(pays) : ""}</td>
        <td>${value === undefined ? show(amount) : show(worth(pays, amount, value))}</td></tr>`,
    )}</table></section>`;
}
