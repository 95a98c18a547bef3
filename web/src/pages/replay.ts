import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

import { failure } from "../api/http";
import type { PlayedRound } from "../api/types";
import { alert } from "../components/alert";
import { packLink } from "../components/pack-link";
import { citations, rulesOf } from "../components/rules/citations";
import { deckProof } from "../components/rules/deck-proof";
import { resultList } from "../components/table/results";
import { staffTable } from "../components/table/staff-table";
import { StateElement } from "../lib/element";
import { inputValue } from "../lib/forms";
import { show, signed } from "../lib/money";
import { to } from "../lib/navigation";
import { totalNet } from "../lib/play/results";
import { withoutVoidStakes } from "../lib/play/table-view";
import { requests } from "../lib/state/requests";
import { session } from "../lib/state/session";
import { toast } from "../lib/state/toasts";
import { eventText } from "../lib/text/event-text";
import { label, POSTS, title } from "../lib/text/labels";
import { dateTime } from "../lib/text/time";

/** Milliseconds between two steps while the replay plays. */
const PACE = 900;

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

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("keydown", this.handleKey);
    window.addEventListener("hashchange", this.followAddress);
    this.index = stepIndex(this.step);
    void this.load();
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
    } catch (error) {
      this.error = failure(error);
    }
    this.requestUpdate();
  }

  protected override updated(): void {
    const [log, now] = [this.querySelector<HTMLElement>(".log"), this.querySelector<HTMLElement>(".log .now")];
    if (log && now) log.scrollTop = now.offsetTop - log.offsetTop - log.clientHeight / 2;
  }

  private viewerName(): string {
    const [kind, name = ""] = this.viewer.split("/");
    if (this.viewer) return `the eyes of ${kind === "player" ? `the player ${name}` : `the ${POSTS[name] ?? name}`}`;
    return `your own eyes${session.me ? `, as ${POSTS[session.me.post]}` : ""}`;
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
    history.replaceState(history.state, "", to("replay", this.table, this.round, this.index + 1));
  }

  /** Go to the step of an address that a person has typed, or of a link to another step of this round. */
  private followAddress = (): void => {
    const here = to("replay", this.table, this.round);
    if (this.record && `${location.hash}/`.startsWith(`${here}/`))
      this.go(stepIndex(location.hash.slice(here.length + 1)));
  };

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
      toast("The link to this step is on your clipboard.");
    } catch {
      toast(location.href);
    }
  };

  override render(): TemplateResult {
    const { record } = this;
    if (!record)
      return html`<main id="main"><h1>${this.table}, round ${this.round}</h1>
        <p>${this.error || "Loading the round …"}</p></main>`;
    const step = record.steps[this.index];
    const players = [...new Set(record.lines.map(({ player }) => player))];
    return html`<main class="replay ${record.game}" id="main">
      <div class="table-head">
        <div><h1>${record.table}, round ${record.round} <span>${dateTime(record.at)}</span></h1>
          <p class="quiet">${title(record.stage)}. Played by ${record.edition}. Seen with ${this.viewerName()}.</p>
          ${record.missing ? html`<p class="notice" role="status">${record.missing}</p>` : nothing}</div>
        ${this.tools(record)}</div>
      ${alert(this.error)} ${this.scrubber(record)}
      ${
        step
          ? html`<p class="say" aria-live="polite" data-test="told">${eventText(step.event)}</p>
              <p class="quiet">${dateTime(step.at)} · event ${step.seq}
                ${citations(record.edition, rulesOf(step.event))}</p>`
          : nothing
      }
      <div class="console"><div class="column">
        <section class="panel felt-panel" aria-label="The table at this step">${
          step ? staffTable(step.view) : nothing
        }</section>
        ${this.money(record, players)}</div>
        <div class="column">${this.log(record)}
        <section class="panel" aria-label="The deck"><h2>The deck</h2>${deckProof(record.decks)}
          <p class="quiet">The export checks itself: <code>croupier verify FILE</code>, or <code>verify.py</code> with
            Python alone.</p></section></div></div>
    </main>`;
  }

  private tools(record: PlayedRound): TemplateResult {
    const select = html`<label class="inline">Seen by
      <select data-test="eyes" .value=${live(this.viewer)}
        @change=${(event: Event) => void this.load(inputValue(event))}>
        <option value="">myself</option>
        ${record.viewers.map(
          ({ kind, name }) => html`<option value="${kind}/${name}"
            >${kind === "player" ? `${name}, player` : `the ${POSTS[name] ?? name}`}</option>`,
        )}</select></label>`;
    return html`<div class="row">${record.viewers.length ? select : nothing}
      <button type="button" class="button small ghost" @click=${this.share}>Copy the link</button>
      ${
        record.may_export
          ? html`<a class="button small ghost" href="${this.path}/record"
              download="${this.table}-${this.round}.json">Export</a>`
          : nothing
      }${record.may_export ? packLink(this.path) : nothing}</div>`;
  }

  private scrubber({ steps }: PlayedRound): TemplateResult {
    return html`<div class="scrub">
      <button type="button" class="button small ghost" aria-label="Step back"
        @click=${() => this.go(this.index - 1)}>◀</button>
      <button type="button" class="button small" @click=${this.togglePlay}>${this.timer ? "Pause" : "Play"}</button>
      <button type="button" class="button small ghost" aria-label="Step forward"
        @click=${() => this.go(this.index + 1)}>▶</button>
      <input type="range" min="0" max=${steps.length - 1} .value=${String(this.index)} aria-label="Step"
        @input=${(event: Event) => this.go(Number(inputValue(event)))}>
      <span>${this.index + 1} of ${steps.length}</span></div>`;
  }

  private log({ steps }: PlayedRound): TemplateResult {
    return html`<section class="panel" aria-label="Every step"><h2>Every step</h2>
      <ol class="steps log">${steps.map(
        ({ event }, i) => html`<li class=${i === this.index ? "now" : ""}>
          <button type="button" class="plain" aria-current=${i === this.index ? "step" : "false"}
            @click=${() => this.go(i)}>${eventText(event)}</button></li>`,
      )}</ol></section>`;
  }

  private money({ game, lines, awards }: PlayedRound, players: string[]): TemplateResult {
    return html`<section class="panel" aria-label="The money"><h2>The money</h2>
      ${players.map((player) => {
        const own = lines.filter((line) => line.player === player);
        return html`<h3>${player} ${signed(totalNet(own))}</h3> ${resultList(game, own, true)}`;
      })}
      ${awards.map(
        ({ box, hand, amount, rules }) =>
          html`<p>Award: box ${box}, ${label(hand)}, ${show(amount)} ${citations(game, rules)}</p>`,
      )}
      ${lines.length ? nothing : html`<p class="quiet">No bet has been settled.</p>`}</section>`;
  }
}
customElements.define("replay-page", ReplayPage);
