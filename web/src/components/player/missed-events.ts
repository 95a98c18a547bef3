import { html, nothing, type TemplateResult } from "lit";

import { to } from "../../lib/navigation";
import { changed } from "../../lib/state/changes";
import { session } from "../../lib/state/session";
import { tables } from "../../lib/state/tables";
import { eventText } from "../../lib/text/event-text";
import { rich, t } from "../../lib/text/language";

/** What happened at a table while this page had no connection. */
export function missedEvents(table: string): TemplateResult | typeof nothing {
  const missed = tables.missed.get(table);
  if (!missed) return nothing;
  const close = (): void => {
    tables.missed.delete(table);
    changed();
  };
  const more = html`<p>${rich("Not every event is listed here. All of them are under {rounds}.", {
    rounds: html`<a href=${to("rounds", table)}>${t("Rounds")}</a>`,
  })}</p>`;
  return html`<section class="panel meanwhile" aria-label=${t("While you were away")} data-test="meanwhile">
    <h2>${t("While you were away")}</h2>
    ${missed.all ? nothing : more}
    <ol tabindex="0" aria-label=${t("What happened")}>${missed.events.map(
      (event) => html`<li>${eventText(event, session.me?.name)}</li>`,
    )}</ol>
    <button type="button" class="button small ghost" @click=${close}>${t("Close")}</button></section>`;
}
