import { html, nothing, type TemplateResult } from "lit";

import type { IncidentWords, RoundLine } from "../api/types";
import { alert } from "../components/alert";
import { StateElement } from "../lib/element";
import { amount, readForm } from "../lib/forms";
import { cents, plain, show, signed } from "../lib/money";
import { addressQuery, to, writeQuery } from "../lib/navigation";
import { houseWin } from "../lib/play/results";
import { lobby } from "../lib/state/lobby";
import { playedRounds } from "../lib/state/played-rounds";
import { requests } from "../lib/state/requests";
import { session } from "../lib/state/session";
import { cardName } from "../lib/text/card-names";
import { label, title } from "../lib/text/labels";
import { t } from "../lib/text/language";
import { failure, sentence } from "../lib/text/sentences";
import { dateTime } from "../lib/text/time";

/** Rounds that a search returns at most. */
const LIMIT = 50;
/** The pattern of an amount in the search. */
const AMOUNT = "[0-9,]+([.][0-9]{2})?";

const CARDS = [..."shdc"].flatMap((suit) => [..."AKQJT98765432"].map((rank) => `${rank}${suit}`));

/** Save a list of rounds as a file that a spreadsheet opens. */
function download(found: RoundLine[]): void {
  const head = [
    "table",
    "round",
    "at",
    "edition",
    "stage",
    "players",
    "bets",
    "hands",
    "staked",
    "house_wins",
    "from_meter",
  ];
  const quoted = (text: string): string => `"${text.replace(/^(?=[=+\-@\t])/, "'").replaceAll('"', '""')}"`;
  const rows = found.map((line) => [
    ...[line.table, String(line.round), line.at, line.edition, line.stage].map(quoted),
    ...[line.players, line.bets, line.hands].map((list) => quoted(list.join("; "))),
    line.staked,
    plain(houseWin(line)),
    line.from_meter,
  ]);
  const text = [head, ...rows].map((row) => row.join(",")).join("\r\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${text}\r\n`], { type: "text/csv" }));
  link.download = "rounds.csv";
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Rounds that have been played: of one table, or of the whole house for people who may audit. */
export class RoundsPage extends StateElement {
  static override properties = { table: { attribute: false } };
  table = "";
  private found: RoundLine[] | null = null;
  private incidents: IncidentWords[] = [];
  private error = "";
  private isBusy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("hashchange", this.followAddress);
    void this.loadIncidents();
    void this.search(addressQuery());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("hashchange", this.followAddress);
  }

  /** Search for what the address says now: the link to this page, or a step back, has another query. */
  private followAddress = async (): Promise<void> => {
    await this.updateComplete;
    if (!this.isConnected) return;
    this.querySelector("form")?.reset();
    await this.search(addressQuery());
  };

  private async loadIncidents(): Promise<void> {
    const read = requests.list<IncidentWords>("/api/incidents");
    this.incidents = (await requests.refresh("/api/incidents", read)) ?? [];
    this.requestUpdate();
  }

  private get audits(): boolean {
    return session.may("audit");
  }

  /** The table to search, for people who may not search the whole house: first the one where they have played last. */
  private get ownTable(): string {
    if (this.table || this.audits) return this.table;
    return playedRounds.list[0]?.table ?? lobby.own[0]?.table ?? "";
  }

  private async search(query: URLSearchParams): Promise<void> {
    const table = query.get("table") || this.ownTable;
    query.delete("table");
    if (table) query.delete("game");
    for (const [key, value] of [...query]) {
      if (!value) query.delete(key);
      // The person types the time of this device; the server reads it with its zone.
      else if (key === "since" || key === "until") query.set(key, new Date(value).toISOString());
      else if (key === "won" || key === "lost") query.set(key, amount(value));
    }
    query.set("limit", String(LIMIT));
    const [since, until] = [query.get("since") ?? "", query.get("until") ?? ""];
    if (since && until && until <= since) {
      [this.found, this.error] = [null, t("Until is before From.")];
      return this.requestUpdate();
    }
    const path = table ? `/api/tables/${encodeURIComponent(table)}/rounds` : "/api/rounds";
    // What was found for other words does not stand under these.
    [this.isBusy, this.found] = [true, null];
    this.requestUpdate();
    try {
      this.found = await requests.list<RoundLine>(`${path}?${query.toString()}`);
      this.error = "";
    } catch (error) {
      this.error = failure(error);
    }
    this.isBusy = false;
    this.requestUpdate();
  }

  private submit = (event: SubmitEvent): void => {
    const query = new URLSearchParams();
    for (const [key, value] of readForm(event).data) query.set(key, String(value).trim());
    for (const [key, value] of [...query]) if (!value) query.delete(key);
    writeQuery(query);
    void this.search(query);
  };

  override render(): TemplateResult {
    return html`<main class="rounds-page" id="main">
      <div class="table-head"><h1>${this.table ? t("Rounds at {table}", { table: this.table }) : t("Rounds")}</h1>
        ${
          this.audits
            ? html`<a class="button small ghost" href="#/audit">${t("Chains, ledger and audit")}</a>`
            : nothing
        }</div>
      ${this.form()} ${alert(this.error)}
      ${this.found?.length ? this.results(this.found) : this.error && !this.found ? nothing : this.emptyNotice()}
    </main>`;
  }

  private form(): TemplateResult {
    const last = addressQuery();
    const field = (name: string): string => last.get(name) ?? "";
    const bets = new Set(lobby.tables.flatMap((table) => table.bets.map(({ bet }) => bet)));
    const chosen = field("table") || this.ownTable;
    const option = (value: string, text: string, current: string): TemplateResult =>
      html`<option value=${value} ?selected=${value === current}>${text}</option>`;
    const sum = (name: string, text: string): TemplateResult =>
      html`<label>${text} <input name=${name} .defaultValue=${field(name)} inputmode="decimal" pattern=${AMOUNT}
        autocomplete="off"></label>`;
    const time = (name: string, text: string): TemplateResult =>
      html`<label>${text} <input name=${name} .defaultValue=${field(name)} type="datetime-local"></label>`;
    return html`<form class="search panel" @submit=${this.submit}>
      <label>${t("Table")} <select name="table">${
        this.ownTable ? nothing : html`<option value="">${t("every table")}</option>`
      }
        ${lobby.own.map(({ table }) => option(table, table, chosen))}</select></label>
      ${
        this.audits && !this.table
          ? html`<label>${t("Game")} <select name="game"><option value="">${t("every game")}</option>
              ${lobby.games(": ").map(([game, text]) => option(game, text, field("game")))}</select></label>`
          : nothing
      }
      <label>${t("Player")} <input name="player" .defaultValue=${field("player")} maxlength="40" autocomplete="off"
        autocapitalize="none"></label>
      <label>${t("Bet")} <select name="bet"><option value="">${t("any")}</option>
        ${[...bets].map((bet) => option(bet, title(bet), field("bet")))}</select></label>
      <label>${t("Hand")} <input name="hand" .defaultValue=${field("hand")} maxlength="40" placeholder="straight flush"
        autocomplete="off" autocapitalize="none"></label>
      <label>${t("Card face up")} <select name="card"><option value="">${t("any")}</option>
        ${CARDS.map((card) => option(card, cardName(card), field("card")))}</select></label>
      ${
        this.audits
          ? html`<label>${t("Dealer")} <input name="dealer" .defaultValue=${field(
              "dealer",
            )} maxlength="40" autocomplete="off"
              autocapitalize="none"></label>`
          : nothing
      }
      <label>${t("Incident")} <select name="incident"><option value="">${t("any")}</option>
        ${this.incidents.map(({ incident, says }) =>
          option(incident, sentence(says), field("incident")),
        )}</select></label>
      ${sum("won", t("A player won at least"))} ${sum("lost", t("A player lost at least"))}
      ${time("since", t("From"))} ${time("until", t("Until"))}
      <button class="button small" ?disabled=${this.isBusy}>${t("Search")}</button></form>`;
  }

  private emptyNotice(): TemplateResult {
    const isLoading = this.isBusy || !this.found;
    return html`<p class="quiet">${
      isLoading ? t("Loading …") : t("No round matches. Leave a field empty to search wider.")
    }</p>`;
  }

  private results(found: RoundLine[]): TemplateResult {
    const count = found.length > 1 ? t("{count} rounds found.", { count: found.length }) : t("One round found.");
    return html`<p class="quiet" role="status">${
      found.length === LIMIT ? t("The newest {count} rounds that match.", { count: LIMIT }) : count
    } <button type="button" class="button small ghost" @click=${() =>
      download(found)}>${t("Download as CSV")}</button></p>
      <div class="wide"><table class="found"><thead><tr><th scope="col">${t(
        "Round",
      )}</th><th scope="col">${t("When")}</th>
        <th scope="col">${t(
          "Players",
        )}</th><th scope="col">${t("Hands")}</th><th scope="col" class="sum">${t("Staked")}</th>
        <th scope="col" class="sum">${t("House wins")}</th><th scope="col">${t("Stage")}</th></tr></thead>
      <tbody>${found.map((round) => this.row(round))}</tbody></table></div>
      <p class="quiet">${t(
        "The house wins what players lose, with their jackpot bets. It does not pay what the meter pays.",
      )}</p>`;
  }

  private row(found: RoundLine): TemplateResult {
    const { table, round, at, players, hands, staked, stage } = found;
    return html`<tr data-round="${table}/${round}">
      <th scope="row"><a href=${to("replay", table, round)}>${table} ${round}</a></th>
      <td>${dateTime(at)}</td><td>${players.join(", ")}</td><td lang="en">${hands.join("; ")}</td>
      <td class="sum">${show(staked)}</td><td class="sum">${signed(houseWin(found))}${
        cents(found.from_meter)
          ? html` <small>${t("and the meter paid {amount}", { amount: show(found.from_meter) })}</small>`
          : nothing
      }</td><td>${label(stage)}</td></tr>`;
  }
}
customElements.define("rounds-page", RoundsPage);
