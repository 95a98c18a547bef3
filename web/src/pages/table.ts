import { html, nothing, type TemplateResult } from "lit";

import type { ChoiceView } from "../api/types";
import { dock } from "../components/player/dock";
import { missedEvents } from "../components/player/missed-events";
import { ownFelt } from "../components/player/own-felt";
import type { PlayerTable } from "../components/player/player-table";
import { roundOutcome } from "../components/player/round-outcome";
import { sessionPanel } from "../components/player/session-panel";
import { phaseName, tableHeading } from "../components/player/table-heading";
import { winMoment, winOf } from "../components/player/win-moment";
import { StateElement } from "../lib/element";
import { FocusKeeper } from "../lib/focus";
import { cents, totalOf } from "../lib/money";
import { Betting, TRAY } from "../lib/play/betting";
import { Coach } from "../lib/play/coach";
import { Decisions } from "../lib/play/decisions";
import { keepOpenHand } from "../lib/play/open-hand";
import { ownBoxes, ownStakes, placeableKinds } from "../lib/play/own-bets";
import { type Moment, Staging } from "../lib/play/staging";
import { isOver, type LiveView } from "../lib/play/table-view";
import { play } from "../lib/sound";
import { live, perform } from "../lib/state/live";
import { lobby } from "../lib/state/lobby";
import { ownRounds } from "../lib/state/own-rounds";
import { loadPayTables } from "../lib/state/pay-tables";
import { session } from "../lib/state/session";
import { settings } from "../lib/state/settings";
import { tables } from "../lib/state/tables";
import { endPhaseToasts } from "../lib/state/toasts";
import { postName } from "../lib/text/labels";
import { t } from "../lib/text/language";
import { describeRound } from "../lib/text/narration";

/** The choices that a key stands for. None of these keys places a bet, so that one pressed too late costs nothing. */
const CHOICE_KEYS: Record<string, (choice: ChoiceView) => boolean> = {
  f: ({ choice }) => choice === "fold",
  k: ({ choice }) => choice === "check",
  g: ({ costs }) => cents(costs) > 0,
};

/** The page of a player at one table: the felt, their boxes, chips, decisions and results. */
export class TablePage extends StateElement {
  static override properties = { name: { attribute: false } };
  name = "";
  private betting!: Betting;
  private decisions!: Decisions;
  private coach!: Coach;
  private staging!: Staging;
  private focusKeeper = new FocusKeeper(this);
  /** The round in which this page has looked at the player's hand. */
  private examinedRound = 0;
  /** The last view of a round that is over and was the player's. */
  private last: LiveView | undefined;
  /** Cents on the table when it was last looked at. */
  private chips = -1;
  /** The stage that was last looked at. */
  private stage = "";
  /** The limits and pay tables that the page has loaded its print for. */
  private printedTerms = "";

  private stopFollowing = (): void => {};

  private redraw = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    lobby.find(this.name);
    live.watch("table", this.name);
    const changed = this.redraw;
    this.betting = new Betting(this.name, changed);
    this.decisions = new Decisions(this.name, changed);
    this.coach = new Coach(this.name, changed);
    this.staging = new Staging(changed, (moment, view) => this.accompany(moment, view));
    window.addEventListener("keydown", this.handleKey);
    // Another tab has kept a change that can be undone.
    window.addEventListener("storage", changed);
    this.stopFollowing = ownRounds.follow();
    this.focusKeeper.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    live.unwatch("table", this.name);
    this.coach.stop();
    this.staging.stop();
    window.removeEventListener("keydown", this.handleKey);
    window.removeEventListener("storage", this.redraw);
    this.stopFollowing();
    this.focusKeeper.stop();
  }

  private get table(): PlayerTable | undefined {
    const [view, terms] = [tables.views.get(this.name), lobby.terms.get(this.name)];
    if (!view || !terms) return undefined;
    const { name, betting, decisions, coach, staging } = this;
    const shown = staging.show(view);
    const [isStaged, plays] = [staging.isRunning, session.may("play")];
    return { name, view: shown, isStaged, terms, plays, betting, decisions, coach };
  }

  /** The newest view of the server; the page may still be showing how it came about. */
  private get newest(): LiveView | undefined {
    return tables.views.get(this.name);
  }

  protected override willUpdate(): void {
    this.focusKeeper.remember();
    const table = this.table;
    if (!table?.plays) return;
    this.betting.followBoxes(this.newest ?? table.view);
    this.decisions.follow(table.view);
    if (!isOver(table.view) || !ownBoxes(table.view).length) return;
    if (this.last?.round !== table.view.round) ownRounds.settled();
    this.last = table.view;
  }

  protected override updated(): void {
    this.focusKeeper.restore();
    const table = this.table;
    const newest = this.newest;
    if (newest) this.followTerms(newest);
    if (!table?.plays || !newest) return;
    if (newest.stage !== this.stage) endPhaseToasts();
    this.stage = newest.stage;
    this.coach.look(newest);
    this.betting.followRounds(newest);
    keepOpenHand(newest);
    this.examineOnlyHand({ ...table, view: newest });
    this.hearChips(newest);
  }

  /** The sounds of what is shown: cards, the dealer's hand, chips, a win. */
  private accompany(moment: Moment, view: LiveView): void {
    if (moment === "deal") play("card", Math.min(view.boxes.flatMap(({ cards }) => cards).length, 12));
    else if (moment === "street" || moment === "dealer") play("card", 2);
    else if (moment === "box") play("chip");
    else if (moment === "end" && isOver(view)) this.celebrate(view);
  }

  private celebrate(view: LiveView): void {
    const win = winOf(view);
    if (win) play(win.isJackpot ? "jackpot" : "win", 1);
  }

  /** Chips of any player are heard as they are placed. */
  private hearChips(view: LiveView): void {
    const total = view.stage === "betting" ? totalOf(view.boxes.flatMap(({ stakes }) => stakes)) : 0;
    if (total > this.chips && this.chips >= 0) play("chip");
    this.chips = total;
  }

  /** Load the print again where the pit has changed the limits or the stakeboard. */
  private followTerms({ limits, jackpot_bet, pay_tables }: LiveView): void {
    const terms = JSON.stringify([limits, jackpot_bet, pay_tables]);
    if (terms === this.printedTerms) return;
    this.printedTerms = terms;
    void loadPayTables(this.name, () => this.isConnected && this.printedTerms === terms);
    void this.coach.loadEdge();
  }

  /** Look at the hand of a player with one box. Real cards are looked at on the table, and the dealer enters it. */
  private examineOnlyHand({ view, terms }: PlayerTable): void {
    const [box, ...others] = view.boxes.filter((b) => ownStakes(b).some(({ bet }) => bet === "ante"));
    if (!box?.may_examine || others.length || terms.physical || this.examinedRound === view.round) return;
    this.examinedRound = view.round;
    void perform(this.name, { do: "examine", box: box.box });
  }

  private handleKey = (event: KeyboardEvent): void => {
    const table = this.table;
    if (!table?.plays || !settings.current.keys || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as HTMLElement).closest("input, textarea, select, dialog[open]")) return;
    const key = event.key.toLowerCase();
    const chip = TRAY[Number(key) - 1];
    if (chip) this.betting.chip = chip;
    else if (!(table.view.stage === "betting" ? this.betByKey(table, key) : this.decideByKey(table, key))) return;
    event.preventDefault();
    this.requestUpdate();
  };

  /** Act on a key while bets are open; false where the key has no meaning. */
  private betByKey({ view, terms, betting }: PlayerTable, key: string): boolean {
    const hasBets = !terms.staffed && ownBoxes(view).length > 0 && !betting.waitingFor(view.round);
    const { undo, clear, rebet, double, dealNow } = betting;
    const tool = { u: undo, c: clear, r: rebet, d: double, n: hasBets ? dealNow : undefined }[key];
    const bet = placeableKinds(terms).find((kind) => kind.bet.startsWith(key));
    if (tool) tool();
    else if (bet && betting.active) betting.place(betting.active, bet);
    else return false;
    return true;
  }

  private decideByKey({ view, betting, decisions, coach }: PlayerTable, key: string): boolean {
    const fitting = view.choices.filter(CHOICE_KEYS[key] ?? (() => false));
    const choice = fitting.find(({ box }) => box === betting.active) ?? fitting[0];
    if (!choice) return false;
    void decisions.decide(choice, () => coach.keep(view, choice));
    return true;
  }

  override render(): TemplateResult {
    if (!lobby.terms.has(this.name))
      return html`<main class="narrow" id="main"><h1>${t("There is no table {name}", { name: this.name })}</h1>
        <p><a href="#/">${t("Tables")}</a></p></main>`;
    const table = this.table;
    if (!table) return html`<main class="table-page" id="main"><p>${t("Loading the table …")}</p></main>`;
    const { view, terms } = table;
    const round = describeRound(view, phaseName(view, table.isStaged), session.me?.name ?? "", terms.physical);
    const watcher = html`<p class="wait">${t("You watch this table as {post}.", {
      post: session.me ? postName(session.me.post) : t("a guest"),
    })}</p>`;
    return html`<main class="table-page ${terms.game} stage-${view.stage}" id="main">
      <p class="sr" role="status" data-test="aloud">${round}</p>
      <div class="play-area" @pointerdown=${this.staging.skip}>
        ${tableHeading(table)} ${table.plays ? missedEvents(this.name) : nothing} ${ownFelt(table, this.last)}
        ${table.plays ? dock(table) : html`<section class="rail" aria-label=${t("Watching")}>${watcher}</section>`}
        ${winMoment(view)}
      </div>
      <div class="below">${table.plays ? roundOutcome(table) : nothing} ${sessionPanel(table)}</div>
      ${table.plays ? html`<confirm-dialog></confirm-dialog>` : nothing}
    </main>`;
  }
}
customElements.define("table-page", TablePage);
