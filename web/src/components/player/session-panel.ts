/** The session of this player beside the felt: balance, history, house edge, pay tables and seal. */

import { html, nothing, type TemplateResult } from "lit";

import type { OwnRound } from "../../api/types";
import { cents, show, signed } from "../../lib/money";
import { to } from "../../lib/navigation";
import { direction } from "../../lib/play/results";
import { shownBalance } from "../../lib/play/staging";
import { ownRounds } from "../../lib/state/own-rounds";
import { session } from "../../lib/state/session";
import { t } from "../../lib/text/language";
import { payTableList } from "../table/pay-tables";
import { glossary } from "../term";
import type { PlayerTable } from "./player-table";
import { houseEdge } from "./practice";

export function sessionPanel(table: PlayerTable): TemplateResult {
  const { name, view, plays } = table;
  return html`<aside class="session" aria-label=${t("Your session")}>
    ${plays ? figures(table) : nothing}
    ${houseEdge(table)} ${payTableList(name)} ${glossary(
      name,
      table.terms.bets.map(({ bet }) => bet),
    )}
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

function figures({ terms: { currency } }: PlayerTable): TemplateResult {
  const { running, rounds } = ownRounds;
  const balance = shownBalance.cents ?? session.balance;
  const minutes = running ? Math.floor((Date.now() - Date.parse(running.since)) / 60_000) : 0;
  return html`<h2>${t("Your session")}</h2>
    <dl><div><dt>${t("Balance, {currency}", { currency })}</dt><dd>${balance === null ? "–" : show(balance)}</dd></div>
      <div><dt>${t("Net, {currency}", { currency })}</dt><dd>${signed(cents(running?.sums.net ?? "0"))}</dd></div>
      <div><dt>${t("Rounds")}</dt><dd>${running?.sums.rounds ?? 0}</dd></div>
      <div><dt>${t("Time")}</dt><dd>${t("{minutes} min", { minutes })}</dd></div></dl>
    <p><a href="#/my-rounds">${t("My rounds")}</a></p>
    ${rounds.length ? html`<h3>${t("History")}</h3>${rounds.map(played)}` : nothing}`;
}

function played({ table, round, net }: OwnRound): TemplateResult {
  return html`<p class="played"><a href=${to("replay", table, round)}>${t("{table}, round {round}", {
    table,
    round,
  })}</a> <b class=${direction(cents(net))}>${signed(cents(net))}</b></p>`;
}
