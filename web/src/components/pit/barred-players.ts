/** Players who may not play on, and the ruling that lets them play again. */

import { html, nothing, type TemplateResult } from "lit";

import type { Bar } from "../../api/types";
import { readForm } from "../../lib/forms";
import { perform } from "../../lib/state/live";
import { toast } from "../../lib/state/toasts";
import { noNames, postName } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { citations } from "../rules/citations";

export function barredPlayers(bars: Bar[], lifted: () => void): TemplateResult {
  return html`<section aria-label=${t("Barred players")} class="queue">
    <h2>${t("Barred players")} <span class="count">${bars.length}</span></h2>
    ${bars.map((bar) => barPanel(bar, lifted))}
    <p class="quiet">${
      bars.length
        ? nothing
        : t("Nobody is barred. A player is barred by a ruling: report the breach at the table, then rule on it here.")
    }</p></section>`;
}

function barPanel(bar: Bar, lifted: () => void): TemplateResult {
  const scope = bar.everywhere
    ? t("any table of {operator} in this house", { operator: bar.operator })
    : t("this table");
  return html`<article class="panel" data-bar="${bar.player}/${bar.table}"><h3>${bar.player}</h3>
    <p>${t("Barred at {table}: may not bet at {scope}.", {
      table: bar.table,
      scope,
    })} ${citations(bar.game, bar.rules)}</p>
    ${
      bar.may
        ? liftForm(bar, lifted)
        : html`<p class="note">${t("Only the {by} or above lifts this.", { by: postName(bar.by) })}</p>`
    }</article>`;
}

function liftForm({ player, table }: Bar, lifted: () => void): TemplateResult {
  const lift = async (event: SubmitEvent): Promise<void> => {
    const { form, field } = readForm(event);
    const button = form.querySelector("button")!;
    const text = field("text").trim();
    button.disabled = true;
    const done = await perform(table, { do: "rule", decision: "allow", player, ...(text ? { text } : {}) });
    button.disabled = false;
    if (!done) return;
    form.reset();
    toast(t("{player} may play again.", { player }));
    lifted();
  };
  return html`<form class="bets-form" @submit=${lift}>
    <label>${t("In your words, for the record")} <input name="text" maxlength="300" autocomplete="off"
      placeholder=${noNames()}></label>
    <button class="button small">${t("Let {player} play again", { player })}</button></form>`;
}
