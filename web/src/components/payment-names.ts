import type { Consent } from "../api/types";

/** What a payment is called, at the cage and on the player's screen. */
export const PAYMENTS: Record<Consent["kind"], string> = { buy_in: "Buy in", cash_out: "Cash out" };
