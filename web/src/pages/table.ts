import { html, nothing, type TemplateResult } from "lit";

import type { ChoiceView } from "../api/types";
import { dock } from "../components/player/dock";
import { missedEvents } from "../components/player/missed-events";
import { ownFelt } from "../components/player/own-felt";
import type { PlayerTable } from "../components/player/player-table";
import { roundOutcome } from "../components/player/round-outcome";
import { sessionPanel } from "../components/player/session-panel";
import { phaseName, tableHeading } from "../components/player/table-heading";
import { StateElement } from "../lib/element";
import { FocusKeeper } from "../lib/focus";
import { cents } from "../lib/money";
import { Betting, TRAY } from "../lib/play/betting";
import { Coach } from "../lib/play/coach";
import { Decisions } from "../lib/play/decisions";
import { ownStakes, placeableKinds } from "../lib/play/own-bets";
import type { LiveView } from "../lib/play/table-view";
import { live, perform } from "../lib/state/live";
import { lobby } from "../lib/state/lobby";
import { loadPayTables } from "../lib/state/pay-tables";
import { session } from "../lib/state/session";
import { settings } from "../lib/state/settings";
import { tables } from "../lib/state/tables";
import { POSTS } from "../lib/text/labels";
import { describeRound } from "../lib/text/narration";

/** The choices that a key stands for. */
const CHOICE_KEYS: Record<string, (choice: ChoiceView) => boolean> = {
  f: ({ choice }) => choice === "fold",
  k: ({ choice }) => choice === "check",
  b: ({ costs }) => cents(costs) > 0,
};

/** The page of a player at one table: the felt, their boxes, chips, decisions and results. */
export class TablePage extends StateElement {
  static override properties = { name: { attribute: false } };
  name = "";
  private betting!: Betting;
  private decisions!: Decisions;
  private coach!: Coach;
  private focusKeeper = new FocusKeeper(this);
  /** The round in which this page has looked at the player's hand. */
  private examinedRound = 0;
  /** The limits and pay tables that the page has loaded its print for. */
  private printedTerms = "";

  override connectedCallback(): void {
    super.connectedCallback();
    live.watch("table", this.name);
    const changed = (): void => this.requestUpdate();
    this.betting = new Betting(this.name, changed);
    this.decisions = new Decisions(this.name, changed);
    this.coach = new Coach(this.name, changed);
    window.addEventListener("keydown", this.handleKey);
    this.focusKeeper.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    live.unwatch("table", this.name);
    this.coach.stop();
    window.removeEventListener("keydown", this.handleKey);
    this.focusKeeper.stop();
  }

  private get table(): PlayerTable | undefined {
    const [view, terms] = [tables.views.get(this.name), lobby.terms.get(this.name)];
    if (!view || !terms) return undefined;
    const { name, betting, decisions, coach } = this;
    return { name, view, terms, plays: session.may("play"), betting, decisions, coach };
  }

  protected override willUpdate(): void {
    this.focusKeeper.remember();
    const table = this.table;
    if (!table?.plays) return;
    this.betting.followBoxes(table.view);
    this.decisions.follow(table.view);
  }

  protected override updated(): void {
    this.focusKeeper.restore();
    const table = this.table;
    if (table) this.followTerms(table.view);
    if (!table?.plays) return;
    this.coach.look(table.view);
    this.betting.followRounds(table.view);
    this.examineOnlyHand(table);
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
  private betByKey({ terms, betting }: PlayerTable, key: string): boolean {
    const tool = { u: betting.undo, c: betting.clear, r: betting.rebet, d: betting.double }[key];
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
      return html`<main class="narrow" id="main"><h1>There is no table ${this.name}</h1></main>`;
    const table = this.table;
    if (!table) return html`<main class="table-page" id="main"><p>Loading the table …</p></main>`;
    const { view, terms } = table;
    const round = describeRound(view, phaseName(view), session.me?.name ?? "");
    const watcher = html`<p class="wait">You watch this table as ${POSTS[session.me?.post ?? ""] ?? "a guest"}.</p>`;
    return html`<main class="table-page ${terms.game} stage-${view.stage}" id="main">
      <p class="sr" role="status" data-test="aloud">${round}</p>
      <div class="play-area">
        ${tableHeading(table)} ${ownFelt(table)}
        ${table.plays ? dock(table) : html`<section class="rail" aria-label="Watching">${watcher}</section>`}
      </div>
      ${table.plays ? missedEvents(this.name) : nothing}
      <div class="below">${table.plays ? roundOutcome(table) : nothing} ${sessionPanel(table)}</div>
    </main>`;
  }
}
customElements.define("table-page", TablePage);
