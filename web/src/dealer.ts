import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { failure, isTemporary } from "./api";
import { awardList } from "./awards";
import { card } from "./drawing";
import { Piece } from "./element";
import { moneyTable, staffFelt } from "./felt";
import "./report";
import type { ReportDialog } from "./report";
import { breakdown, cents, plain, short, show, signed } from "./money";
import { cited } from "./paragraph";
import { RETRY, store } from "./store";
import type { Line, Procedure, Seen, Stake, TableView, Terms } from "./types";
import { hour, POSTS, title, words } from "./words";

const CARD = /([2-9TJQKA]|10)([cdhs])/gi;
const RANKING = ["dealer", "pit_supervisor", "pit_manager", "shift_manager"];

/** "as kd" as "As Kd"; what is no card is left out. */
export function cardsIn(text: string): string[] {
  return [...text.matchAll(CARD)].map((m) => `${m[1]!.toUpperCase().replace("10", "T")}${m[2]!.toLowerCase()}`);
}

/** The dealer's console: the words to say, the next step, bets and cards from the keyboard, what to pay and take. */
export class DealerPage extends Piece {
  static override properties = { name: { attribute: false } };
  name = "";
  private procedure: Procedure | null = null;
  private known = -1;
  private learnt = -1;
  private typed: Record<string, string> = {};
  private entry = { box: 1, player: "", bet: "ante", amount: "25.00" };
  private busy = false;
  private failed = "";
  private called = "";
  private timer = 0;
  private lies: Record<number, string> = {};

  override connectedCallback(): void {
    super.connectedCallback();
    store.watch("table", this.name);
    void this.hear();
    this.timer = window.setInterval(() => void this.hear(), 3000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
    store.unwatch("table", this.name);
  }

  protected override updated(): void {
    const view = store.tables.get(this.name);
    if (!view || view.seq === this.known) return;
    this.known = view.seq;
    void this.learn();
  }

  private async learn(): Promise<void> {
    const seq = this.known;
    try {
      const said = await store.get<Procedure>(`/api/tables/${encodeURIComponent(this.name)}/procedure`);
      if (seq !== this.known) return;
      [this.procedure, this.learnt, this.failed] = [said, seq, ""];
    } catch (wrong) {
      if (isTemporary(wrong)) window.setTimeout(() => seq === this.known && this.isConnected && void this.learn(), RETRY);
      this.failed = failure(wrong);
    }
    this.requestUpdate();
    await this.updateComplete;
    const field = this.querySelector<HTMLInputElement>(".next [autofocus]");
    if (field && document.activeElement?.matches("body, main")) field.focus();
  }

  /** Nothing is to be pressed while an answer is on its way, or while the step on the page is not the table's yet. */
  private get held(): boolean {
    return this.busy || this.learnt !== this.known;
  }

  private async ask(command: Record<string, unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.requestUpdate();
    const done = await store.ask(this.name, command);
    this.busy = false;
    this.requestUpdate();
    return done;
  }

  override render(): TemplateResult {
    const [view, terms] = [store.tables.get(this.name), store.terms.get(this.name)];
    if (!terms) return html`<main class="narrow" id="main"><h1>There is no table ${this.name}</h1></main>`;
    if (!view) return html`<main id="main"><p>Coming to the table …</p></main>`;
    const onTable = view.boxes.flatMap((box) => box.stakes).reduce((sum, stake) => sum + cents(stake.amount), 0);
    return html`<main class="dealer-page ${terms.game}" id="main">
      <div class="table-head"><div><h1>${terms.table} <span>${terms.title}, round ${view.round}</span></h1>
          <p class="quiet">${terms.operator} · ${words(terms.dealing)} · ${terms.physical ? "real cards" : "the program deals"}</p>
          <p data-test="shift">${title(store.me?.name ?? "")}, on shift since ${hour(store.since)} · on the table ${show(onTable)} · bank ${this.procedure ? signed(cents(this.procedure.bank)) : "…"} ${terms.currency}</p></div>
        <div class="row">${this.calling()}<button type="button" class="button danger" @click=${this.irregular}>Irregularity</button></div></div>
      <div class="console"><div class="column">
        <section class="next panel" aria-label="The next step" aria-live="polite">${this.failed ? html`<p class="wrong" role="alert">${this.failed}</p>` : this.next(view, terms)}</section>
        ${view.stage === "betting" ? this.bets(view, terms) : nothing}
        ${view.stage === "settled" || view.stage === "void" ? this.payAndTake(view) : nothing}
        ${awardList(view.earlier_awards, "Not of this round: pay nothing for it here.")}
        ${terms.physical && view.stage !== "idle" ? this.correction(view) : nothing}</div>
        <div class="column"><section class="panel felt-panel" aria-label="The table">${staffFelt(view)}</section>
        <section class="panel last" aria-label="The procedure"><h2>Procedure</h2>${this.steps(view)}</section></div>
      </div>
      <report-dialog></report-dialog>
    </main>`;
  }

  private irregular = (): void => {
    this.querySelector<ReportDialog>("report-dialog")?.open(this.name);
  };

  // ------------------------------------------------------------ calling the pit

  private async hear(): Promise<void> {
    const calls = await store.refresh("/api/calls", store.list<{ table: string; coming: string }>("/api/calls"));
    if (!calls) return;
    const mine = calls.find((call) => call.table === this.name);
    this.called = mine ? mine.coming || "…" : "";
    this.requestUpdate();
  }

  private calling(): TemplateResult {
    const path = `/api/tables/${encodeURIComponent(this.name)}/call`;
    const send = async (to: string): Promise<void> => {
      await store.send("POST", to).catch((wrong: unknown) => store.toast(failure(wrong), "refusal"));
      await this.hear();
    };
    if (!this.called) return html`<button type="button" class="button ghost" @click=${() => send(path)}>Call the supervisor</button>`;
    return html`<span role="status" data-test="called">${this.called === "…" ? "The pit has been called." : `${this.called} is coming.`}</span>
      <button type="button" class="button ghost" @click=${() => send(`${path}/end`)}>No longer needed</button>`;
  }

  // ------------------------------------------------------------ what comes next

  private next(view: Seen, terms: Terms): TemplateResult {
    const p = this.procedure;
    if (view.awaiting.length) return this.awaited(view);
    if (view.stage === "betting")
      return html`<p class="say">“Place your bets, please.”</p>
        <button type="button" class="button" ?disabled=${this.held} @click=${() => this.ask({ do: "close_bets" })}>“No more bets”: close</button>`;
    if (view.stage !== "playing")
      return html`${view.stage === "idle" ? nothing : html`<p>${view.stage === "void" ? "The round is void: give every bet back." : "Pay and take, box by box, then open the next round."}</p>`}
        <p class="say">“Place your bets, please.”</p>
        <button type="button" class="button" ?disabled=${this.held} @click=${() => this.ask({ do: "open" })}>Open bets</button>`;
    if (!p || p.round !== view.round) return html`<p>…</p>`;
    const step = p.at === null ? undefined : p.steps[p.at];
    const words = html`<p class="say">${step?.says ?? ""}</p><p>${step ? cited(view.game, step.rules) : nothing}</p>`;
    if (p.deal)
      return html`${words}<button type="button" class="button" ?disabled=${this.held} @click=${() => this.ask({ do: "deal" })}>Done: cards are dealt</button>`;
    if (Object.keys(p.turn).length) return html`${words}${this.cards(view, p)}`;
    if (p.decision) return html`${words}${this.decisions(view, terms, p.decision)}`;
    return words;
  }

  private awaited(view: Seen): TemplateResult {
    const mine = RANKING.indexOf(store.me?.post ?? "");
    return html`<p class="say">The round waits</p>${view.awaiting.map((answer) => {
      const may = answer.by === null || mine >= RANKING.indexOf(answer.by);
      return html`<article class="answer"><h3>${answer.says}: ${words(answer.answer)}${answer.box ? ` for box ${answer.box}` : ""}</h3>
        <p>${answer.by ? html`Decided by the ${POSTS[answer.by]} or above.` : html`Box ${answer.box} chooses.`} ${cited(view.game, answer.rules)}</p>
        ${moneyTable(answer.money)}
        ${may ? html`<button type="button" class="button small" ?disabled=${this.held} @click=${() =>
          this.ask(answer.by === null ? { do: "choose", box: answer.box, option: answer.answer } : { do: "rule", decision: answer.answer })}>
          ${answer.by === null ? "This is chosen" : "Rule this"}</button>` : html`<p class="note">You may not rule this yourself: call the ${POSTS[answer.by!]}.</p>`}
      </article>`;
    })}`;
  }

  /** Cards from the keyboard; what already lies on the table never leaves this page. */
  private cards(view: Seen, p: Procedure): TemplateResult {
    const lying = new Set([...view.community, ...view.dealer.cards, ...view.boxes.flatMap((box) => box.cards)]);
    const places = Object.entries(p.turn);
    const typed = places.map(([place, count]) => ({ place, count, cards: cardsIn(this.typed[place] ?? "") }));
    const all = typed.flatMap((t) => t.cards);
    const rest = typed.map((t) => (this.typed[t.place] ?? "").replace(CARD, "").trim()).filter(Boolean).join(" ");
    // Somebody who has typed a rank is about to type its suit.
    const strange = rest.replace(/(^|\s)(10?|[2-9TJQKA])$/i, "").trim();
    const twice = all.filter((c, i) => lying.has(c) || all.indexOf(c) !== i);
    const whole = typed.every((t) => t.cards.length === t.count) && !twice.length && !rest;
    const send = async (event: Event): Promise<void> => {
      event.preventDefault();
      if (!whole) return;
      const cards = Object.fromEntries(typed.map((t) => [t.place, t.cards.join(" ")]));
      if (await this.ask({ do: "turn", cards })) this.typed = {};
    };
    return html`<form class="enter" @submit=${send}>${typed.map(
      ({ place, count, cards }, i) => html`<label>${/^\d/.test(place) ? `Box ${place}` : title(place)}: ${count} ${count > 1 ? "cards" : "card"}
        <input ?autofocus=${i === 0} autocomplete="off" autocapitalize="none" spellcheck="false" inputmode="text" data-place=${place}
          placeholder=${["As", "Kd", "Qh", "Jc", "Ts"].slice(0, count).join(" ")} .value=${this.typed[place] ?? ""}
          @input=${(e: Event) => { this.typed = { ...this.typed, [place]: (e.target as HTMLInputElement).value }; this.requestUpdate(); }}>
        <span class="mini"><span>${cards.map((c) => card(c))}</span></span></label>`,
    )}
      ${twice.length ? html`<p class="wrong" role="alert">${[...new Set(twice)].map((c) => `${c} ${lying.has(c) ? "lies on the table already" : "is typed twice"}`).join(", ")}.</p>` : nothing}
      ${strange ? html`<p class="wrong" role="status">“${strange}” is no card: type As, Kd, Th, 9c.</p>` : nothing}
      <button class="button" ?disabled=${!whole || this.held}>Turned</button></form>`;
  }

  private decisions(view: Seen, terms: Terms, due: NonNullable<Procedure["decision"]>): TemplateResult {
    // Rows stay where they are while boxes decide, so that no button comes to lie under a finger meant for another.
    return html`<ul class="due">${repeat(view.boxes.filter((box) => box.stakes.length), (box) => box.box, (box) => {
      const number = box.box;
      if (!due.boxes.includes(number)) return html`<li><b>Box ${number}</b> <span class="quiet">${box.choices.length ? words(box.choices.at(-1)!) : words(box.stands)}</span></li>`;
      const ante = box.stakes.filter((s) => s.bet === "ante").reduce((sum, s) => sum + cents(s.amount), 0);
      const right = ante * due.times_ante;
      const typed = this.lies[number] || plain(right);
      const amount = /^\d{1,9}([.]\d\d)?$/.test(typed);
      const lies = amount ? cents(typed) : right;
      const player = box.stakes[0]?.player;
      // Chips that are not what the rules ask for are entered as they lie; the settlement says what goes back.
      const send = (choice: string): Promise<boolean> => this.ask({ do: "decide", box: number, choice,
        ...(choice === due.bet && lies !== right ? { amount: plain(lies), noticed: false } : {}) });
      return html`<li><b>Box ${number}</b> ${(due.choices_of[number] ?? []).map(
        (choice) => html`<button type="button" class="button small ${choice === due.bet ? "" : "ghost"}" ?disabled=${this.held || (choice === due.bet && !amount)} data-decide="${number}-${choice}"
          @click=${() => send(choice).then((done) => { if (done) delete this.lies[number]; })}>${title(choice)}${choice === due.bet ? ` ${show(lies)}` : ""}</button>`,
      )}
      ${terms.physical ? html`<label class="lies">chips there <input inputmode="decimal" data-lies=${number} .value=${this.lies[number] ?? ""} placeholder=${plain(right)}
          @input=${(e: Event) => { this.lies = { ...this.lies, [number]: (e.target as HTMLInputElement).value }; this.requestUpdate(); }}></label>
        ${box.examined_by.length ? html`<span class="quiet">has looked</span>` : html`<button type="button" class="button small ghost" data-looked=${number} ?disabled=${this.held}
          @click=${() => this.ask({ do: "examine", player, box: number })}>Has looked</button>`}
        ${!amount ? html`<span class="wrong">no amount</span>` : lies === right ? nothing : html`<span class="wrong">not ${show(right)}</span>`}` : nothing}</li>`;
    })}</ul>${terms.physical ? nothing : html`<p class="quiet">Players at their own screens decide there.</p>`}`;
  }

  /** What was entered wrong is put right by two people, in the open. */
  private correction(view: Seen): TemplateResult {
    const places: [string, string[]][] = [["community", view.community], ["dealer", view.dealer.cards], ...view.boxes.map((b): [string, string[]] => [String(b.box), b.cards])];
    const lying = places.filter(([, cards]) => cards.some((c) => c !== "??"));
    if (!lying.length) return html``;
    const propose = async (event: SubmitEvent): Promise<void> => {
      event.preventDefault();
      const data = new FormData(event.target as HTMLFormElement);
      const place = String(data.get("place"));
      try {
        await store.send("POST", `/api/tables/${encodeURIComponent(this.name)}/correct`, { cards: { [place]: cardsIn(String(data.get("cards"))).join(" ") } });
        store.toast("Proposed. Somebody in the pit has to sign.");
      } catch (wrong) {
        store.toast(failure(wrong), "refusal");
      }
    };
    return html`<details class="panel"><summary>Correct cards that were entered wrong</summary><form @submit=${propose}>
      <label>Where <select name="place">${lying.map(([place]) => html`<option value=${place}>${/^\d/.test(place) ? `Box ${place}` : title(place)}</option>`)}</select></label>
      <label>What really lies there <input name="cards" required autocomplete="off" autocapitalize="none" spellcheck="false"></label>
      <button class="button small">Propose</button></form></details>`;
  }

  // ------------------------------------------------------------ bets of players without a screen

  /** What lay there at "No more bets" in an earlier round, whoever dealt it. */
  private async lastBets(round: number): Promise<(Stake & { box: number })[]> {
    try {
      const said = await store.get<{ steps: { event: { type: string }; view: TableView }[] }>(`/api/tables/${encodeURIComponent(this.name)}/rounds/${round}`);
      const closed = said.steps.find((step) => step.event.type === "BetsClosed");
      if (!closed) store.toast("Bets were never closed in the last round.");
      return closed?.view.boxes.flatMap((box) => box.stakes.map((stake) => ({ box: box.box, ...stake }))) ?? [];
    } catch (wrong) {
      store.toast(failure(wrong), "refusal");
      return [];
    }
  }

  private bets(view: Seen, terms: Terms): TemplateResult {
    const kinds = terms.bets.filter((bet) => bet.kind !== "decision" && (bet.kind !== "jackpot" || terms.jackpot_bet));
    const place = async (event: Event): Promise<void> => {
      event.preventDefault();
      const { box, player, bet, amount } = this.entry;
      await this.ask({ do: "bet", box, player, bet, amount: plain(cents(amount)) });
    };
    const again = async (): Promise<void> => {
      const order = kinds.map((k) => k.bet);
      for (const s of (await this.lastBets(view.round - 1)).sort((a, b) => order.indexOf(a.bet) - order.indexOf(b.bet)))
        await this.ask({ do: "bet", box: s.box, player: s.player, bet: s.bet, amount: s.amount });
    };
    const set = (field: Partial<DealerPage["entry"]>): void => {
      this.entry = { ...this.entry, ...field };
      this.requestUpdate();
    };
    const value = (e: Event): string => (e.target as HTMLInputElement).value;
    return html`<section class="panel" aria-label="Enter bets"><h2>Enter bets</h2>
      <form class="bets-form" @submit=${place}>
        <fieldset><legend>Box</legend><div class="row">${view.boxes.map(
          (box) => html`<label class="pill"><input type="radio" name="box" .checked=${this.entry.box === box.box} @change=${() =>
            set({ box: box.box, player: box.stakes[0]?.player ?? this.entry.player })}><span>${box.box}</span></label>`,
        )}</div></fieldset>
        <label>Player <input name="player" required maxlength="40" autocomplete="off" autocapitalize="none" .value=${this.entry.player} @input=${(e: Event) => set({ player: value(e) })}></label>
        <fieldset><legend>Bet</legend><div class="row">${kinds.map(
          (kind) => html`<label class="pill"><input type="radio" name="bet" .checked=${this.entry.bet === kind.bet} @change=${() =>
            set({ bet: kind.bet, ...(kind.kind === "jackpot" ? { amount: terms.jackpot_bet! } : {}) })}><span>${title(kind.bet)}</span></label>`,
        )}</div></fieldset>
        <label>Amount <input name="amount" inputmode="decimal" required pattern="[0-9]+([.][0-9]{2})?" .value=${this.entry.amount} @input=${(e: Event) => set({ amount: value(e) })}></label>
        <div class="row"><button class="button" ?disabled=${this.busy}>Place</button>
          ${view.round > 1 ? html`<button type="button" class="button ghost" ?disabled=${this.busy} @click=${again}>As in the last round</button>` : nothing}</div>
      </form>
      ${view.boxes.some((box) => box.stakes.length) ? html`<h3>Take a bet back</h3><div class="row">${view.boxes.flatMap((box) =>
        box.stakes.map((s) => html`<button type="button" class="button small ghost" @click=${() =>
          this.ask({ do: "withdraw", player: s.player, box: box.box, bet: s.bet })}>Box ${box.box} ${title(s.bet)} ${short(cents(s.amount))}</button>`),
      )}</div>` : nothing}
    </section>`;
  }

  // ------------------------------------------------------------ after the comparison

  private payAndTake(view: Seen): TemplateResult {
    const boxes = [...new Set(view.lines.map((line) => line.box))];
    return html`<section class="panel" aria-label="Pay and take" data-test="pay"><h2>Pay and take</h2>
      <ol class="pay">${boxes.map((box) => html`<li><h3>Box ${box}, ${view.lines.find((l) => l.box === box)!.player}</h3>
        <ul>${view.lines.filter((line) => line.box === box).map((line) => this.hands(view, line))}</ul></li>`)}</ol>
      ${awardList(view.awards, "Take the jackpot bet. Do not pay the award: hold the cards until two people have verified it.")}</section>`;
  }

  private hands(view: Seen, line: Line): TemplateResult {
    const [won, staked, back] = [cents(line.won), cents(line.staked), cents(line.returned)];
    const moves = [
      staked > back ? html`<b class="take">Take ${show(staked - back)}</b>` : nothing,
      won ? html`<b class="give">Pay ${show(won)}</b> <span class="quiet">${breakdown(won).map(([size, count]) => `${count} × ${short(size)}`).join(" + ")}</span>` : nothing,
      back && line.outcome === "stand_off" ? html`<b>Leave ${show(back)}</b>` : nothing,
      back && (line.outcome === "lose" || line.outcome === "returned") ? html`<b class="give">Give back ${show(back)}</b>` : nothing,
    ];
    return html`<li><span>${title(line.bet)}</span> ${moves.map((move) => html`${move} `)}<span class="because">${line.because} ${cited(view.game, line.rules)}</span></li>`;
  }

  private steps(view: Seen): TemplateResult {
    const p = this.procedure;
    return p
      ? html`<ol class="steps">${p.steps.map((step, i) => html`<li class=${p.at === null ? "" : i < p.at ? "past" : i === p.at ? "now" : ""}
          aria-current=${i === p.at ? "step" : "false"}>${step.says} ${cited(view.game, step.rules)}</li>`)}</ol>`
      : html`<p>…</p>`;
  }
}
customElements.define("dealer-page", DealerPage);
