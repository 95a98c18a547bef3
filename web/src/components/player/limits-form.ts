/** The limits that a player sets for their own play. */

import { html, nothing, type TemplateResult } from "lit";

import type { OwnLimit } from "../../api/types";
import { AMOUNT, amount, post, readForm } from "../../lib/forms";
import { show } from "../../lib/money";
import { lobby } from "../../lib/state/lobby";
import { session } from "../../lib/state/session";
import { type Plain, t } from "../../lib/text/language";
import { dateTime } from "../../lib/text/time";

const MINUTES = "[0-9]{1,4}";
const HELD: Plain =
  "The house holds your limits at every table. A stricter limit holds at once, a looser one after 24 hours.";
const EMPTY: Plain =
  "Leave a field empty for no limit. A session counts from your first bet and ends after six hours without one.";

export function limitsForm(): TemplateResult | typeof nothing {
  const limits = session.me?.account?.limits;
  if (!limits) return nothing;
  const left = limits.session?.left;
  const rest = left ? t("You may stake {amount} more in this session.", { amount: show(left) }) : "";
  const loss = t("Loss limit, {currency}", { currency: lobby.currency });
  const [minutes, check] = [t("Time limit, minutes"), t("Reality check, every … minutes")];
  return html`<section class="panel limits" aria-labelledby="limits-title">
    <h2 id="limits-title">${t("My limits")}</h2>
    <p>${t(HELD)}</p>
    <form @submit=${send}>
      ${field("loss", loss, t("A bet counts as lost when you place it."), limits.loss, AMOUNT)}
      ${field("minutes", minutes, t("After that no new bets; you finish the round."), limits.minutes, MINUTES)}
      ${field("check", check, t("You confirm how you stand before the next bet."), limits.check, MINUTES)}
      <p class="quiet">${t(EMPTY)} ${rest}</p>
      <button class="button">${t("Set my limits")}</button></form></section>`;
}

function field(name: string, text: string, help: string, limit: OwnLimit, pattern: string): TemplateResult {
  const waits = limit.since
    ? t("{limit} from {at} on", { limit: limit.later || t("No limit"), at: dateTime(limit.since) })
    : "";
  return html`<label>${text} <input name=${name} .value=${limit.since ? limit.later : limit.now} pattern=${pattern}
    inputmode="decimal" autocomplete="off" maxlength="12">
    <small>${help} ${waits ? html`<b>${waits}</b>` : nothing}</small></label>`;
}

async function send(event: SubmitEvent): Promise<void> {
  const { field } = readForm(event);
  const body = {
    loss: amount(field("loss") || "0"),
    minutes: Number(field("minutes") || "0"),
    check: Number(field("check") || "0"),
  };
  await post("/api/play/limits", body, t("Your limits are set."));
  await session.refresh();
}
