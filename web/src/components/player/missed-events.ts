import { html, nothing, type TemplateResult } from "lit";

import type { TableFact } from "../../api/types";
import { signed } from "../../lib/money";
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
  return html`<section class="meanwhile" aria-label=${t("While you were away")} data-test="meanwhile">
    <details><summary>${t("While you were away")}<b>${outcome(missed.events)}</b></summary>
      ${missed.all ? nothing : more}
      <ol tabindex="0" aria-label=${t("What happened")}>${missed.events.map(
        (event) => html`<li>${eventText(event, table, session.me?.name)}</li>`,
      )}</ol></details>
    <button type="button" class="button small ghost" @click=${close}>${t("Close")}</button></section>`;
}

/** What has become of the player's bets, in money; empty where none was settled. */
function outcome(events: readonly TableFact[]): string {
  const amounts = events.flatMap((event) => {
    if (!("player" in event) || event.player !== session.me?.name) return [];
    if (event.type === "BetSettled") return [event.won + event.returned - event.staked];
    return event.type === "MispayResolved" && !event.put_right ? [event.over] : [];
  });
  return amounts.length ? signed(amounts.reduce((sum, amount) => sum + amount, 0)) : "";
}
