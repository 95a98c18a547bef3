import { html, nothing, type TemplateResult } from "lit";

import { awardSays } from "./awards";
import { card } from "./drawing";
import { entitle, Piece, to } from "./element";
import { moneyTable, staffFelt } from "./felt";
import { barsPanel, type Bar } from "./bars";
import { cents, show, signed } from "./money";
import { cited } from "./paragraph";
import "./roundlog";
import { linkForms, newLink, newTable, post, tableForms } from "./measures";
import { readProposals, unsigned, type Proposal } from "./signatures";
import { store } from "./store";
import type { AwardCase, Lawful, LobbyTable, Seen } from "./types";
import { elsewhere, MOMENTS, NO_NAMES, POSTS, RULINGS, STAGES, title, words } from "./words";

interface Call {
  table: string;
  by: string;
  seconds: number;
  coming: string;
}

/** A break-glass account that was used. */
interface Alarm {
  name: string;
  post: string;
  at: string;
  address: string;
  logged_in: boolean;
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
  /** Figures of some table could not be read. */
  private uncounted = false;
  private bars: Bar[] = [];
  private alarms: Alarm[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch();
    let beats = 0;
    this.timer = window.setInterval(() => {
      this.requestUpdate();
      if (beats % 3 === 0) void Promise.all([this.signatures(), this.barred()]);
      if (beats % 15 === 0 || (beats % 3 === 0 && this.uncounted)) void this.count();
      beats++;
    }, 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
    for (const table of store.own) store.unwatch("table", table.table);
  }

  private watch(): void {
    for (const table of store.own) store.watch("table", table.table);
    for (const link of this.links) store.watch("link", link);
  }

  private get links(): string[] {
    return [...new Set([...store.linkNames, ...store.links.keys()])];
  }

  private async signatures(): Promise<void> {
    if (!store.me?.may.includes("countersign")) return;
    const [proposals, calls] = await Promise.all([
      readProposals(),
      store.refresh("/api/calls", store.list<Call>("/api/calls")),
    ]);
    const settled = proposals !== undefined && proposals.length < this.proposals.length;
    [this.proposals, this.calls] = [proposals ?? this.proposals, calls ?? this.calls];
    // What was signed may have opened a link or a table.
    if (settled) void this.count();
    this.requestUpdate();
  }

  private async barred(): Promise<void> {
    const [bars, alarms] = await Promise.all([
      store.refresh("/api/bars", store.list<Bar>("/api/bars")),
      store.refresh("/api/alarms", store.list<Alarm>("/api/alarms")),
    ]);
    [this.bars, this.alarms] = [bars ?? this.bars, alarms ?? this.alarms];
    this.requestUpdate();
  }

  /** The tablet rings when more waits than before, and its tab says how much. */
  protected override updated(): void {
    const waits = this.waiting().length + this.openAwards.length + this.proposals.length + this.alarms.length + this.calls.filter((c) => !c.coming).length;
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

  private get openAwards(): AwardCase[] {
    return this.links.flatMap((link) => store.links.get(link)?.awards ?? []);
  }

  /** Emergencies: an account was used that is kept for them. */
  private alarmed(): TemplateResult | typeof nothing {
    if (!this.alarms.length) return nothing;
    return html`<section aria-label="Alarms" class="queue"><h2>Alarm <span class="count alarm">${this.alarms.length}</span></h2>
      ${this.alarms.map((a) => html`<article class="panel ask" data-alarm=${a.name} role="alert"><b>Break-glass account ${a.name}</b> (${POSTS[a.post] ?? a.post}) was used
        at ${new Date(a.at).toLocaleTimeString()}${a.address ? ` from ${a.address}` : ""}. ${a.logged_in ? "It is logged in." : "It is logged out."}
        <span class="quiet">An administrator ends this alarm by giving it another password.</span></article>`)}</section>`;
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
    this.uncounted = !(await store.refreshLobby());
    this.watch();
    for (const { table } of store.own) {
      const path = `/api/tables/${encodeURIComponent(table)}/rounds?limit=20`;
      const rounds = await store.refresh(path, store.list<Past>(path));
      this.uncounted ||= !rounds;
      if (!rounds) continue;
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
      ${this.alarmed()} ${this.called()} ${this.claims()} ${unsigned(this.proposals, (path, done) => this.post(path, {}, done))}
      ${barsPanel(this.bars, () => void this.barred())}
      <section aria-label="Tables"><h2>Tables</h2><ul class="wall">${views.map(({ table, view }) => this.tile(table, view))}</ul></section>
      <div class="desk">${store.me?.may.includes("run_links") ? this.links.map((link) => linkForms(link, () => void this.signatures())) : nothing}
        ${store.me?.may.includes("open_tables") ? newTable(this.links, () => void this.count()) : nothing}
        ${store.me?.may.includes("seed_links") ? newLink(() => void this.count()) : nothing}</div>
    </main>`;
  }

  /** Major awards: locked when their turn comes, paid when two people have verified them, or denied. */
  private claims(): TemplateResult | typeof nothing {
    const open = this.openAwards;
    if (!open.length) return nothing;
    const me = store.me?.name ?? "";
    return html`<section aria-label="Jackpot claims" class="queue"><h2>Jackpot claims <span class="count alarm">${open.length}</span></h2>
      ${open.map((a) => {
        const view = store.tables.get(a.table);
        return html`<article class="panel ask" data-claim=${a.table}><h3>${title(a.hand)} at ${a.table}, round ${a.round}, box ${a.box}</h3>
          <p>${a.cards.map((c) => card(c))}</p>
          <p data-test="award-state">${awardSays(a)} ${a.signed.length ? `Verified by ${a.signed.join(" and ")}.` : ""}</p>
          <div class="beside">${view ? staffFelt(view) : nothing}<round-log .table=${a.table} .round=${a.round}></round-log></div>
          <div class="row">${a.missing > 0 && store.me?.may.includes("verify_award")
            ? html`<button type="button" class="button small" ?disabled=${a.signed.includes(me)} @click=${() =>
                store.ask(a.table, { do: "verify_award", award: a.award })}>${a.signed.includes(me) ? "You have signed" : "I have verified it"}</button>` : nothing}
            ${a.state === "claimed" && this.may("shift_manager") ? html`<button type="button" class="button small" @click=${() =>
              store.ask(a.table, { do: "rule", decision: "release_award" })}>Do not wait: lock it now</button>` : nothing}
            ${this.may("shift_manager") ? this.denial(a) : nothing}</div></article>`;
      })}</section>`;
  }

  /** A claim that does not prove right is denied with the reason in words. */
  private denial(a: AwardCase): TemplateResult {
    const deny = (event: SubmitEvent): void => {
      event.preventDefault();
      const text = String(new FormData(event.target as HTMLFormElement).get("text") ?? "").trim();
      if (text) void store.ask(a.table, { do: "deny_award", award: a.award, text });
    };
    return html`<details class="deny"><summary>Deny the claim …</summary><form @submit=${deny}>
      <label>Why it does not prove right <input name="text" required maxlength="400" placeholder=${NO_NAMES}></label>
      <button type="submit" class="button small danger">Deny it</button></form></details>`;
  }

  private tile(table: LobbyTable, view: Seen | undefined): TemplateResult {
    if (table.elsewhere)
      return html`<li class="panel ${table.game}" data-table=${table.table}><h3>${table.table} <small>${table.title}</small></h3>
        <p>${table.closed ? html`<span class="tag">Closed</span> ` : nothing}${elsewhere(table.table)}</p></li>`;
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
}
customElements.define("pit-page", PitPage);
