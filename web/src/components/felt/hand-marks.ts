/** Which cards make the hands of a showdown: a bar above a card of the dealer's hand, one under that of a player. */

import type { BoxView, TableView } from "../../api/types";

/** The classes of a card; the server says which five cards make a hand. None before the dealer's hand is named. */
export function handMarks({ dealer }: TableView, box: BoxView | undefined): (code: string) => string {
  if (!dealer.hand) return () => "";
  return (code) => `${dealer.best.includes(code) ? "makes-dealer" : ""} ${box?.best.includes(code) ? "makes-box" : ""}`;
}
