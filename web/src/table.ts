import { html, nothing, type TemplateResult } from "lit";

import { aloud, boxAloud } from "./aloud";
import { asked } from "./asked";
import { awardList } from "./awards";
import { chip, hand, stack } from "./drawing";
import { Piece, to } from "./element";
import { Keyboard } from "./keyboard";
import { aroundDealer, learnLayout, payTables } from "./layout";
import { cents, plain, short, show, signed } from "./money";
import { openRule } from "./paragraph";
import { Coach } from "./practice";
import { prove } from "./proof";
import { net, playedRound, resultList } from "./results";
import { store } from "./store";
import { told } from "./telling";
import type { BetKind, BoxView, ChoiceView, Line, Seen, Terms } from "./types";
import { holeName, POSTS, STAGES, title } from "./words";

type Bets = Record<number, Record<string, number>>;

/** Milliseconds for which a new question takes no answer: the second tap of two was meant for the one before it. */
const FRESH = 350;
const TRAY = [500, 1000, 2500, 10000, 50000];

/** The felt: betting boxes, chips, cards, decisions and results of one table, for a player. */
export class TablePage extends Piece {
  static override properties = { name: { attribute: false } };
  name = "";
  private chip = 2500;
  private active = 0;
  private undoable: Bets[] = [];
  private turn: Promise<void> = Promise.resolve();
  private busy = false;
  private looked = "";
  private learnt = "";
  private asked = "";
  private fresh = false;
  private closedRound = 0;
  private coach!: Coach;
  private keyboard = new Keyboard(this);

  override connectedCallback(): void {
    super.connectedCallback();
    store.watch("table", this.name);
    this.coach = new Coach(this.name, () => this.requestUpdate());
    window.addEventListener("keydown", this.key);
    this.keyboard.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    store.unwatch("table", this.name);
    this.coach.end();
    window.removeEventListener("keydown", this.key);
    this.keyboard.end();
  }

  // ------------------------------------------------------------ what is mine

  private get terms(): Terms | undefined {
    return store.terms.get(this.name);
  }

  private get view(): Seen | undefined {
    return store.tables.get(this.name);
  }

  private mine(box: BoxView): BoxView["stakes"] {
    return box.stakes.filter((stake) => stake.player === store.me?.name);
  }

  private myBoxes(view: Seen): BoxView[] {
    const lines = new Set(this.myLines(view).map((line) => line.box));
    return view.boxes.filter((box) => this.mine(box).length || lines.has(box.box));
  }

  private myLines(view: Seen): Line[] {
    return view.lines.filter((line) => line.player === store.me?.name);
  }

  private myBets(view: Seen): Bets {
    const bets: Bets = {};
    for (const box of view.boxes)
      for (const stake of this.mine(box)) {
        const here = (bets[box.box] ??= {});
        here[stake.bet] = (here[stake.bet] ?? 0) + cents(stake.amount);
      }
    return bets;
  }

  private get plays(): boolean {
    return store.me?.may.includes("play") ?? false;
  }

  /** Bets that one places by hand, in the order of the layout. */
  private placed(terms: Terms): BetKind[] {
    const kinds = ["jackpot", "side", "entry"];
    return terms.bets
      .filter((bet) => bet.kind !== "decision" && (bet.kind !== "jackpot" || terms.jackpot_bet))
      .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  }

  // ------------------------------------------------------------ acting

  /** The pit may change limits and stakeboard from one round to the next: what is printed here follows. */
  private learn(view: Seen): void {
    const terms = JSON.stringify([view.limits, view.jackpot_bet, view.pay_tables]);
    if (terms === this.learnt) return;
    this.learnt = terms;
    void learnLayout(this.name, () => this.isConnected && this.learnt === terms);
    void this.coach.begin();
  }

  protected override willUpdate(): void {
    this.keyboard.note();
    const view = this.view;
    if (!view || !this.plays) return;
    // A box that somebody else has taken meanwhile is left to him.
    const taken = view.stage === "betting" && view.boxes[this.active - 1]?.stakes.some((stake) => stake.player !== store.me?.name);
    if (!this.active || taken) this.active = this.firstBox(view);
    const asked = view.choices.length ? `${view.round} ${view.community.join("")} ${view.choices.map((c) => `${c.box}${c.choice}`).join(" ")}` : "";
    if (asked === this.asked) return;
    this.asked = asked;
    this.fresh = asked !== "";
    window.setTimeout(() => {
      if (this.asked !== asked) return;
      this.fresh = false;
      this.requestUpdate();
    }, FRESH);
  }

  protected override updated(): void {
    this.keyboard.keep();
    const view = this.view;
    if (view) this.learn(view);
    if (!view || !this.plays) return;
    this.coach.look(view);
    if (view.stage === "playing" && this.closedRound !== view.round) {
      this.closedRound = view.round;
      this.undoable = [];
      const bets = this.myBets(view);
      if (Object.keys(bets).length) sessionStorage.setItem(`croupier.bets.${this.name}`, JSON.stringify(bets));
    }
    if (view.stage === "betting" && this.undoable.length && view.round !== this.closedRound + 1 && this.closedRound) {
      this.undoable = [];
    }
    const own = view.boxes.filter((box) => this.mine(box).some((stake) => stake.bet === "ante"));
    const key = `${view.round}`;
    // Real cards are looked at on the table, and the dealer says so.
    if (own.length === 1 && own[0]!.may_examine && this.looked !== key && !this.terms?.physical) {
      this.looked = key;
      void store.ask(this.name, { do: "examine", box: own[0]!.box });
    }
  }

  private firstBox(view: Seen): number {
    const own = view.boxes.find((box) => this.mine(box).length);
    const free = [3, 4, 2, 5, 6, 1, 7].find((n) => view.boxes[n - 1] && !view.boxes[n - 1]!.stakes.length);
    return own?.box ?? free ?? 0;
  }

  /** Taps and keys that come faster than answers wait for their turn; none is lost. */
  private inTurn(act: () => Promise<void>): void {
    this.turn = this.turn.then(act, act);
  }

  private place(box: number, bet: BetKind): void {
    this.inTurn(() => this.lay(box, bet));
  }

  private async lay(box: number, bet: BetKind): Promise<void> {
    const [view, terms] = [this.view, this.terms];
    if (!view || !terms) return;
    const bets = this.myBets(view);
    const now = bets[box]?.[bet.bet] ?? 0;
    const target = structuredClone(bets);
    const here = (target[box] ??= {});
    if (bet.kind === "jackpot") {
      const unit = cents(terms.jackpot_bet ?? "0");
      here[bet.bet] = now >= unit * terms.jackpot_multiples ? 0 : now + unit;
    } else {
      here[bet.bet] = now + this.chip;
    }
    await this.become(target);
  }

  /** Lay the bets so, by as few commands as it takes; an Ante comes off last and goes down first. */
  private async become(target: Bets, undo = true): Promise<void> {
    const [view, terms] = [this.view, this.terms];
    if (!view || !terms || view.stage !== "betting") return;
    this.busy = true;
    this.requestUpdate();
    const before = this.myBets(view);
    const order = [...this.placed(terms)].reverse();
    let moved = false;
    try {
      const boxes = [...new Set([...Object.keys(before), ...Object.keys(target)].map(Number))];
      for (const box of boxes) {
        const now = { ...before[box] };
        const want = target[box] ?? {};
        const anteFalls = (want["ante"] ?? 0) < (now["ante"] ?? 0);
        for (const { bet } of [...order].reverse()) {
          const falls = (want[bet] ?? 0) < (now[bet] ?? 0);
          if (!(now[bet] && (falls || anteFalls))) continue;
          if (!(await store.ask(this.name, { do: "withdraw", box, bet }))) return;
          moved = true;
          now[bet] = 0;
        }
        for (const { bet } of order) {
          const more = (want[bet] ?? 0) - (now[bet] ?? 0);
          if (more <= 0) continue;
          if (!(await store.ask(this.name, { do: "bet", box, bet, amount: plain(more) }))) return;
          moved = true;
        }
      }
      await this.lies(target);
    } finally {
      this.busy = false;
      if (moved && undo) this.undoable.push(before);
      this.requestUpdate();
    }
  }

  /** An answer may be here before the table as it is after it; the next tap counts from what lies there. */
  private async lies(target: Bets): Promise<void> {
    const plainly = (bets: Bets): string => JSON.stringify(Object.entries(bets).map(([box, here]) =>
      [box, Object.entries(here).filter(([, amount]) => amount).sort()]).filter(([, here]) => here!.length));
    const until = Date.now() + 2000;
    while (this.view?.stage === "betting" && plainly(this.myBets(this.view)) !== plainly(target) && Date.now() < until)
      await new Promise((done) => window.setTimeout(done, 15));
  }

  private undo = (): void => this.inTurn(async () => {
    const before = this.undoable.pop();
    if (before) await this.become(before, false);
  });

  private clear = (): void => this.inTurn(() => this.become({}));

  private rebet = (): void => this.inTurn(async () => {
    const kept = this.last();
    if (kept) await this.become(kept);
  });

  private double = (): void => this.inTurn(async () => {
    const [view, terms] = [this.view, this.terms];
    if (!view || !terms) return;
    const target = structuredClone(this.myBets(view));
    for (const bets of Object.values(target))
      for (const bet of this.placed(terms)) {
        const most = cents(terms.limits[bet.bet]?.[1] ?? "0");
        if (bet.kind !== "jackpot" && bets[bet.bet]) bets[bet.bet] = Math.min(bets[bet.bet]! * 2, most);
      }
    await this.become(target);
  });

  private last(): Bets | null {
    const kept: unknown = JSON.parse(sessionStorage.getItem(`croupier.bets.${this.name}`) ?? "null");
    return kept as Bets | null;
  }

  private key = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (!store.settings.keys || event.ctrlKey || event.metaKey || event.altKey || !this.plays) return;
    if (target.closest("input, textarea, select, dialog[open]")) return;
    const [view, terms] = [this.view, this.terms];
    if (!view || !terms) return;
    const key = event.key.toLowerCase();
    const tray = TRAY[Number(key) - 1];
    if (tray) this.chip = tray;
    else if (view.stage === "betting") {
      const bet = this.placed(terms).find((b) => b.bet.startsWith(key));
      const act = { u: this.undo, c: this.clear, r: this.rebet, d: this.double }[key];
      if (act) act();
      else if (bet && this.active) this.place(this.active, bet);
      else return;
    } else {
      const named = { f: (c: ChoiceView) => c.choice === "fold", k: (c: ChoiceView) => c.choice === "check", b: (c: ChoiceView) => cents(c.costs) > 0 }[key];
      const fits = named ? view.choices.filter(named) : [];
      const choice = fits.find((c) => c.box === this.active) ?? fits[0];
      if (!choice) return;
      void this.decide(choice);
    }
    event.preventDefault();
    this.requestUpdate();
  };

  /** Arrows go from chip to chip, as in any group of which one is chosen. */
  private along = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.chip = TRAY[(TRAY.indexOf(this.chip) + step + TRAY.length) % TRAY.length]!;
    this.querySelector<HTMLElement>(`[data-chip="${this.chip / 100}"]`)?.focus();
    this.requestUpdate();
  };

  private async decide(choice: ChoiceView): Promise<void> {
    if (this.busy || this.fresh || !this.view) return;
    this.busy = true;
    this.coach.decided(this.view, choice);
    this.requestUpdate();
    await store.ask(this.name, { do: "decide", box: choice.box, choice: choice.choice });
    this.busy = false;
    this.requestUpdate();
  }

  // ------------------------------------------------------------ drawing

  override render(): TemplateResult {
    const [view, terms] = [this.view, this.terms];
    if (!terms) return html`<main class="narrow" id="main"><h1>There is no table ${this.name}</h1></main>`;
    if (!view) return html`<main class="table-page" id="main"><p>Coming to the table …</p></main>`;
    return html`<main class="table-page ${terms.game} stage-${view.stage}" id="main">
      ${this.heading(view, terms)}
      <p class="sr" role="status" data-test="aloud">${aloud(view, this.moment(view), store.me?.name ?? "")}</p>
      <div class="room">
        <section class="felt" aria-label="The felt">
          <div class="top-of-felt">${aroundDealer(this.name, this.dealer(view, terms))}</div> ${this.strip(view)}
        </section>
        ${this.plays ? this.rail(view, terms) : html`<p class="panel">You watch this table as ${POSTS[store.me?.post ?? ""] ?? "nobody"}.</p>`}
        ${this.session(view)}
      </div>
    </main>`;
  }

  private heading(view: Seen, terms: Terms): TemplateResult {
    const limits = Object.entries(terms.limits);
    return html`<div class="table-head">
      <div><h1>${terms.table} <span>${terms.title}</span></h1>
        <p class="quiet">${terms.operator} · ${limits.map(
          ([bet, [low, high]], i) => html`${i ? ", " : ""}${title(bet)} ${short(cents(low))}–${short(cents(high))}`,
        )} ${terms.currency}</p></div>
      ${terms.link
        ? html`<div class="jackpot-line"><span class="quiet">Jackpot, ${terms.currency}</span>
            <jackpot-meter .link=${terms.link}></jackpot-meter></div>`
        : nothing}
      ${this.plays ? this.coach.toggle() : nothing}
      <div class="moment">${view.closed ? html`<span class="tag">${["betting", "playing"].includes(view.stage) ? "Closes after this round" : "Closed"}</span>` : nothing}<b>${this.moment(view)}</b><clock-ring .table=${this.name}></clock-ring></div>
    </div>`;
  }

  private moment(view: Seen): string {
    if (view.awaiting.some((answer) => answer.by)) return "Waiting for a ruling";
    if (view.awaiting.length) return "Players choose";
    if (view.choices.length) return "Your decision";
    if (view.stage === "playing" && view.clock?.phase === "deciding") return "The others decide";
    return STAGES[view.stage] ?? view.stage;
  }

  private dealer(view: Seen, terms: Terms): TemplateResult {
    return html`<div class="dealer">
      <div class="place"><h2>Dealer</h2>
        ${view.dealer.cards.length ? hand(view.dealer.cards, "Dealer's cards") : html`<div class="cards empty"></div>`}</div>
      ${terms.game.includes("three-card") && !view.community.length
        ? nothing
        : html`<div class="place board"><h2>Community</h2>
            ${view.community.length
              ? hand(view.community, "Community cards")
              : html`<div class="cards empty"></div>`}</div>`}
      <p class="hand-name">${view.dealer.hand}</p>
    </div>`;
  }

  /** The boxes as they lie before the dealer: the first at his left hand, so on the right for whoever faces him. */
  private strip(view: Seen): TemplateResult {
    return html`<div class="boxes" role="group" aria-label="Betting boxes, clockwise from the dealer's left">
      ${[...view.boxes].reverse().map((box) => this.tile(view, box))}
    </div>`;
  }

  private tile(view: Seen, box: BoxView): TemplateResult {
    const lines = view.lines.filter((line) => line.box === box.box);
    const total = box.stakes.reduce((sum, stake) => sum + cents(stake.amount), 0);
    const who = box.stakes[0]?.player ?? lines[0]?.player ?? "";
    const own = who === store.me?.name;
    const result = lines.reduce((sum, line) => sum + net(line), 0);
    const settled = lines.length > 0 && (view.stage !== "void" || result !== 0);
    const free = view.stage === "betting" && !who;
    const stands = { folded: "folded", invalid: "out", forfeited: "lost", live: "", out: "" }[box.stands];
    // Others are known by their box alone.
    const name = own ? "you" : who && "taken";
    return html`<button type="button" class="tile ${own ? "own" : ""} ${box.box === this.active ? "active" : ""} ${stands}"
        ?disabled=${!this.plays || !(free || own)} aria-pressed=${box.box === this.active ? "true" : "false"}
        data-box=${box.box} @click=${() => this.choose(box.box)}>
      <span class="sr">${boxAloud(box, name || (free ? "free" : "nobody"), total, stands ?? "", settled ? result : null)}</span>
      <span class="as-seen" aria-hidden="true"><span class="number">${box.box}</span>
      ${hand(box.cards, "")}
      ${total ? html`<span class="chips">${stack(total)}<span>${short(total)}</span></span>` : nothing}
      ${settled
        ? html`<span class="net ${result > 0 ? "up" : result < 0 ? "down" : ""}">${result > 0 ? "+" : ""}${short(result)}</span>`
        : nothing}
      <span class="name">${name || (free ? "free" : "")}</span>
      ${stands && !lines.length ? html`<span class="stands">${stands}</span>` : nothing}</span>
    </button>`;
  }

  private choose(box: number): void {
    this.active = box;
    this.requestUpdate();
  }

  private rail(view: Seen, terms: Terms): TemplateResult {
    const own = this.myBoxes(view);
    const shown = own.map((box) => box.box);
    if (view.stage === "betting" && this.active && !shown.includes(this.active)) {
      const more = terms.several_boxes || !shown.length;
      if (more && view.boxes[this.active - 1]) shown.push(this.active);
    }
    const betting = view.stage === "betting";
    return html`<section class="rail" aria-label="Your boxes">
      ${this.meanwhile()}
      ${asked(this.name, view, terms)}
      <div class="mine">${shown.sort((a, b) => b - a).map((box) => this.box(view, terms, view.boxes[box - 1]!))}</div>
      ${!shown.length && !betting
        ? html`<p class="panel">${view.closed && view.stage !== "playing" ? "The table is closed." : view.stage === "idle" ? "The table opens in a moment."
            : view.stage === "playing" ? "This round is under way. Place your bets when it is settled." : "The next round begins in a moment."}</p>`
        : nothing}
      ${betting && !shown.length ? html`<p class="panel" data-test="full">Every box of this table is taken. Wait for one, or <a href="#/">choose another table</a>.</p>` : nothing}
      ${betting && shown.length ? this.tray(view, terms) : nothing}
      ${this.outcome(view)}
    </section>`;
  }

  /** What happened while this page had no connection. */
  private meanwhile(): TemplateResult | typeof nothing {
    const missed = store.missed.get(this.name);
    if (!missed) return nothing;
    const close = (): void => {
      store.missed.delete(this.name);
      this.requestUpdate();
    };
    return html`<section class="panel meanwhile" aria-label="While you were away" data-test="meanwhile"><h2>While you were away</h2>
      ${missed.all ? nothing : html`<p>More than can be told here: the rounds are under <a href=${to("rounds", this.name)}>Rounds</a>.</p>`}
      <ol tabindex="0" aria-label="What happened">${missed.events.map((event) => html`<li>${told(event, store.me?.name)}</li>`)}</ol>
      <button type="button" class="button small ghost" @click=${close}>Close</button></section>`;
  }

  /** The result stays until the player bets again; then it is one line that opens. */
  private outcome(view: Seen): TemplateResult | typeof nothing {
    const last = store.lastAt(this.name);
    if (!last) return nothing;
    const over = view.stage === "settled" || view.stage === "void";
    const fresh = last.round === view.round && over;
    const waits = view.round === last.round + 1 && view.stage === "betting" && !Object.keys(this.myBets(view)).length;
    if (!fresh && !waits)
      return over || view.stage === "betting"
        ? html`<section class="outcome" aria-label="Last round">${playedRound(last)}</section>`
        : nothing;
    return html`<section class="outcome" aria-label="Results of round ${last.round}" data-test="results">
      <h2 tabindex="-1">${last.stage === "void" ? "The round is void" : fresh ? "Your result" : "Your last result"}
        <b>${signed(last.net)}</b></h2>
      ${this.coach.review(last.round)} ${resultList(view.game, last.lines, last.hands.length > 1)}
      ${awardList([...(view.awards ?? []), ...(view.earlier_awards ?? [])].filter((a) => a.round === last.round && last.hands.some((h) => h.box === a.box)))}
      ${this.terms?.physical ? nothing : html`<div class="row after"><button type="button" class="button small ghost" @click=${() =>
        prove(last.table, last.round)}>Prove the deck</button>
        <a class="button small ghost" href=${to("replay", last.table, last.round)}>Replay</a></div>`}</section>`;
  }

  private box(view: Seen, terms: Terms, box: BoxView): TemplateResult {
    const choices = view.choices.filter((choice) => choice.box === box.box);
    const blind = view.stage === "playing" && box.cards.length > 0 && box.cards.includes("??") && !box.may_examine
      && this.myBoxes(view).length > 1;
    const name = box.hand || holeName(box.cards);
    const alive = this.kept(terms, box);
    const spots = [...this.placed(terms), ...terms.bets.filter((bet) => bet.kind === "decision")];
    return html`<article class="box ${box.box === this.active ? "active" : ""}" aria-label="Box ${box.box}"
        data-mine=${box.box}>
      <div class="lie"><div class="held">${hand(box.cards, `Your cards at box ${box.box}`)}
          <header><h2>Box ${box.box}</h2>
            <p class="hand-name" data-test="hand">${box.stands === "folded" ? "Folded. " : ""}${blind ? "Played blind" : name}</p></header></div>
        <div class="spots">${spots.map((bet) => this.spot(view, terms, box, bet))}</div></div>
      ${choices.length ? this.choices(view, terms, box, choices) : nothing}
      ${box.stands === "folded" && view.stage === "playing" && alive.length
        ? html`<p class="note">${alive.join(" and ")} ${alive.length > 1 ? "bets stay" : "bet stays"} alive.</p>`
        : nothing}
      ${box.stands === "invalid" && view.stage === "playing"
        ? html`<p class="note">Out of this round: ${show(this.mine(box).reduce((sum, s) => sum + cents(s.amount), 0))} comes back when it is settled.</p>`
        : nothing}
    </article>`;
  }

  /** Bets of a box that a fold does not take. */
  private kept(terms: Terms, box: BoxView): string[] {
    return this.mine(box).filter((s) => terms.fold.keeps.includes(s.bet)).map((s) => title(s.bet));
  }

  private spot(view: Seen, terms: Terms, box: BoxView, bet: BetKind): TemplateResult {
    const lines = view.lines.filter((l) => l.box === box.box && l.bet === bet.bet && l.player === store.me?.name);
    const line = lines[0];
    const back = view.stage === "void";
    const staked = back ? 0 : line ? cents(line.staked) : this.mine(box).filter((s) => s.bet === bet.bet)
      .reduce((sum, s) => sum + cents(s.amount), 0);
    const open = view.stage === "betting" && bet.kind !== "decision";
    // Beside an Ante the server offers the jackpot bet wherever it takes one.
    const asked = open && !staked && this.mine(box).some((s) => s.bet === "ante");
    const barred = bet.kind === "jackpot" && (view.notice || (asked && !view.bets?.some((b) => b.box === box.box && b.bet === bet.bet)));
    const lamp = bet.kind !== "jackpot" ? "" : barred ? "off" : staked ? (open ? "placed" : "accepted") : open ? "invited" : "off";
    const label = title(bet.bet);
    const costs = bet.kind === "jackpot" ? short(cents(terms.jackpot_bet ?? "0")) : bet.kind === "decision" ? `${bet.times_ante}× Ante` : "";
    const limit = terms.limits[bet.bet];
    const hint = limit ? `${short(cents(limit[0]))}–${short(cents(limit[1]))}` : costs;
    const body = html`
      ${lamp ? html`<span class="lamp ${lamp}" data-lamp=${lamp} aria-hidden="true"></span>` : nothing}
      <span class="label">${label}</span>
      ${staked ? html`${stack(staked)}<span class="amount">${show(staked)}</span>` : html`<span class="hint">${barred ? "not taken" : hint}</span>`}
      ${line && (!back || net(line)) ? html`<span class="net ${net(line) > 0 ? "up" : net(line) < 0 ? "down" : ""}">${signed(net(line))}</span>` : nothing}`;
    const classes = `spot ${bet.kind} ${staked ? "laid" : ""}`;
    if (!open || barred)
      return html`<div class=${classes} data-bet=${bet.bet}>${body}
        ${lamp ? html`<span class="sr">${lamp === "off" ? "" : `Jackpot bet ${lamp}`}</span>` : nothing}</div>`;
    const does = bet.kind === "jackpot"
      ? staked >= cents(terms.jackpot_bet ?? "0") * terms.jackpot_multiples ? "take it back" : `put ${costs}`
      : `put ${short(this.chip)}${staked ? " more" : ""}`;
    return html`<button type="button" class=${classes} data-bet=${bet.bet} ?disabled=${!store.online}
      @click=${() => { this.active = box.box; this.place(box.box, bet); }}>${body}
      <span class="sr">${lamp && lamp !== "off" ? `, ${lamp}` : ""}: ${does}</span></button>`;
  }

  private choices(view: Seen, terms: Terms, box: BoxView, choices: ChoiceView[]): TemplateResult {
    const lost = this.mine(box).filter((s) => terms.fold.loses.includes(s.bet)).reduce((sum, s) => sum + cents(s.amount), 0);
    const keeps = this.kept(terms, box);
    const says = (choice: ChoiceView): TemplateResult => {
      if (choice.choice === "fold")
        return html`Fold, lose ${show(lost)}${keeps.length ? html`<small>${keeps.join(" and ")} ${keeps.length > 1 ? "stay" : "stays"} alive</small>` : nothing}`;
      return cents(choice.costs) ? html`${title(choice.choice)} ${show(choice.costs)}` : html`${title(choice.choice)}, costs nothing`;
    };
    return html`<div class="choices" role="group" aria-label="Decide for box ${box.box}" tabindex="-1">
      ${[...choices].sort((a, b) => cents(b.costs) - cents(a.costs)).map(
        (choice) => html`<button type="button" class="button ${cents(choice.costs) ? "" : "ghost"}" data-choice=${choice.choice}
          ?disabled=${this.busy || this.fresh || !store.online} @click=${() => this.decide(choice)}>${says(choice)}${this.coach.worth(view, choice)}</button>`,
      )}
    </div>${choices[0]?.rules.length
      ? html`<button type="button" class="rule of-choice" @click=${() => openRule(terms.game, choices[0]!.rules[0]!)}>The rule for this decision</button>`
      : nothing}${this.coach.note(view, box.box)}`;
  }

  private tray(view: Seen, terms: Terms): TemplateResult {
    const bets = this.myBets(view);
    const total = Object.values(bets).flatMap((b) => Object.values(b)).reduce((sum, n) => sum + n, 0);
    const balance = store.balance ?? 0;
    return html`<div class="tray" role="group" aria-label="Chips">
      <div class="chips-row" role="radiogroup" aria-label="Which chip" @keydown=${this.along}>${TRAY.map(
        (value) => html`<button type="button" role="radio" class="pick" data-chip=${value / 100} tabindex=${value === this.chip ? 0 : -1}
          aria-checked=${value === this.chip ? "true" : "false"} aria-label="Chip of ${short(value)}"
          @click=${() => { this.chip = value; this.requestUpdate(); }}>${chip(value)}</button>`,
      )}</div>
      <div class="row tools">
        <button type="button" class="button small ghost" ?disabled=${!this.undoable.length || this.busy} data-tool="undo" @click=${this.undo}>Undo</button>
        <button type="button" class="button small ghost" ?disabled=${!total || this.busy} data-tool="clear" @click=${this.clear}>Clear</button>
        <button type="button" class="button small ghost" ?disabled=${!this.last() || this.busy} data-tool="rebet" @click=${this.rebet}>Rebet</button>
        <button type="button" class="button small ghost" ?disabled=${!total || this.busy || total > balance} data-tool="double" @click=${this.double}>Double</button>
        <span class="total">${total ? html`On the table <b>${show(total)}</b> ${terms.currency}`
          : store.balance === 0 ? `You have no chips left: ${store.demo ? "log out, and come in as a new guest" : "the cashier has some"}.`
          : "Tap a chip, tap a spot"}</span>
      </div></div>`;
  }

  private session(view: Seen): TemplateResult {
    const rounds = store.history.length;
    const total = store.history.reduce((sum, played) => sum + played.net, 0);
    const minutes = Math.floor((Date.now() - store.since) / 60_000);
    return html`<aside class="session" aria-label="Your session">
      ${this.plays
        ? html`<h2>Your session</h2>
          <dl><div><dt>Balance, ${this.terms?.currency}</dt><dd>${store.balance === null ? "–" : show(store.balance)}</dd></div>
            <div><dt>Net, ${this.terms?.currency}</dt><dd>${signed(total)}</dd></div>
            <div><dt>Rounds</dt><dd>${rounds}</dd></div>
            <div><dt>Time</dt><dd>${minutes} min</dd></div></dl>
          ${store.history.length ? html`<h3>History</h3>${store.history.slice(0, 30).map((played) => playedRound(played))}` : nothing}`
        : nothing}
      ${this.coach.summary(this.plays)} ${payTables(this.name)}
      <h3>Round ${view.round}</h3>
      ${view.commitment
        ? html`<p class="quiet seal">The deck was sealed before the bets: <code>${view.commitment.slice(0, 16)}…</code></p>`
        : nothing}
      <p><a href="#/rules/${view.game}">Rules of this game</a></p>
    </aside>`;
  }
}
customElements.define("table-page", TablePage);
