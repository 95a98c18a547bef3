/** Which cards make the hands of a showdown: a bar above a card of the dealer's hand, one under that of a player. */

import { html, nothing, type TemplateResult } from "lit";

import type { BoxView, TableView } from "../../api/types";
import { hasNotQualified } from "../../lib/play/results";
import { t } from "../../lib/text/language";
import { served } from "../served";

/** The name of the dealer's hand, and that it does not qualify where the server says so. */
export function dealerHand({ dealer: { hand }, lines }: TableView): TemplateResult {
  return html`${served(hand)}${hand && hasNotQualified(lines) ? ` · ${t("does not qualify")}` : nothing}`;
}

/** The classes of a card; the server says which five cards make a hand. None before the dealer's hand is named. */
export function handMarks({ dealer }: TableView, box: BoxView | undefined): (code: string) => string {
  if (!dealer.hand) return () => "";
  return (code) => `${dealer.best.includes(code) ? "makes-dealer" : ""} ${box?.best.includes(code) ? "makes-box" : ""}`;
}
