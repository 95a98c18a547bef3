/** The session of this player beside the felt: balance, history, house edge, pay tables and seal. */

import { html, nothing, type TemplateResult } from "lit";

import { show, signed } from "../../lib/money";
import { shownBalance } from "../../lib/play/staging";
import { isOver } from "../../lib/play/table-view";
import { playedRounds } from "../../lib/state/played-rounds";
import { session } from "../../lib/state/session";
import { t } from "../../lib/text/language";
import { payTableList } from "../table/pay-tables";
import { playedRound } from "../table/results";
import { glossary } from "../term";
import type { PlayerTable } from "./player-table";
import { houseEdge } from "./practice";

/** Rounds that the history lists at most. */
const LISTED = 30;

export function sessionPanel(table: PlayerTable): TemplateResult {
  const { name, view, plays, coach } = table;
  return html`<aside class="session" aria-label=${t("Your session")}>
    ${plays ? figures(table) : nothing}
    ${houseEdge(coach, plays)} ${payTableList(name)} ${glossary(table.terms.bets.map(({ bet }) => bet))}
    <h3>${t("Round {round}", { round: view.round })}</h3>
    ${
      view.commitment
        ? html`<p class="quiet seal">${t("The deck was sealed before the bets:")}
            <code>${view.commitment.slice(0, 16)}…</code></p>`
        : nothing
    }
    <p><a href="#/rules/${view.edition}">${t("Rules of this game")}</a></p>
  </aside>`;
}

function figures({ name, view, terms: { currency } }: PlayerTable): TemplateResult {
  const { since } = playedRounds;
  // A round whose end is still being shown is not there yet.
  const list = playedRounds.list.filter(
    (played) => played.table !== name || played.round !== view.round || isOver(view),
  );
  const balance = shownBalance.cents ?? session.balance;
  const net = list.reduce((sum, played) => sum + played.net, 0);
  const minutes = Math.floor((Date.now() - since) / 60_000);
  return html`<h2>${t("Your session")}</h2>
    <dl><div><dt>${t("Balance, {currency}", { currency })}</dt><dd>${balance === null ? "–" : show(balance)}</dd></div>
      <div><dt>${t("Net, {currency}", { currency })}</dt><dd>${signed(net)}</dd></div>
      <div><dt>${t("Rounds")}</dt><dd>${list.length}</dd></div>
      <div><dt>${t("Time")}</dt><dd>${t("{minutes} min", { minutes })}</dd></div></dl>
    <p><a href="#/my-rounds">${t("My rounds")}</a></p>
    ${list.length ? html`<h3>${t("History")}</h3>${list.slice(0, LISTED).map(playedRound)}` : nothing}`;
}
