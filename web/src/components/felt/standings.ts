/** How a box stands, where that is worth a word. */

import type { BoxView } from "../../api/types";
import { type Plain, t } from "../../lib/text/language";

/** Each standing as its style and its word. */
export const STANDINGS: Record<BoxView["stands"], Plain | ""> = {
  folded: "folded",
  invalid: "out",
  forfeited: "lost",
  live: "",
  out: "",
};

export function standingName({ stands }: BoxView): string {
  const name = STANDINGS[stands];
  return name && t(name);
}
