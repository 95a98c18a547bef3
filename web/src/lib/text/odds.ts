/** What a bet pays, in words. */

import { show } from "../money";
import { t } from "./language";

/** "30 to 1" or "2,000.00", in the words and figures of the language. */
export function payText(pays: string): string {
  if (/^\d+[.]\d\d$/.test(pays)) return show(pays);
  const [, won = "", of = ""] = /^([\d.,]+) to ([\d.,]+)$/.exec(pays) ?? [];
  if (won) return t("{won} to {of}", { won, of });
  const [, paid = "", bet = ""] = /^([\d.,]+) for ([\d.,]+)$/.exec(pays) ?? [];
  return paid ? t("{paid} for {bet}", { paid, bet }) : pays;
}
