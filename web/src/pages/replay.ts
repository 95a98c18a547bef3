import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

import type { DecisionValue, PlayedRound, RoundValues, TableView } from "../api/types";
import { alert } from "../components/alert";
import { packLink } from "../components/pack-link";
import { moveList, type Street, streets } from "../components/replay/move-list";
import { roundBoard } from "../components/replay/round-board";
import { roundMoney } from "../components/replay/round-money";
import { deckProof } from "../components/rules/deck-proof";
import { served } from "../components/served";
import { StateElement } from "../lib/element";
import { inputValue, isChecked, readForm } from "../lib/forms";
import { addressQuery, keepInQuery, to } from "../lib/navigation";
import { hasDecks, withAllCards } from "../lib/play/all-cards";
import { withoutVoidStakes } from "../lib/play/table-view";
import { lobby } from "../lib/state/lobby";
import { loadPayTables } from "../lib/state/pay-tables";
import { requests } from "../lib/state/requests";
import { session } from "../lib/state/session";
import { refuse, toast } from "../lib/state/toasts";
import { postName, title } from "../lib/text/labels";
import { rich, t } from "../lib/text/language";
import { failure } from "../lib/text/sentences";
import { dateTime } from "../lib/text/time";

/** Milliseconds between two steps while the replay plays. */
const PACE = 900;

/** Milliseconds until the lab is asked again for values that it is still counting. */
const VALUES_RETRY = 1500;
const ROUND = /^(.+)[/ ]([1-9]\d{0,8})$/;

/** The index of the step that an address names; the first where it names none. */
const stepIndex = (step: string): number => (/^\d{1,6}$/.test(step) ? Math.max(Number(step) - 1, 0) : 0);

/** Any round, step by step: what happened, what a viewer could see then, the money and its paragraphs. */
export class ReplayPage extends StateElement {
  static override properties = { table: { attribute: false }, round: { attribute: false }, step: { attribute: false } };
  table = "";
  round = 0;
  step = "";
  private record: PlayedRound | null = null;
  /** Whose view it is, as "player/ana" or "post/dealer"; empty for the person's own. */
  private viewer = "";
  private index = 0;
  private timer = 0;
  private error = "";
  private values: RoundValues = { state: "loading", decisions: [] };
  /** Every card face up, for a reader who has the deck; results covered until the end. */
  private showsAll = false;
  private isCovered = false;
  /** Another round beside this one, and its step. */
  private other: PlayedRound | null = null;
  private otherIndex = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("keydown", this.handleKey);
    window.addEventListener("hashchange", this.followAddress);
    this.index = stepIndex(this.step);
    this.isCovered = addressQuery().has("covered");
    void this.load(addressQuery().get("as") ?? "");
    void this.loadValues();
    void this.loadOther(addressQuery().get("with") ?? "");
    void loadPayTables(this.table, () => this.isConnected);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("keydown", this.handleKey);
    window.removeEventListener("hashchange", this.followAddress);
    window.clearInterval(this.timer);
  }

  private get path(): string {
    return `/api/tables/${encodeURIComponent(this.table)}/rounds/${this.round}`;
  }

  /** Read the round as a viewer saw it; where that fails, the page keeps the view that it has. */
  private async load(viewer = ""): Promise<void> {
    const [kind, name = ""] = viewer.split("/");
    const query = viewer ? `?as_${kind}=${encodeURIComponent(name)}` : "";
    try {
      const record = await requests.get<PlayedRound>(`${this.path}${query}`);
      const steps = record.steps.map((step) => ({ ...step, view: withoutVoidStakes(step.view) }));
      this.record = { ...record, steps };
      [this.viewer, this.error] = [viewer, ""];
      this.index = Math.min(this.index, this.last);
      if (this.step) this.writeAddress();
      keepInQuery("as", viewer);
    } catch (error) {
      this.error = failure(error);
      if (viewer && !this.record) return this.load();
    }
    this.requestUpdate();
  }

  private async loadValues(): Promise<void> {
    const path = `${this.path}/values`;
    const values = await requests.get<RoundValues>(path).catch(() => undefined);
    if (values) this.values = values;
    if (values?.state === "loading" && this.isConnected)
      window.setTimeout(() => this.isConnected && void this.loadValues(), VALUES_RETRY);
    this.requestUpdate();
  }

  /** Read the round to compare with, named as "Orchid/12"; an empty name ends the comparison. */
  private async loadOther(name: string): Promise<void> {
    const [, table = "", number = ""] = ROUND.exec(name.trim()) ?? [];
    this.other = null;
    if (table) {
      try {
        const path = `/api/tables/${encodeURIComponent(table)}/rounds/${number}`;
        this.other = await requests.get<PlayedRound>(path);
        this.otherIndex = 0;
        void loadPayTables(table, () => this.isConnected);
      } catch (error) {
        refuse(error);
      }
    }
    keepInQuery("with", this.other ? `${table}/${number}` : "");
    this.requestUpdate();
  }

  protected override updated(): void {
    const [log, now] = [this.querySelector<HTMLElement>(".log"), this.querySelector<HTMLElement>(".log .now")];
    if (log && now) log.scrollTop = now.offsetTop - log.offsetTop - log.clientHeight / 2;
  }

  private viewerName(): string {
    const [kind, name = ""] = this.viewer.split("/");
    if (kind === "player") return t("Seen with the eyes of the player {name}.", { name });
    if (this.viewer) return t("Seen with the eyes of the {post}.", { post: postName(name) });
    if (!session.me) return t("Seen with your own eyes.");
    if (session.may("play") && !this.hasOwnPart) return t("You had no part in this round: you see what all could see.");
    return t("Seen with your own eyes, as {post}.", { post: postName(session.me.post) });
  }

  /** Whether chips of this player lay on the table. */
  private get hasOwnPart(): boolean {
    const boxes = this.record?.steps.flatMap(({ view }) => view.boxes) ?? [];
    const stakes = boxes.flatMap((box) => [...box.stakes, ...box.returned]);
    return [...stakes, ...(this.record?.lines ?? [])].some(({ player }) => player === session.me?.name);
  }

  private get last(): number {
    return (this.record?.steps.length ?? 1) - 1;
  }

  private go(index: number): void {
    this.index = Math.min(Math.max(index, 0), this.last);
    if (this.index === this.last) this.pause();
    this.writeAddress();
    this.requestUpdate();
  }

  /** Write the step into the address as the page counts it: step 17 of 40 is .../17. */
  private writeAddress(): void {
    const query = location.hash.split("?")[1];
    const address = to("replay", this.table, this.round, this.index + 1);
    history.replaceState(history.state, "", query ? `${address}?${query}` : address);
  }

  /** Go to the step of an address that a person has typed, or of a link to another step of this round. */
  private followAddress = (): void => {
    const here = to("replay", this.table, this.round);
    const path = location.hash.split("?")[0] ?? "";
    if (this.record && `${path}/`.startsWith(`${here}/`)) this.go(stepIndex(path.slice(here.length + 1)));
  };

  private get streets(): Street[] {
    return this.record ? streets(this.record.steps) : [];
  }

  /** Go to the next street, or to the one before. */
  private goStreet(by: 1 | -1): void {
    const found =
      by > 0 ? this.streets.find(({ at }) => at > this.index) : this.streets.filter(({ at }) => at < this.index).at(-1);
    this.go(found?.at ?? (by > 0 ? this.last : 0));
  }

  private pause(): void {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.requestUpdate();
  }

  private togglePlay = (): void => (this.timer ? this.pause() : this.play());

  private play(): void {
    if (this.index >= this.last) this.index = 0;
    this.timer = window.setInterval(() => this.go(this.index + 1), PACE);
    this.requestUpdate();
  }

  private handleKey = (event: KeyboardEvent): void => {
    if ((event.target as HTMLElement).closest("input, select, textarea, button, a, summary, dialog[open]")) return;
    const act = {
      ArrowRight: () => this.go(this.index + 1),
      ArrowLeft: () => this.go(this.index - 1),
      ArrowDown: () => this.goStreet(1),
      ArrowUp: () => this.goStreet(-1),
      " ": this.togglePlay,
      Home: () => this.go(0),
      End: () => this.go(Number.POSITIVE_INFINITY),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  private share = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.href);
      toast(t("The link to this step is on your clipboard."));
    } catch {
      toast(location.href);
    }
  };

  override render(): TemplateResult {
    const { record } = this;
    if (!record)
      return html`<main id="main"><h1>${t("{table}, round {round}", { table: this.table, round: this.round })}</h1>
        <p>${this.error || t("Loading the round …")}</p></main>`;
    const mayShowMoney = !this.isCovered || this.index === this.last;
    return html`<main class="replay ${record.game}" id="main">
      <div class="table-head">
        <div><h1>${t("{table}, round {round}", {
          table: record.table,
          round: record.round,
        })} <span>${dateTime(record.at)}</span></h1>
          <p class="quiet">${mayShowMoney ? t("{stage}.", { stage: title(record.stage) }) : ""}
            ${t("Played by {edition}.", { edition: record.edition })} ${this.viewerName()}</p>
          ${record.missing ? html`<p class="notice" role="status">${served(record.missing)}</p>` : nothing}</div>
        ${this.tools(record)}</div>
      ${alert(this.error)}
      <div class="analysis"><div class="boards-of ${this.other ? "two" : ""}">
          <div>${roundBoard(record, this.index, this.viewAt(record), this.scrubber(record))}</div>
          ${this.other ? this.comparison(this.other) : nothing}</div>
        ${this.moves(record)}</div>
      <div class="console">${mayShowMoney ? roundMoney(record) : nothing}
        <section class="panel" aria-label=${t("The deck")}><h2>${t("The deck")}</h2>${
          mayShowMoney ? deckProof(record.decks) : html`<p class="quiet">${t("Covered until the end.")}</p>`
        }
          <p class="quiet">${rich("The export checks itself: {command}, or {program} with Python alone.", {
            command: html`<code>croupier verify FILE</code>`,
            program: html`<a href="/verify.py" download><code>verify.py</code></a>`,
          })}</p></section></div>
    </main>`;
  }

  private viewAt(record: PlayedRound): TableView | undefined {
    return this.showsAll ? withAllCards(record, this.index) : record.steps[this.index]?.view;
  }

  private moves(record: PlayedRound): TemplateResult {
    const { state, message, decisions } = this.values;
    const values: DecisionValue[] = decisions;
    // Another person saw no more than what had happened by then.
    const until = this.isCovered || this.viewer ? this.index : this.last;
    const note =
      state === "loading" ? t("The lab is counting the decisions …") : state === "missing" ? served(message ?? "") : "";
    return html`<section class="panel move-panel" aria-label=${t("Every step")}><h2>${t("Every step")}</h2>
      ${note ? html`<p class="quiet" role="status">${note}</p>` : nothing}
      ${
        values.length
          ? html`<p class="quiet">${t("Beside a decision: what it is worth on average, in antes.")}</p>`
          : nothing
      }
      ${moveList(record, {
        index: this.index,
        until,
        values,
        isOfOther: Boolean(this.viewer),
        go: (index) => this.go(index),
      })}
      <p class="quiet keys">${t("← → step · ↑ ↓ street · space plays")}</p></section>`;
  }

  private comparison(other: PlayedRound): TemplateResult {
    const last = other.steps.length - 1;
    const move = (index: number): void => {
      this.otherIndex = Math.min(Math.max(index, 0), last);
      this.requestUpdate();
    };
    const under = html`<div class="scrub"><input type="range" min="0" max=${last} .value=${String(this.otherIndex)}
        aria-label=${t("Step of the other round")} @input=${(event: Event) => move(Number(inputValue(event)))}>
        <span>${t("{number} of {count}", { number: this.otherIndex + 1, count: last + 1 })}</span></div>
      ${marks(streets(other.steps), this.otherIndex, last, move)}`;
    return html`<div class="compared-with"><h2>${t("{table}, round {round}", {
      table: other.table,
      round: other.round,
    })}
        <button type="button" class="button small ghost" @click=${() =>
          this.loadOther("")}>${t("End the comparison")}</button>
      </h2>${roundBoard(other, this.otherIndex, other.steps[this.otherIndex]?.view, under)}</div>`;
  }

  private tools(record: PlayedRound): TemplateResult {
    const select = html`<label class="inline">${t("Seen by")}
      <select data-test="eyes" .value=${live(this.viewer)}
        @change=${(event: Event) => void this.load(inputValue(event))}>
        <option value="">${t("myself")}</option>
        ${record.viewers.map(
          ({ kind, name }) => html`<option value="${kind}/${name}" ?selected=${this.viewer === `${kind}/${name}`}
            >${kind === "player" ? t("{name}, player", { name }) : t("the {post}", { post: postName(name) })}</option>`,
        )}</select></label>`;
    const cover = (event: Event): void => {
      this.isCovered = isChecked(event);
      keepInQuery("covered", this.isCovered ? "1" : "");
      this.requestUpdate();
    };
    const turn = (event: Event): void => {
      this.showsAll = isChecked(event);
      this.requestUpdate();
    };
    const compare = (event: SubmitEvent): void => void this.loadOther(readForm(event).field("with"));
    return html`<div class="row tools">${record.viewers.length ? select : nothing}
      ${
        hasDecks(record)
          ? html`<label class="switch"><input type="checkbox" @change=${turn}><span>${t("All cards")}</span></label>`
          : nothing
      }
      <label class="switch"><input type="checkbox" .checked=${this.isCovered} @change=${cover}
        ><span>${t("Cover results")}</span></label>
      <form class="compare-with" @submit=${compare}><label class="inline">${t("Compare with")}
        <input name="with" required maxlength="60" placeholder="${
          lobby.own[0]?.table ?? t("Table")
        }/1" autocomplete="off"
          pattern=".+[\\/ ][1-9][0-9]*" title=${t("Table and round, as in Orchid/12")}></label></form>
      <button type="button" class="button small ghost" @click=${this.share}>${t("Copy the link")}</button>
      ${
        record.may_export
          ? html`<a class="button small ghost" href="${this.path}/record"
              download="${this.table}-${this.round}.json">${t("Export")}</a>`
          : nothing
      }${record.may_export ? packLink(this.path) : nothing}${
        session.may("handle_disputes")
          ? html`<a class="button small ghost"
              href="#/disputes?table=${encodeURIComponent(this.table)}&round=${this.round}">${t("Open a dispute")}</a>`
          : nothing
      }</div>`;
  }

  private scrubber({ steps }: PlayedRound): TemplateResult {
    return html`<div class="scrub">
      <button type="button" class="button small ghost" aria-label=${t("Step back")}
        @click=${() => this.go(this.index - 1)}>◀</button>
      <button type="button" class="button small" @click=${this.togglePlay}>${
        this.timer ? t("Pause") : t("Play")
      }</button>
      <button type="button" class="button small ghost" aria-label=${t("Step forward")}
        @click=${() => this.go(this.index + 1)}>▶</button>
      <input type="range" min="0" max=${steps.length - 1} .value=${String(this.index)} aria-label=${t("Step")}
        @input=${(event: Event) => this.go(Number(inputValue(event)))}>
      <span>${t("{number} of {count}", { number: this.index + 1, count: steps.length })}</span></div>
      ${marks(this.streets, this.index, this.last, (at) => this.go(at))}`;
  }
}
customElements.define("replay-page", ReplayPage);

/** The streets of a round under its scrubber. */
function marks(found: Street[], index: number, last: number, go: (at: number) => void): TemplateResult {
  const now = found.filter(({ at }) => at <= index).at(-1);
  return html`<div class="marks" role="group" aria-label=${t("Streets")}>${found.map(
    (street) => html`<button type="button" class=${street === now ? "now" : ""}
      style="--at:${last ? street.at / last : 0}" @click=${() => go(street.at)}>${street.name}</button>`,
  )}</div>`;
}
