import { html, nothing, type TemplateResult } from "lit";

import type { Alarm, AwardCase, Bar, CallView, MispayFigures, Proposal, RoundLine } from "../api/types";
import { ring } from "../components/pit/alarm-bell";
import { breakGlassAlarms, supervisorCalls } from "../components/pit/alerts";
import { awardClaims } from "../components/pit/award-claims";
import { barredPlayers } from "../components/pit/barred-players";
import { linkPanel } from "../components/pit/link-panel";
import { mispayFigures, stoppedTables } from "../components/pit/mispays";
import { newLinkForm, newTableForm } from "../components/pit/opening-forms";
import "../components/pit/felt-facts";
import { Rulings } from "../components/pit/rulings";
import { tableTile } from "../components/pit/table-tile";
import { loadProposals, proposalList } from "../components/second-signatures";
import { StateElement } from "../lib/element";
import { setTabTitle } from "../lib/navigation";
import { type TableFigures, tableFigures } from "../lib/play/figures";
import type { LiveView } from "../lib/play/table-view";
import { live } from "../lib/state/live";
import { lobby } from "../lib/state/lobby";
import { requests } from "../lib/state/requests";
import { session } from "../lib/state/session";
import { tables } from "../lib/state/tables";

/** Rounds over which the figures of a table are counted. */
const COUNTED = 20;
/** Seconds between two readings of the queues, and of the figures. */
const QUEUE_INTERVAL = 3;
const FIGURES_INTERVAL = 15;

/** Read a list; where the request fails, keep what the page has. */
async function refreshed<T>(path: string, known: T[]): Promise<T[]> {
  return (await requests.refresh(path, requests.list<T>(path))) ?? known;
}

/** The pit: a wall of tables, and everything that waits for a decision with all that is needed to decide. */
export class PitPage extends StateElement {
  private timer = 0;
  private figures = new Map<string, TableFigures>();
  /** The figures of a table could not be read. */
  private isIncomplete = false;
  private proposals: Proposal[] = [];
  private calls: CallView[] = [];
  private bars: Bar[] = [];
  private alarms: Alarm[] = [];
  private mispays: MispayFigures | null = null;
  private rulings = new Rulings(() => this.requestUpdate());
  /** How many decisions waited when the page rendered last. */
  private waitingBefore = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch();
    let seconds = 0;
    this.timer = window.setInterval(() => {
      this.requestUpdate();
      const readsQueues = seconds % QUEUE_INTERVAL === 0;
      if (readsQueues) void Promise.all([this.loadSignatures(), this.loadBars()]);
      if (seconds % FIGURES_INTERVAL === 0 || (readsQueues && this.isIncomplete)) void this.loadFigures();
      seconds++;
    }, 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
    for (const { table } of lobby.own) live.unwatch("table", table);
  }

  private watch(): void {
    for (const { table } of lobby.own) live.watch("table", table);
    for (const link of this.links) live.watch("link", link);
  }

  private get links(): string[] {
    return [...new Set([...lobby.linkNames, ...tables.links.keys()])];
  }

  private async loadSignatures(): Promise<void> {
    if (!session.may("countersign")) return;
    const [proposals, calls] = await Promise.all([loadProposals(), refreshed("/api/calls", this.calls)]);
    const isSettled = proposals !== undefined && proposals.length < this.proposals.length;
    [this.proposals, this.calls] = [proposals ?? this.proposals, calls];
    // The measure that was signed may have opened a link or a table.
    if (isSettled) void this.loadFigures();
    this.requestUpdate();
  }

  private async loadBars(): Promise<void> {
    [this.bars, this.alarms] = await Promise.all([
      refreshed("/api/bars", this.bars),
      refreshed("/api/alarms", this.alarms),
    ]);
    this.requestUpdate();
  }

  private async loadFigures(): Promise<void> {
    this.isIncomplete = !(await lobby.refresh());
    this.watch();
    for (const { table } of lobby.own) {
      const path = `/api/tables/${encodeURIComponent(table)}/rounds?limit=${COUNTED}`;
      const rounds = await requests.refresh(path, requests.list<RoundLine>(path));
      if (rounds) this.figures.set(table, tableFigures(rounds));
      else this.isIncomplete = true;
    }
    const mispays = requests.get<MispayFigures>("/api/figures/mispays");
    this.mispays = (await requests.refresh("/api/figures/mispays", mispays)) ?? this.mispays;
    this.requestUpdate();
  }

  /** Ring when more decisions wait than before, and show in the tab how many. */
  protected override updated(): void {
    const unanswered = this.calls.filter(({ coming }) => !coming);
    const queues = [this.waitingViews, this.stoppedViews, this.openAwards, this.proposals, this.alarms, unanswered];
    const waiting = queues.reduce((sum, { length }) => sum + length, 0);
    if (waiting > this.waitingBefore) ring();
    this.waitingBefore = waiting;
    setTabTitle("Pit", waiting);
  }

  private get waitingViews(): LiveView[] {
    return lobby.tables.flatMap(({ table }) => {
      const view = tables.views.get(table);
      return view?.awaiting.length ? [view] : [];
    });
  }

  private get stoppedViews(): LiveView[] {
    return lobby.tables.flatMap(({ table }) => {
      const view = tables.views.get(table);
      return view?.settling?.mispay ? [view] : [];
    });
  }

  private get openAwards(): AwardCase[] {
    return this.links.flatMap((link) => tables.links.get(link)?.awards ?? []);
  }

  override render(): TemplateResult {
    const signed = (): void => void this.loadSignatures();
    const counted = (): void => void this.loadFigures();
    return html`<main class="pit" id="main"><h1>Pit</h1>
      ${this.rulings.render(this.waitingViews)} ${stoppedTables(this.stoppedViews)}
      ${breakGlassAlarms(this.alarms)} ${supervisorCalls(this.calls, signed)} ${awardClaims(this.openAwards)}
      ${proposalList(this.proposals, signed)} ${barredPlayers(this.bars, () => void this.loadBars())}
      <section aria-label="Tables"><h2>Tables</h2><ul class="wall">${lobby.tables.map((table) =>
        tableTile(table, tables.views.get(table.table), this.figures.get(table.table), counted),
      )}</ul></section>
      ${mispayFigures(this.mispays)}
      <div class="desk">${session.may("run_links") ? this.links.map((link) => linkPanel(link, signed)) : nothing}
        ${session.may("open_tables") ? newTableForm(this.links, counted) : nothing}
        ${session.may("seed_links") ? newLinkForm(counted) : nothing}</div>
    </main>`;
  }
}
customElements.define("pit-page", PitPage);
