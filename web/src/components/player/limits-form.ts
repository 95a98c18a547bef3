/** The limits that a player sets for their own play. */

import { html, nothing, type TemplateResult } from "lit";

import type { OwnLimit } from "../../api/types";
import { AMOUNT, amount, post, readForm } from "../../lib/forms";
import { show } from "../../lib/money";
import { lobby } from "../../lib/state/lobby";
import { session } from "../../lib/state/session";
import { t } from "../../lib/text/language";
import { dateTime } from "../../lib/text/time";

export function limitsForm(): TemplateResult | typeof nothing {
  const limits = session.me?.account?.limits;
  if (!limits) return nothing;
  const left = limits.session?.left;
  return html`<section class="panel limits" aria-labelledby="limits-title"><h2 id="limits-title">${t("My limits")}</h2>
    <p>${t(
      "The house holds your limits at every table. A stricter limit holds at once, a looser one after 24 hours.",
    )}</p>
    <form @submit=${send}>
      <div class="three">${field(
        "loss",
        t("Loss limit, {currency}", { currency: lobby.currency }),
        t("A bet counts as lost when you place it."),
        limits.loss,
        AMOUNT,
      )}
      ${field(
        "minutes",
        t("Time limit, minutes"),
        t("After that no new bets; you finish the round."),
        limits.minutes,
        "[0-9]{1,4}",
      )}
      ${field(
        "check",
        t("Reality check, every … minutes"),
        t("You confirm how you stand before the next bet."),
        limits.check,
        "[0-9]{1,4}",
      )}</div>
      <p class="quiet">${t("Leave a field empty for no limit.")}
        ${t("Limits count from your next bet, and until you have not bet for six hours.")}
        ${left ? t("You may stake {amount} more in this session.", { amount: show(left) }) : ""}</p>
      <button class="button">${t("Set my limits")}</button></form></section>`;
}

function field(name: string, text: string, help: string, limit: OwnLimit, pattern: string): TemplateResult {
  const waits = limit.since
    ? `${t("Until then: {limit}.", { limit: limit.now })} ${laterText(limit.later, dateTime(limit.since))}`
    : "";
  return html`<label>${text} <input name=${name} .value=${limit.since ? limit.later : limit.now} pattern=${pattern}
    title=${name === "loss" ? "" : t("Whole minutes, such as 30")} @invalid=${refuseZero} @input=${refuseZero}
    inputmode="decimal" autocomplete="off" maxlength="12">
    <small>${help} ${waits ? html`<b>${waits}</b>` : nothing}</small></label>`;
}

function refuseZero({ target }: Event): void {
  const input = target as HTMLInputElement;
  if (/^[0.,]+$/.test(input.value)) input.setCustomValidity(t("0 is not a limit. Leave the field empty for no limit."));
}

const laterText = (limit: string, time: string): string =>
  limit ? t("{limit} from {time} on", { limit, time }) : t("No limit from {time} on", { time });

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
