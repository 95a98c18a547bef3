/** What needs a supervisor at once: break-glass accounts in use, and calls from tables. */

import { html, nothing, type TemplateResult } from "lit";

import type { Alarm, CallView } from "../../api/types";
import { post } from "../../lib/forms";
import { to } from "../../lib/navigation";
import { session } from "../../lib/state/session";
import { postName } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { hour, minutes } from "../../lib/text/time";

export function breakGlassAlarms(alarms: Alarm[]): TemplateResult | typeof nothing {
  if (!alarms.length) return nothing;
  return html`<section aria-label=${t("Alarms")} class="queue">
    <h2>${t("Alarm")} <span class="count alarm">${alarms.length}</span></h2>
    ${alarms.map(({ name, post: role, at, address, logged_in }) => {
      const used = { post: postName(role), time: hour(at) };
      return html`<article class="panel ask" data-alarm=${name} role="alert"><b>${t("Break-glass account {name}", {
        name,
      })}</b>
        ${
          address
            ? t("({post}) was used at {time} from {address}.", { ...used, address })
            : t("({post}) was used at {time}.", used)
        }
        ${logged_in ? t("It is logged in.") : t("It is logged out.")}
        <span class="quiet">${t("An administrator ends this alarm by giving it another password.")}</span></article>`;
    })}</section>`;
}

/** Calls from tables; `answered` is called when this person has answered one. */
export function supervisorCalls(calls: CallView[], answered: () => void): TemplateResult | typeof nothing {
  if (!calls.length) return nothing;
  return html`<section aria-label=${t("Calls")} class="queue">
    <h2>${t("Called to a table")} <span class="count alarm">${calls.length}</span></h2>
    ${calls.map((call) => callPanel(call, answered))}</section>`;
}

function callPanel({ table, by, seconds, coming }: CallView, answered: () => void): TemplateResult {
  const answer = async (): Promise<void> => {
    const path = `/api/tables/${encodeURIComponent(table)}/call/answer`;
    if (await post(path, {}, t("{table} knows that you come.", { table }))) answered();
  };
  const button = html`<button type="button" class="button small" @click=${answer}>${t("I am coming")}</button>`;
  return html`<article class="panel ask row" data-call=${table}><b>${table}</b>
    <span>${t("{by} asks for a supervisor, {seconds} ago.", { by, seconds: minutes(seconds) })}</span>
    ${
      coming
        ? html`<span class="quiet">${t("{coming} is on the way.", { coming })}</span>`
        : session.may("sign")
          ? button
          : nothing
    }
    <a class="button small ghost" href=${to("table", table)}>${t("Watch")}</a></article>`;
}
