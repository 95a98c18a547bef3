import { html, nothing, type TemplateResult } from "lit";

import { entitle, Piece, to } from "./element";
import { moneyTable, staffFelt } from "./felt";
import { barsPanel, type Bar } from "./bars";
import { cents, plain, show, signed } from "./money";
import { cited } from "./paragraph";
import "./roundlog";
import { linkForms, newLink, newTable, post, tableForms, unique } from "./measures";
import { store } from "./store";
import type { Lawful, LinkView, LobbyTable, Seen } from "./types";
import { MOMENTS, POSTS, RULINGS, STAGES, title, words } from "./words";

interface Proposal {
  id: string;
  by: string;
  words: string;
  second: string;
}

interface Call {
  table: string;
  by: string;
  seconds: number;
  coming: string;
}

interface Past {
  round: number;
  at: string;
  staked: string;
  won: string;
  returned: string;
  from_meter: string;
}

const RANKING = ["dealer", "pit_supervisor", "pit_manager", "shift_manager"];

/** After a jackpot fault: the measure, its button, and what a table does when it is taken. */
const MEASURES = [
  ["no_jackpot_bets", "No jackpot bets", "takes no jackpot bets."],
  ["close_table", "Close the table", "is closed."],
  ["restore", "Restore", "plays as before, with jackpot bets."],
] as const;

/** Two short notes, where the browser lets a page be heard; a phone in a pocket trembles. */
function ring(): void {
  navigator.vibrate?.([120, 80, 120]);
  if (!store.settings.sound || !navigator.userActivation?.hasBeenActive) return;
  const audio = new AudioContext();
  [660, 880].forEach((pitch, i) => {
    const [note, loud] = [audio.createOscillator(), audio.createGain()];
    note.frequency.value = pitch;
    loud.gain.setValueAtTime(0.12, audio.currentTime + 0.18 * i);
    loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.18 * i + 0.16);
    note.connect(loud).connect(audio.destination);
    note.start(audio.currentTime + 0.18 * i);
    note.stop(audio.currentTime + 0.18 * i + 0.17);
    if (i) note.onended = () => void audio.close();
  });
}

/** The pit: a wall of tables, and everything that waits for a decision with all that is needed to decide. */
export class PitPage extends Piece {
  private timer = 0;
  private figures = new Map<string, { handle: number; win: number; pace: number }>();
  private boxes = new Map<string, number[]>();
  private said = new Map<string, string>();
  private busy = false;
  private proposals: Proposal[] = [];
  private calls: Call[] = [];
  private rung = 0;
  private bars: Bar[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch();
    let beats = 0;
    this.timer = window.setInterval(() => {
      this.requestUpdate();
      if (beats % 3 === 0) void Promise.all([this.signatures(), this.barred()]);
      if (beats++ % 15 === 0) void this.count();
    }, 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
    for (const table of store.lobby) store.unwatch("table", table.table);
  }

  private watch(): void {
    for (const table of store.lobby) store.watch("table", table.table);
    for (const link of this.links) store.watch("link", link);
  }

  private get links(): string[] {
    return [...new Set([...store.lobby.flatMap((table) => table.link ?? []), ...store.links.keys()])];
  }

  private async signatures(): Promise<void> {
    if (!store.me?.may.includes("sign")) return;
    [this.proposals, this.calls] = await Promise.all([
      store.get<Proposal[]>("/api/proposals").catch(() => this.proposals),
      store.get<Call[]>("/api/calls").catch(() => this.calls),
    ]);
    this.requestUpdate();
  }

  private async barred(): Promise<void> {
    this.bars = await store.get<Bar[]>("/api/bars").catch(() => this.bars);
    this.requestUpdate();
  }

  /** The tablet rings when more waits than before, and its tab says how much. */
  protected override updated(): void {
    const waits = this.waiting().length + this.pending.length + this.proposals.length + this.calls.filter((c) => !c.coming).length;
    if (waits > this.rung) ring();
    this.rung = waits;
    entitle("Pit", waits);
  }

  private waiting(): { table: LobbyTable; view: Seen }[] {
    return store.lobby.flatMap((table) => {
      const view = store.tables.get(table.table);
      return view?.awaiting.length ? [{ table, view }] : [];
    });
  }

  private get pending(): LinkView["pending"] {
    return this.links.flatMap((link) => store.links.get(link)?.pending ?? []);
  }

  private called(): TemplateResult | typeof nothing {
    if (!this.calls.length) return nothing;
    const come = (table: string): Promise<boolean> => this.post(`/api/tables/${encodeURIComponent(table)}/call/answer`, {}, `${table} knows that you come.`);
    return html`<section aria-label="Calls" class="queue"><h2>Called to a table <span class="count alarm">${this.calls.length}</span></h2>
      ${this.calls.map((c) => html`<article class="panel ask row" data-call=${c.table}><b>${c.table}</b> <span>${c.by} asks for a supervisor, ${Math.floor(c.seconds / 60)}:${String(c.seconds % 60).padStart(2, "0")} ago.</span>
        ${c.coming ? html`<span class="quiet">${c.coming} is on the way.</span>` : store.me?.may.includes("sign")
          ? html`<button type="button" class="button small" @click=${() => come(c.table)}>I am coming</button>` : nothing}
        <a class="button small ghost" href=${to("table", c.table)}>Watch</a></article>`)}</section>`;
  }

  private async post(path: string, body: Record<string, unknown>, done: string): Promise<boolean> {
    const accepted = await post(path, body, done);
    if (accepted) await this.signatures();
    return accepted;
  }

  /** Handle, win and pace over the last rounds of each table. */
  private async count(): Promise<void> {
    await store.refreshLobby();
    this.watch();
    for (const { table } of store.lobby) {
      const rounds = await store.get<Past[]>(`/api/tables/${encodeURIComponent(table)}/rounds?limit=20`).catch(() => []);
      const over = rounds.filter((r) => cents(r.staked) > 0);
      const sum = (f: (r: Past) => number): number => over.reduce((total, r) => total + f(r), 0);
      const hours = over.length > 1 ? (Date.parse(over[0]!.at) - Date.parse(over.at(-1)!.at)) / 3_600_000 : 0;
      this.figures.set(table, {
        handle: sum((r) => cents(r.staked)),
        win: sum((r) => cents(r.staked) - cents(r.won) - cents(r.returned) + cents(r.from_meter)),
        pace: hours > 0 ? (over.length - 1) / hours : 0,
      });
    }
    this.requestUpdate();
  }

  private may(role: string): boolean {
    return RANKING.indexOf(store.me?.post ?? "") >= RANKING.indexOf(role);
  }

  override render(): TemplateResult {
    const views = store.lobby.map((table) => ({ table, view: store.tables.get(table.table) }));
    const waiting = this.waiting();
    return html`<main class="pit" id="main"><h1>Pit</h1>
      <section aria-label="Decisions" class="queue"><h2>Waiting for a decision <span class="count ${waiting.length ? "alarm" : ""}">${waiting.length}</span></h2>
        ${waiting.map(({ table, view }) => this.ruling(table, view))}
        ${waiting.length ? nothing : html`<p class="quiet">Nothing is waiting.</p>`}</section>
      ${this.called()} ${this.claims()} ${this.unsigned()}
      ${barsPanel(this.bars, () => void this.barred())}
      <section aria-label="Tables"><h2>Tables</h2><ul class="wall">${views.map(({ table, view }) => this.tile(table, view))}</ul></section>
      <div class="desk">${store.me?.may.includes("run_cashier") ? this.cashier() : nothing}
        ${store.me?.may.includes("run_links") ? this.links.map((link) => linkForms(link, () => void this.signatures())) : nothing}
        ${store.me?.may.includes("open_tables") ? newTable(this.links, () => void this.count()) : nothing}
        ${store.me?.may.includes("run_links") ? newLink(() => void this.count()) : nothing}</div>
    </main>`;
  }

  /** Major awards: locked until two people have verified them, or an earlier-dealt round is over. */
  private claims(): TemplateResult | typeof nothing {
    const pending = this.pending;
    if (!pending.length) return nothing;
    const me = store.me?.name ?? "";
    return html`<section aria-label="Jackpot claims" class="queue"><h2>Jackpot claims <span class="count alarm">${pending.length}</span></h2>
      ${pending.map((p) => {
        const view = store.tables.get(p.table);
        const left = p.signatures - p.signed.length;
        return html`<article class="panel ask" data-claim=${p.table}><h3>${title(p.hands.join(", "))} at ${p.table}, round ${p.round}</h3>
          <p>${p.signed.length ? `Verified by ${p.signed.join(" and ")}. ` : ""}${left > 0
            ? `${left} more ${left > 1 ? "people have" : "person has"} to verify it.` : "It waits for earlier-dealt rounds of the link."}</p>
          <div class="beside">${view ? staffFelt(view) : nothing}<round-log .table=${p.table} .round=${p.round}></round-log></div>
          <div class="row">${left > 0 && store.me?.may.includes("verify_award")
            ? html`<button type="button" class="button small" ?disabled=${p.signed.includes(me)} @click=${() =>
                store.ask(p.table, { do: "verify_award", round: p.round })}>${p.signed.includes(me) ? "You have signed" : "I have verified it"}</button>` : nothing}
            ${left <= 0 && this.may("shift_manager") ? html`<button type="button" class="button small" @click=${() =>
              store.ask(p.table, { do: "rule", decision: "release_award" })}>Pay it now</button>` : nothing}</div></article>`;
      })}</section>`;
  }

  private unsigned(): TemplateResult | typeof nothing {
    if (!this.proposals.length) return nothing;
    return html`<section aria-label="Second signatures" class="queue"><h2>Waiting for a second signature <span class="count alarm">${this.proposals.length}</span></h2>
      ${this.proposals.map((p) => html`<article class="panel"><h3>${p.words}</h3><p>Proposed by ${p.by}.</p>
        ${p.by === store.me?.name ? html`<p class="note">Somebody else signs.</p>` : html`<button type="button" class="button small" data-sign=${p.id}
          @click=${() => this.post(`/api/proposals/${encodeURIComponent(p.id)}/sign`, {}, "Signed and done.")}>Sign</button>`}</article>`)}</section>`;
  }

  private tile(table: LobbyTable, view: Seen | undefined): TemplateResult {
    const seconds = view ? Math.floor((Date.now() - view.since) / 1000) : 0;
    const staked = view?.boxes.flatMap((b) => b.stakes).reduce((sum, s) => sum + cents(s.amount), 0) ?? 0;
    const f = this.figures.get(table.table);
    const alarm = view?.awaiting.some((a) => a.by) ? "alarm" : "";
    const post = store.me?.post ?? "";
    const closed = view?.closed ?? table.closed;
    return html`<li class="panel ${table.game} ${alarm}" data-table=${table.table}><h3>${table.table} <small>${table.title}</small></h3>
      <p>${closed ? html`<span class="tag">Closed</span> ` : nothing}<b>${view ? (alarm ? "Waits for a ruling" : MOMENTS[view.clock?.phase ?? view.stage] ?? STAGES[view.stage]) : "…"}</b>
        <span class="quiet">for ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}</span></p>
      <dl><div><dt>Round</dt><dd>${view?.round ?? "–"}</dd></div>
        <div><dt>On the table</dt><dd>${show(staked)}</dd></div>
        <div><dt>Handle, last 20</dt><dd>${f ? show(f.handle) : "–"}</dd></div>
        <div><dt>Win</dt><dd>${f ? signed(f.win) : "–"}</dd></div>
        <div><dt>Rounds an hour</dt><dd>${f?.pace ? f.pace.toFixed(0) : "–"}</dd></div>
        <div><dt>Boxes</dt><dd>${view ? view.boxes.filter((b) => b.stakes.length).length : "–"} of ${table.boxes}</dd></div></dl>
      ${view?.notice ? html`<p class="tag">No jackpot bets</p>` : nothing}
      <div class="row"><a class="button small ghost" href=${to("table", table.table)}>Watch</a>
        ${store.me?.may.includes("deal") ? html`<a class="button small ghost" href=${to("dealer", table.table)}>Console</a>` : nothing}
        <a class="button small ghost" href=${to("rounds", table.table)}>Rounds</a>
        ${RANKING.includes(post) && post !== "dealer" ? html`<details class="measures"><summary>Jackpot measures</summary><p class="quiet">After a fault of the jackpot system, at this table.</p>${MEASURES.map(
          ([mode, says, done]) => html`<button type="button" class="button small ghost" @click=${async () => {
            if (await store.ask(table.table, { do: "jackpot_mode", mode })) store.toast(`${table.table} ${done}`);
          }}>${says}</button>`,
        )}</details>` : nothing}
        ${store.me?.may.includes("open_tables") ? tableForms(table, view, () => void this.count()) : nothing}</div></li>`;
  }

  private ruling(table: LobbyTable, view: Seen): TemplateResult {
    const first = view.awaiting[0]!;
    return html`<article class="panel ask" data-ruling=${table.table}><h3>${table.table}: ${first.says}</h3>
      <p>${first.by ? html`For the ${POSTS[first.by]} or above.` : html`Players choose on their own screens.`} ${cited(view.game, first.rules)}</p>
      <div class="beside">${staffFelt(view)}<round-log .table=${table.table} .round=${view.round}></round-log></div>
      ${first.by ? html`<label>In your words, for the record <input maxlength="300" .value=${this.said.get(table.table) ?? ""}
        @input=${(e: Event) => this.said.set(table.table, (e.target as HTMLInputElement).value)}></label>` : nothing}
      <div class="answers">${view.awaiting.map((answer) => this.answer(table.table, view, answer))}</div></article>`;
  }

  private answer(table: string, view: Seen, answer: Lawful): TemplateResult {
    const may = answer.by !== null && this.may(answer.by);
    const held = this.boxes.get(table) ?? [];
    const picks = answer.answer === "return" && answer.by !== null;
    const give = async (): Promise<void> => {
      if (this.busy) return;
      this.busy = true;
      const text = this.said.get(table) ?? "";
      const done = await store.ask(table, { do: "rule", decision: answer.answer, ...(picks ? { boxes: held } : {}), ...(text ? { text } : {}) });
      if (done) this.said.delete(table);
      this.busy = false;
    };
    return html`<section class="answer"><h4>${title(answer.answer)}${answer.box ? `, box ${answer.box}` : ""}</h4>
      ${answer.by && RULINGS[answer.answer] ? html`<p class="quiet">${RULINGS[answer.answer]}</p>` : nothing}
      ${picks ? html`<fieldset><legend>Which boxes</legend><div class="row">${view.boxes.filter((b) => b.stakes.length).map(
        ({ box }) => html`<label class="pill"><input type="checkbox" .checked=${held.includes(box)} @change=${() => {
          this.boxes.set(table, held.includes(box) ? held.filter((b) => b !== box) : [...held, box]);
          this.requestUpdate();
        }}><span>${box}</span></label>`,
      )}</div></fieldset>` : moneyTable(answer.money)}
      ${may ? html`<button type="button" class="button small" data-rule=${answer.answer} @click=${give}>Rule: ${words(answer.answer)}</button>`
        : answer.by ? html`<p class="note">This takes the ${POSTS[answer.by]}.</p>` : nothing}</section>`;
  }

  private cashier(): TemplateResult {
    const pay = async (event: SubmitEvent): Promise<void> => {
      event.preventDefault();
      const form = event.target as HTMLFormElement;
      const data = new FormData(form);
      const out = (event.submitter as HTMLButtonElement | null)?.value === "out";
      const body = { id: unique(), player: String(data.get("player")), amount: plain(cents(String(data.get("amount")))) };
      const says = `${body.player}: ${out ? "chips for money" : "money for chips"}, ${show(body.amount)}.`;
      if (await this.post(`/api/cashier/${out ? "cash-out" : "buy-in"}`, body, says)) form.reset();
    };
    return html`<section class="panel" aria-label="Cashier"><h2>Cashier</h2><form class="bets-form" @submit=${pay}>
      <label>Player <input name="player" required maxlength="40" autocomplete="off"></label>
      <label>Amount <input name="amount" inputmode="decimal" required pattern="[0-9]+([.][0-9]{2})?"></label>
      <div class="row"><button class="button small" value="in">Buy in</button><button class="button small ghost" value="out">Cash out</button></div></form></section>`;
  }
}
customElements.define("pit-page", PitPage);
