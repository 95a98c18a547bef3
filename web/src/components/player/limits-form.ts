/** The limits that a player sets for their own play. */

import { html, nothing, type TemplateResult } from "lit";

import type { OwnLimit } from "../../api/types";
import { AMOUNT, amount, post, readForm } from "../../lib/forms";
import { show } from "../../lib/money";
import { lobby } from "../../lib/state/lobby";
import { session } from "../../lib/state/session";
import { OWN_PLAY_TEXTS as T } from "../../lib/text/own-play-texts";
import { dateTime } from "../../lib/text/time";

export function limitsForm(): TemplateResult | typeof nothing {
  const limits = session.me?.account?.limits;
  if (!limits) return nothing;
  const left = limits.session?.left;
  return html`<section class="panel limits" aria-labelledby="limits-title"><h2 id="limits-title">${T.limits}</h2>
    <p>${T.limitsHold}</p>
    <form @submit=${send}>
      ${field("loss", T.loss(lobby.currency), T.lossHelp, limits.loss, AMOUNT)}
      ${field("minutes", T.minutes, T.minutesHelp, limits.minutes, "[0-9]{1,4}")}
      ${field("check", T.check, T.checkHelp, limits.check, "[0-9]{1,4}")}
      <p class="quiet">${T.empty} ${left ? T.leftToLose(show(left)) : ""}</p>
      <button class="button">${T.save}</button></form></section>`;
}

function field(name: string, text: string, help: string, limit: OwnLimit, pattern: string): TemplateResult {
  const waits = limit.since ? T.later(limit.later, dateTime(limit.since)) : "";
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
  await post("/api/play/limits", body, T.saved);
  await session.refresh();
}
