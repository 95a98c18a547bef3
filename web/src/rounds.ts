import { html, nothing, type TemplateResult } from "lit";

import { failure } from "./api";
import { Piece, to } from "./element";
import { cents, plain, show, signed } from "./money";
import { store } from "./store";
import { moment, title, words } from "./words";

interface Found {
  table: string;
  game: string;
  round: number;
  at: string;
  stage: string;
  players: string[];
  bets: string[];
  hands: string[];
  staked: string;
  won: string;
  returned: string;
  /** Of what was won, what the jackpot's meter paid and not the house. */
  from_meter: string;
}

const PAGE = 50;

/** Rounds that have been played: of one table, or searched over the house by whoever may audit. */
export class RoundsPage extends Piece {
  static override properties = { table: { attribute: false } };
  table = "";
  private found: Found[] | null = null;
  private wrong = "";
  private busy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.search(new URLSearchParams(this.asked));
  }

  /** What was searched for stays with this place in the browser's history: back from a replay it is still there. */
  private get asked(): string {
    return (history.state as { search?: string } | null)?.search ?? "";
  }

  private get audits(): boolean {
    return store.me?.may.includes("audit") ?? false;
  }

  /** Whoever may not search the whole house looks at one table: first at the one where he has played last. */
  private get here(): string {
    return this.table || (this.audits ? "" : store.history[0]?.table ?? store.own[0]?.table ?? "");
  }

  private async search(query: URLSearchParams): Promise<void> {
    const table = query.get("table") || this.here;
    query.delete("table");
    if (table) query.delete("game");
    for (const [key, value] of [...query]) {
      if (!value) query.delete(key);
      // What is typed here is the time on this person's wall; the server takes it with its zone.
      else if (key === "since" || key === "until") query.set(key, new Date(value).toISOString());
      else if (key === "won" || key === "lost") query.set(key, plain(cents(value)));
    }
    query.set("limit", String(PAGE));
    const path = table ? `/api/tables/${encodeURIComponent(table)}/rounds` : "/api/rounds";
    this.busy = true;
    this.requestUpdate();
    try {
      this.found = await store.list<Found>(`${path}?${query.toString()}`);
      this.wrong = "";
    } catch (wrong) {
      this.wrong = failure(wrong);
    }
    this.busy = false;
    this.requestUpdate();
  }

  private submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const query = new URLSearchParams();
    for (const [key, value] of new FormData(event.target as HTMLFormElement)) query.set(key, String(value).trim());
    history.replaceState({ search: query.toString() }, "");
    void this.search(query);
  };

  override render(): TemplateResult {
    const games = [...new Map(store.lobby.map((t) => [t.game, `${t.operator}: ${t.title}`]))];
    const bets = [...new Set(store.lobby.flatMap((t) => t.bets.map((b) => b.bet)))];
    const amount = "[0-9,]+([.][0-9]{2})?";
    const was = new URLSearchParams(this.asked);
    const field = (name: string): string => was.get(name) ?? "";
    return html`<main class="rounds-page" id="main">
      <div class="table-head"><h1>Rounds${this.table ? ` at ${this.table}` : ""}</h1>
        ${this.audits ? html`<a class="button small ghost" href="#/audit">Chains, ledger and audit</a>` : nothing}</div>
      <form class="search panel" @submit=${this.submit}>
        <label>Table <select name="table">${this.here ? nothing : html`<option value="">every table</option>`}${store.own.map((t) => html`<option ?selected=${t.table === (field("table") || this.here)}>${t.table}</option>`)}</select></label>
        ${this.audits && !this.table ? html`<label>Game <select name="game"><option value="">every game</option>${games.map(([game, says]) => html`<option value=${game} ?selected=${game === field("game")}>${says}</option>`)}</select></label>` : nothing}
        <label>Player <input name="player" .defaultValue=${field("player")} maxlength="40" autocomplete="off" autocapitalize="none"></label>
        <label>Bet <select name="bet"><option value="">any</option>${bets.map((bet) => html`<option value=${bet} ?selected=${bet === field("bet")}>${title(bet)}</option>`)}</select></label>
        <label>Hand <input name="hand" .defaultValue=${field("hand")} maxlength="40" placeholder="straight flush" autocomplete="off" autocapitalize="none"></label>
        <label>Won at least <input name="won" .defaultValue=${field("won")} inputmode="decimal" pattern=${amount} autocomplete="off"></label>
        <label>Lost at least <input name="lost" .defaultValue=${field("lost")} inputmode="decimal" pattern=${amount} autocomplete="off"></label>
        <label>From <input name="since" .defaultValue=${field("since")} type="datetime-local"></label>
        <label>Until <input name="until" .defaultValue=${field("until")} type="datetime-local"></label>
        <button class="button small" ?disabled=${this.busy}>Search</button></form>
      ${this.wrong ? html`<p class="wrong" role="alert">${this.wrong}</p>` : nothing}
      ${this.found?.length ? html`<p class="quiet" role="status">${this.found.length === PAGE ? `The newest ${PAGE} rounds that fit` : this.found.length > 1 ? `${this.found.length} rounds found` : "One round found"}.</p>
        <div class="wide"><table class="found"><thead><tr><th scope="col">Round</th><th scope="col">When</th><th scope="col">Players</th><th scope="col">Hands</th><th scope="col" class="sum">Staked</th><th scope="col" class="sum">House wins</th><th scope="col">Stage</th></tr></thead>
        <tbody>${this.found.map((r) => html`<tr data-round="${r.table}/${r.round}"><th scope="row"><a href=${to("replay", r.table, r.round)}>${r.table} ${r.round}</a></th>
          <td>${moment(r.at)}</td><td>${r.players.join(", ")}</td><td>${r.hands.join("; ")}</td><td class="sum">${show(r.staked)}</td>
          <td class="sum">${signed(cents(r.staked) - cents(r.won) - cents(r.returned) + cents(r.from_meter))}</td><td>${words(r.stage)}</td></tr>`)}</tbody></table></div>`
        : this.wrong && !this.found ? nothing : html`<p class="quiet">${this.busy || !this.found ? "Looking …" : "No round fits. Leave a field empty to search wider."}</p>`}
    </main>`;
  }
}
customElements.define("rounds-page", RoundsPage);
