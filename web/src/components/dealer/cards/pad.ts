/** The cards of the deck as buttons, for a console without a keyboard. Cards that lie on the table cannot be tapped. */

import { html, type TemplateResult } from "lit";

import { cardName } from "../../../lib/text/card-names";
import { t } from "../../../lib/text/language";

const RANKS = [..."AKQJT98765432"];
const SUITS: [code: string, sign: string][] = [
  ["s", "♠"],
  ["h", "♥"],
  ["d", "♦"],
  ["c", "♣"],
];

export function cardPad(used: ReadonlySet<string>, tap: (card: string) => void, back: () => void): TemplateResult {
  return html`<div class="card-pad" role="group" aria-label=${t("Card pad")}>${SUITS.map(([suit, sign]) =>
    RANKS.map((rank) => {
      const card = `${rank}${suit}`;
      return html`<button type="button" class="suit-${suit}" data-pad=${card} ?disabled=${used.has(card)}
        @click=${() => tap(card)}><span role="img" aria-label=${cardName(card)}>${
          rank === "T" ? "10" : rank
        }<i>${sign}</i></span></button>`;
    }),
  )}<button type="button" class="back" @click=${back}>${t("Take the last card back")}</button></div>`;
}
