import { html, nothing, type TemplateResult } from "lit";

import type { Alarm, AwardCase, Bar, CallView, FloorFigures, LobbyTable, MispayFigures, Proposal } from "../api/types";
import { ring } from "../components/pit/alarm-bell";
import { breakGlassAlarms, supervisorCalls } from "../components/pit/alerts";
import { attentionBar, countWaiting, doubledDealers, type Waiting } from "../components/pit/attention-bar";
import { awardClaims } from "../components/pit/award-claims";
import { barredPlayers } from "../components/pit/barred-players";
import { houseStrip } from "../components/pit/house-strip";
import { linkPanel } from "../components/pit/link-panel";
import { mispayFigures, stoppedTables } from "../components/pit/mispays";
import { newLinkForm, newTableForm } from "../components/pit/opening-forms";
import "../components/confirm-dialog";
import "../components/pit/felt-facts";
import { Rulings } from "../components/pit/rulings";
import { tableDrawer } from "../components/pit/table-drawer";
import { unseenVoided, voidedRounds } from "../components/pit/voided-rounds";
import { isStuck, type Layout, sorted, takesRuling, wall } from "../components/pit/wall";
import { loadProposals, proposalList, waits } from "../components/second-signatures";
import { StateElement } from "../lib/element";
import { NextFocus } from "../lib/focus";
import { inputValue } from "../lib/forms";
import { setTabTitle } from "../lib/navigation";
import { live } from "../lib/state/live";
import { lobby } from "../lib/state/lobby";
import { requests } from "../lib/state/requests";
import { session } from "../lib/state/session";
import { tables } from "../lib/state/tables";
import { t } from "../lib/text/language";

/** Seconds between two readings of the queues, and of the figures. */
const QUEUE_INTERVAL = 3;
const FIGURES_INTERVAL = 15;
const FIGURES = "/api/figures";
const MISPAYS = "/api/figures/mispays";
const LAYOUT = "croupier.pit.layout";

/** What the drawer shows: all that waits, the links and new tables, or one table. */
type Drawer = { kind: "none" | "waiting" | "house" } | { kind: "table"; table: string };

/** Read a list; where the request fails, keep what the page has. */
async function refreshed<T>(path: string, known: T[]): Promise<T[]> {
  return (await requests.refresh(path, requests.list<T>(path))) ?? known;
}

/** The pit: a wall of tables, and everything that waits for a decision with all that is needed to decide. */
export class PitPage extends StateElement {
  private timer = 0;
  private figures: FloorFigures | undefined;
  /** The figures could not be read. */
  private isIncomplete = false;
  private proposals: Proposal[] = [];
  private calls: CallView[] = [];
  private bars: Bar[] = [];
  private alarms: Alarm[] = [];
  private mispays: MispayFigures | null = null;
  private rulings = new Rulings(() => this.requestUpdate());
  private layout: Layout = localStorage.getItem(LAYOUT) === "rows" ? "rows" : "tiles";
  private pit = "";
  private drawer: Drawer = { kind: "none" };
  /** How many decisions waited when the page rendered last. */
  private waitingBefore = 0;

  constructor() {
    super();
    const next = (): HTMLElement | null =>
      this.querySelector<HTMLElement>(".drawer article") ?? this.querySelector(".drawer h2");
    this.addController(new NextFocus(this, next));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("keydown", this.handleKey);
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
    window.removeEventListener("keydown", this.handleKey);
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
    const figures = await requests.refresh(FIGURES, requests.get<FloorFigures>(FIGURES));
    if (figures) this.figures = figures;
    else this.isIncomplete = true;
    const mispays = requests.get<MispayFigures>(MISPAYS);
    this.mispays = (await requests.refresh(MISPAYS, mispays)) ?? this.mispays;
    this.requestUpdate();
  }

  /** Ring when more decisions wait than before, show them beside the wall, and show in the tab how many. */
  protected override updated(): void {
    const waiting = countWaiting(this.waiting);
    if (waiting > this.waitingBefore) {
      ring();
      if (this.drawer.kind === "none") this.open({ kind: "waiting" });
      // Only the figures say when a mispay was found.
      if (this.waiting.stopped.some(({ table }) => !this.mispaysFound.has(table))) void this.loadFigures();
    }
    this.waitingBefore = waiting;
    setTabTitle(t("Pit"), waiting);
  }

  private get waiting(): Waiting {
    const views = lobby.own.flatMap(({ table }) => tables.views.get(table) ?? []);
    const rulings = views.filter(takesRuling);
    const stopped = views.filter(({ settling }) => settling?.mispay);
    const stuck = views.filter((view) => !takesRuling(view) && !view.settling?.mispay && isStuck(view));
    const { calls, alarms } = this;
    const proposals = this.proposals.filter(waits);
    const doubled = doubledDealers(this.figures?.tables ?? []);
    const voided = unseenVoided(this.figures);
    return { rulings, stopped, awards: this.openAwards, calls, proposals, alarms, stuck, voided, doubled };
  }

  private get openAwards(): AwardCase[] {
    return this.links.flatMap((link) => tables.links.get(link)?.awards ?? []);
  }

  /** When each open mispay was found. */
  private get mispaysFound(): Map<string, string> {
    return new Map(this.mispays?.mispays.flatMap(({ table, at, state }) => (state === "open" ? [[table, at]] : [])));
  }

  private open(drawer: Drawer): void {
    this.drawer = drawer;
    this.requestUpdate();
    // Another panel begins at its head, wherever the one before was scrolled to.
    void this.updateComplete.then(() => this.querySelector(".drawer")?.scrollTo(0, 0));
  }

  /** Open or close the drawer for a person who asked for it; on a small screen it lies above the wall. */
  private async show(drawer: Drawer): Promise<void> {
    this.open(drawer);
    await this.updateComplete;
    this.querySelector<HTMLElement>(".drawer h2")?.focus();
  }

  private choose = (table: string): void => {
    const isOpen = this.drawer.kind === "table" && this.drawer.table === table;
    void this.show(isOpen ? { kind: "none" } : { kind: "table", table });
  };

  override render(): TemplateResult {
    const shown = sorted(lobby.tables.filter(({ pit }) => !this.pit || pit === this.pit));
    const { layout, choose, drawer } = this;
    const figures = new Map(this.figures?.tables.map((line) => [line.table, line]));
    const chosen = drawer.kind === "table" ? drawer.table : "";
    return html`<main class="pit ${drawer.kind === "none" ? "" : "with-drawer"}" id="main">
      <h1 class="sr">${t("Pit")}</h1>
      ${attentionBar(this.waiting, this.mispaysFound, (table) => {
        void this.show(table ? { kind: "table", table } : { kind: "waiting" });
      })}
      ${houseStrip(this.figures, this.links)}
      <section class="floor" aria-label=${t("Tables")}>${this.toolbar(shown.length)}
        ${wall(shown, { layout, chosen, figures, choose })}</section>
      ${this.drawerPanel()}<confirm-dialog></confirm-dialog></main>`;
  }

  private toolbar(shown: number): TemplateResult {
    const pits = [...new Set(lobby.tables.map(({ pit }) => pit))].sort();
    const lay = (layout: Layout): void => {
      this.layout = layout;
      localStorage.setItem(LAYOUT, layout);
      this.requestUpdate();
    };
    const pick = (event: Event): void => {
      this.pit = inputValue(event);
      this.requestUpdate();
    };
    const mayRun = session.may("run_links") || session.may("open_tables") || session.may("seed_links");
    const button = (kind: "waiting" | "house", text: string): TemplateResult =>
      html`<button type="button" class="button small ghost" aria-pressed=${this.drawer.kind === kind}
        @click=${() => this.show(this.drawer.kind === kind ? { kind: "none" } : { kind })}>${text}</button>`;
    return html`<div class="toolbar"><h2>${t("Tables")} <span class="count">${shown}</span></h2>
      ${
        pits.length > 1
          ? html`<label>${t("Pit")} <select @change=${pick}><option value="">${t("all")}</option>
              ${pits.map((pit) => html`<option ?selected=${pit === this.pit}>${pit}</option>`)}</select></label>`
          : nothing
      }
      <span class="switches" role="group" aria-label=${t("Layout")}>${(["tiles", "rows"] as const).map(
        (layout) => html`<button type="button" aria-pressed=${this.layout === layout}
          @click=${() => lay(layout)}>${layout === "tiles" ? t("Tiles") : t("Rows")}</button>`,
      )}</span>
      <span class="grow"></span>
      ${button("waiting", t("Waiting and barred"))} ${
        mayRun ? button("house", t("Links and new tables")) : nothing
      }</div>`;
  }

  private drawerPanel(): TemplateResult | typeof nothing {
    const { drawer } = this;
    if (drawer.kind === "none") return nothing;
    const [name, content] =
      drawer.kind === "table"
        ? [drawer.table, this.oneTable(lobby.tables.find(({ table }) => table === drawer.table))]
        : drawer.kind === "waiting"
          ? [t("Waiting for you"), this.queues()]
          : [t("Links and new tables"), this.houseForms()];
    return html`<section class="drawer" aria-label=${name}><header><h2 tabindex="-1">${name}</h2>
      <button type="button" class="icon" aria-label=${t("Close {name}", { name })} @click=${() =>
        this.open({ kind: "none" })}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg></button></header>
      <div class="inside">${content}</div></section>`;
  }

  /** Escape closes the drawer, unless it answers a dialog or a field. */
  private handleKey = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (event.key !== "Escape" || this.drawer.kind === "none" || event.defaultPrevented) return;
    if (target.closest("dialog, input, select, textarea") || document.querySelector("dialog[open]")) return;
    const { drawer } = this;
    this.open({ kind: "none" });
    if (drawer.kind === "table")
      this.querySelector<HTMLElement>(`.wall [data-table="${CSS.escape(drawer.table)}"] button`)?.focus();
  };

  private oneTable(table: LobbyTable | undefined): TemplateResult | typeof nothing {
    if (!table) return nothing;
    const figures = this.figures?.tables.find((line) => line.table === table.table);
    return tableDrawer(table, tables.views.get(table.table), figures, this.figures, () => void this.loadFigures());
  }

  private queues(): TemplateResult {
    const signed = (): void => void this.loadSignatures();
    const { stopped, awards, voided } = this.waiting;
    const awaiting = lobby.own
      .flatMap(({ table }) => tables.views.get(table) ?? [])
      .filter((view) => view.awaiting.length);
    return html`${breakGlassAlarms(this.alarms)} ${stoppedTables(stopped)} ${awardClaims(awards)}
      ${this.rulings.render(awaiting)} ${voidedRounds(voided, () => this.requestUpdate())}
      ${supervisorCalls(this.calls, signed)} ${proposalList(this.proposals, signed)}
      ${barredPlayers(this.bars, () => void this.loadBars())} ${mispayFigures(this.mispays)}`;
  }

  private houseForms(): TemplateResult {
    const signed = (): void => void this.loadSignatures();
    const counted = (): void => void this.loadFigures();
    return html`${session.may("run_links") ? this.links.map((link) => linkPanel(link, signed)) : nothing}
      ${session.may("open_tables") ? newTableForm(this.links, counted) : nothing}
      ${session.may("seed_links") ? newLinkForm(counted) : nothing}`;
  }
}
customElements.define("pit-page", PitPage);
