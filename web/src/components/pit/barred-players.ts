/** Players who may not play on, and the ruling that lets them play again. */

import { html, nothing, type TemplateResult } from "lit";

import type { Bar } from "../../api/types";
import { readForm } from "../../lib/forms";
import { perform } from "../../lib/state/live";
import { lobby } from "../../lib/state/lobby";
import { toast } from "../../lib/state/toasts";
import { noNames, postName, shortTitle } from "../../lib/text/labels";
import { list, t } from "../../lib/text/language";
import { citations } from "../rules/citations";

export function barredPlayers(bars: Bar[], lifted: () => void): TemplateResult {
  return html`<section aria-label=${t("Barred players")} class="queue">
    <h2>${t("Barred players")} <span class="count">${bars.length}</span></h2>
    ${bars.map((bar) => barPanel(bar, lifted))}
    ${bars.length ? nothing : html`<p class="quiet">${t("Nobody is barred.")} ${howToBar()}</p>`}</section>`;
}

/** How a player is barred, where a rulebook of these tables knows it. */
function howToBar(): string {
  const games = new Set(lobby.own.filter((table) => table.bars).map((table) => shortTitle(table.title)));
  return games.size
    ? t("In {games} a player is barred by a ruling: report the breach at the table, then rule on it here.", {
        games: list([...games]),
      })
    : t("No game of these tables bars a player.");
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
