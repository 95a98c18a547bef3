import { html, nothing, type TemplateResult } from "lit";

import type { OwnRound, OwnRounds, Sums } from "../api/types";
import { alert } from "../components/alert";
import { limitsForm } from "../components/player/limits-form";
import { StateElement } from "../lib/element";
import { inputValue } from "../lib/forms";
import { cents, show, signed } from "../lib/money";
import { to } from "../lib/navigation";
import { direction } from "../lib/play/results";
import { lobby } from "../lib/state/lobby";
import { requests } from "../lib/state/requests";
import { type Plain, plural, t } from "../lib/text/language";
import { failure } from "../lib/text/sentences";
import { dateTime } from "../lib/text/time";

/** Rounds of one page. */
const LIMIT = 20;
const PERIODS: Record<string, Plain> = { all: "All", day: "Today", week: "7 days", month: "30 days" };
/** Days of each period; a day is the last 24 hours. */
const DAYS: Record<string, number> = { day: 1, week: 7, month: 30 };

/** A player's own rounds over all tables and devices, what they came to, and the limits of their play. */
export class MyRoundsPage extends StateElement {
  private found: OwnRounds | null = null;
  private rounds: OwnRound[] = [];
  private period = "all";
  private game = "";
  private error = "";
  private isBusy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load(0);
  }

  private async load(skip: number): Promise<void> {
    const query = new URLSearchParams({ game: this.game, skip: String(skip), limit: String(LIMIT) });
    const days = DAYS[this.period];
    if (days) query.set("since", new Date(Date.now() - days * 86_400_000).toISOString());
    this.isBusy = true;
    this.requestUpdate();
    try {
      const found = await requests.get<OwnRounds>(`/api/play/rounds?${query}`);
      this.rounds = [...(skip ? this.rounds : []), ...found.rounds];
      this.found = found;
      this.error = "";
    } catch (error) {
      this.error = failure(error);
    }
    this.isBusy = false;
    this.requestUpdate();
  }

  private choosePeriod = (event: Event): void => {
    this.period = inputValue(event);
    void this.load(0);
  };

  private chooseGame = (event: Event): void => {
    this.game = inputValue(event);
    void this.load(0);
  };

  override render(): TemplateResult {
    const { found } = this;
    return html`<main class="rounds-page my-rounds" id="main">
      <div class="table-head"><h1>${t("My rounds")}</h1><a class="button small ghost" href="#/rounds">${t(
        "Every round of a table",
      )}</a></div>
      <form class="search panel" @submit=${(event: Event) => event.preventDefault()}>
        <label>${t("Period")} <select @change=${this.choosePeriod}>${Object.entries(PERIODS).map(
          ([value, text]) => html`<option value=${value} ?selected=${value === this.period}>${t(text)}</option>`,
        )}</select></label>
        <label>${t("Game")} <select @change=${this.chooseGame}><option value="">${t("every game")}</option>
          ${lobby
            .games(": ")
            .map(
              ([game, text]) => html`<option value=${game} ?selected=${game === this.game}>${text}</option>`,
            )}</select></label></form>
      ${alert(this.error)}
      ${found ? this.figures(found) : html`<p class="quiet">${t("Loading …")}</p>`}
      ${limitsForm()}</main>`;
  }

  private figures({ total, games, sessions, more }: OwnRounds): TemplateResult {
    if (!this.rounds.length)
      return html`<p class="panel nothing-yet">${
        this.period === "all" ? t("No rounds yet.") : t("No rounds in this period.")
      } <a href="#/">${t("To the tables")}</a></p>`;
    const names = new Map(lobby.games(": "));
    return html`<dl class="sums" aria-label=${t("Net")} data-test="total">
        ${figure(t("Rounds"), String(total.rounds))} ${figure(t("Staked"), show(total.staked))}
        ${figure(t("Returned"), show(total.returned))} ${figure(t("Net"), signed(cents(total.net)), total.net)}</dl>
      <div class="wide"><table class="found"><thead><tr><th scope="col">${t(
        "Round",
      )}</th><th scope="col">${t("When")}</th>
        <th scope="col" class="sum">${t("Staked")}</th><th scope="col" class="sum">${t("Returned")}</th>
        <th scope="col" class="sum">${t("Net")}</th><th scope="col">${t("Receipt")}</th></tr></thead>
        <tbody>${this.rounds.map(row)}</tbody></table></div>
      ${
        more
          ? html`<p><button type="button" class="button ghost" ?disabled=${this.isBusy}
              @click=${() => this.load(this.rounds.length)}>${plural(
                more,
                "Show more ({count} round left)",
                "Show more ({count} rounds left)",
              )}</button></p>`
          : nothing
      }
      ${sumTable(
        t("By session"),
        t("Session"),
        sessions.map(({ since, sums }) => [dateTime(since), sums]),
      )}<p class="quiet">${t("A session ends after six hours without a round.")}</p>
      ${sumTable(
        t("By game"),
        t("Game"),
        games.map(({ game, sums }) => [names.get(game) ?? game, sums]),
      )}`;
  }
}
customElements.define("my-rounds-page", MyRoundsPage);

function figure(name: string, value: string, net = "0"): TemplateResult {
  return html`<div><dt>${name}</dt><dd class=${direction(cents(net))}>${value}</dd></div>`;
}

function row({ table, round, at, staked, returned, net, in_play }: OwnRound): TemplateResult {
  return html`<tr data-round="${table}/${round}">
    <th scope="row"><a href=${to("replay", table, round)} aria-label="${t("Replay")} ${table} ${round}"
      >${table} ${round}</a></th>
    <td>${dateTime(at)}</td><td class="sum">${show(staked)}</td><td class="sum">${show(returned)}</td>
    <td class="sum ${direction(in_play ? 0 : cents(net))}">${in_play ? t("in play") : signed(cents(net))}</td>
    <td>${
      in_play
        ? nothing
        : html`<a href=${to(
            "receipt",
            table,
            round,
          )} aria-label="${t("Receipt")} ${table} ${round}">${t("Receipt")}</a>`
    }</td></tr>`;
}

function sumTable(name: string, of: string, sums: [name: string, sums: Sums][]): TemplateResult {
  return html`<h2>${name}</h2><div class="wide"><table class="found"><thead><tr><th scope="col">${of}</th>
    <th scope="col" class="sum">${t("Rounds")}</th><th scope="col" class="sum">${t("Staked")}</th>
    <th scope="col" class="sum">${t("Returned")}</th><th scope="col" class="sum">${t("Net")}</th></tr></thead>
    <tbody>${sums.map(
      ([text, { rounds, staked, returned, net }]) => html`<tr><th scope="row">${text}</th><td class="sum">${rounds}</td>
        <td class="sum">${show(staked)}</td><td class="sum">${show(returned)}</td>
        <td class="sum ${direction(cents(net))}">${signed(cents(net))}</td></tr>`,
    )}</tbody></table></div>`;
}
