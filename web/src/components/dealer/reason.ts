/** The reason of a settled bet as the console says it. */

import { html, type TemplateResult } from "lit";

import { t } from "../../lib/text/language";
import { served } from "../served";

const NO_JACKPOT_HAND = /^The cards make no jackpot hand[.] ?/;

/** The sentence on record; of a jackpot bet it adds why a hand with a name does not pay. */
export function reason(because: string): TemplateResult | string {
  if (!NO_JACKPOT_HAND.test(because)) return served(because);
  const rest = because.replace(NO_JACKPOT_HAND, "");
  return html`${t("The cards that count for the jackpot make none of its hands.")} ${served(rest)}`;
}
