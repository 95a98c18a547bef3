/** Which cards make the hands of a showdown: a bar above a card of the dealer's hand, one under that of a player. */

import { html, nothing, type TemplateResult } from "lit";

import type { BoxView, TableView } from "../../api/types";
import { t } from "../../lib/text/language";
import { served } from "../served";

/** The name of the dealer's hand, and that it does not qualify. */
export function dealerHand({ dealer: { hand, qualifies } }: TableView): TemplateResult {
  return html`${served(hand)}${qualifies === false ? ` · ${t("does not qualify")}` : nothing}`;
}

/** The classes of a card; the server says which five cards make a hand. None before the dealer's hand is named. */
export function handMarks({ dealer }: TableView, box: BoxView | undefined): (code: string) => string {
  if (!dealer.hand) return () => "";
  return (code) => `${dealer.best.includes(code) ? "makes-dealer" : ""} ${box?.best.includes(code) ? "makes-box" : ""}`;
}
