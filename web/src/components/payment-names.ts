import type { Consent } from "../api/types";
import { t } from "../lib/text/language";

/** What a payment is called, at the cage and on the player's screen. */
export const paymentName = (kind: Consent["kind"]): string => (kind === "buy_in" ? t("Buy in") : t("Cash out"));
