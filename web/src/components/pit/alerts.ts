/** What needs a supervisor at once: break-glass accounts in use, and calls from tables. */

import { html, nothing, type TemplateResult } from "lit";

import type { Alarm, CallView } from "../../api/types";
import { post } from "../../lib/forms";
import { to } from "../../lib/navigation";
import { session } from "../../lib/state/session";
import { POSTS } from "../../lib/text/labels";
import { minutes } from "../../lib/text/time";

export function breakGlassAlarms(alarms: Alarm[]): TemplateResult | typeof nothing {
  if (!alarms.length) return nothing;
  return html`<section aria-label="Alarms" class="queue">
    <h2>Alarm <span class="count alarm">${alarms.length}</span></h2>
    ${alarms.map(({ name, post: role, at, address, logged_in }) => {
      const time = new Date(at).toLocaleTimeString();
      return html`<article class="panel ask" data-alarm=${name} role="alert"><b>Break-glass account ${name}</b>
        (${POSTS[role] ?? role}) was used at ${time}${address ? ` from ${address}` : ""}.
        ${logged_in ? "It is logged in." : "It is logged out."}
        <span class="quiet">An administrator ends this alarm by giving it another password.</span></article>`;
    })}</section>`;
}

/** Calls from tables; `answered` is called when this person has answered one. */
export function supervisorCalls(calls: CallView[], answered: () => void): TemplateResult | typeof nothing {
  if (!calls.length) return nothing;
  return html`<section aria-label="Calls" class="queue">
    <h2>Called to a table <span class="count alarm">${calls.length}</span></h2>
    ${calls.map((call) => callPanel(call, answered))}</section>`;
}

function callPanel({ table, by, seconds, coming }: CallView, answered: () => void): TemplateResult {
  const answer = async (): Promise<void> => {
    const path = `/api/tables/${encodeURIComponent(table)}/call/answer`;
    if (await post(path, {}, `${table} knows that you come.`)) answered();
  };
  const button = html`<button type="button" class="button small" @click=${answer}>I am coming</button>`;
  return html`<article class="panel ask row" data-call=${table}><b>${table}</b>
    <span>${by} asks for a supervisor, ${minutes(seconds)} ago.</span>
    ${coming ? html`<span class="quiet">${coming} is on the way.</span>` : session.may("sign") ? button : nothing}
    <a class="button small ghost" href=${to("table", table)}>Watch</a></article>`;
}
