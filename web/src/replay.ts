import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

import { failure } from "./api";
import { Piece, to } from "./element";
import { staffFelt } from "./felt";
import { cents, show, signed } from "./money";
import { cited } from "./paragraph";
import { proofOf, type SealedDeck } from "./proof";
import { net, resultList } from "./results";
import { store } from "./store";
import { asItLies, type Line, type TableView } from "./types";
import { told, type Told } from "./telling";
import { moment, POSTS, title, words } from "./words";

interface Replayed {
  table: string;
  game: string;
  round: number;
  stage: string;
  at: string;
  decks: SealedDeck[];
  lines: Line[];
  awards: { box: number; player: string; hand: string; amount: string; rules: string[] }[];
  steps: { seq: number; at: string; event: Told; view: TableView }[];
  may_export: boolean;
}

const EYES = ["dealer", "pit_supervisor", "surveillance", "display"];

/** The place in the list of the step that an address names; the first where it names none. */
const index = (step: string): number => (/^\d{1,6}$/.test(step) ? Math.max(Number(step) - 1, 0) : 0);

/** Any round, step by step: what happened, what one could see then, the money and its paragraphs. */
export class ReplayPage extends Piece {
  static override properties = { table: { attribute: false }, round: { attribute: false }, step: { attribute: false } };
  table = "";
  round = 0;
  step = "";
  private replayed: Replayed | null = null;
  private eyes = "";
  private at = 0;
  private timer = 0;
  private wrong = "";

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("keydown", this.key);
    window.addEventListener("hashchange", this.follow);
    this.at = index(this.step);
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("keydown", this.key);
    window.removeEventListener("hashchange", this.follow);
    window.clearInterval(this.timer);
  }

  /** Read the round as one person sees it; where that fails, the page stays with the eyes that it has. */
  private async load(eyes = ""): Promise<void> {
    const [kind, who = ""] = eyes.split("/");
    const query = eyes ? `?as_${kind}=${encodeURIComponent(who)}` : "";
    try {
      this.replayed = await store.get<Replayed>(`/api/tables/${encodeURIComponent(this.table)}/rounds/${this.round}${query}`);
      for (const step of this.replayed.steps) step.view = asItLies(step.view);
      [this.eyes, this.wrong] = [eyes, ""];
      this.at = Math.min(this.at, this.last);
      if (this.step) this.writeStep();
    } catch (wrong) {
      this.wrong = failure(wrong);
    }
    this.requestUpdate();
  }

  protected override updated(): void {
    const [log, now] = [this.querySelector<HTMLElement>(".log"), this.querySelector<HTMLElement>(".log .now")];
    if (log && now) log.scrollTop = now.offsetTop - log.offsetTop - log.clientHeight / 2;
  }

  private whose(): string {
    const [kind, who = ""] = this.eyes.split("/");
    if (this.eyes) return `the eyes of ${kind === "player" ? `the player ${who}` : `the ${POSTS[who] ?? who}`}`;
    return `your own eyes${store.me ? `, as ${POSTS[store.me.post]}` : ""}`;
  }

  private get last(): number {
    return (this.replayed?.steps.length ?? 1) - 1;
  }

  private go(at: number): void {
    this.at = Math.min(Math.max(at, 0), this.last);
    if (this.at === this.last) this.pause();
    this.writeStep();
    this.requestUpdate();
  }

  /** The address names the step as the page counts it: "17 of 40" is .../17. */
  private writeStep(): void {
    history.replaceState(history.state, "", to("replay", this.table, this.round, this.at + 1));
  }

  /** The address may be changed by hand, or by a link to another step of the same round. */
  private follow = (): void => {
    const here = to("replay", this.table, this.round);
    if (this.replayed && `${location.hash}/`.startsWith(`${here}/`)) this.go(index(location.hash.slice(here.length + 1)));
  };

  private pause(): void {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.requestUpdate();
  }

  private play = (): void => {
    if (this.timer) return this.pause();
    if (this.at >= this.last) this.at = 0;
    this.timer = window.setInterval(() => this.go(this.at + 1), 900);
    this.requestUpdate();
  };

  private key = (event: KeyboardEvent): void => {
    if ((event.target as HTMLElement).closest("input, select, textarea, button, a, summary, dialog[open]")) return;
    const act = { ArrowRight: () => this.go(this.at + 1), ArrowLeft: () => this.go(this.at - 1), " ": this.play,
      Home: () => this.go(0), End: () => this.go(Infinity) }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  private share = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.href);
      store.toast("The link to this step is on your clipboard.");
    } catch {
      store.toast(location.href);
    }
  };

  override render(): TemplateResult {
    const r = this.replayed;
    if (!r) return html`<main id="main"><h1>${this.table}, round ${this.round}</h1><p>${this.wrong || "Looking back …"}</p></main>`;
    const step = r.steps[this.at];
    const players = [...new Set(r.lines.map((line) => line.player))];
    const audits = store.me?.may.includes("audit") ?? false;
    const record = `/api/tables/${encodeURIComponent(this.table)}/rounds/${this.round}/record`;
    return html`<main class="replay ${r.game}" id="main">
      <div class="table-head"><div><h1>${r.table}, round ${r.round} <span>${moment(r.at)}</span></h1>
          <p class="quiet">${title(r.stage)}. Seen with ${this.whose()}.</p></div>
        <div class="row">${audits ? html`<label class="inline">Seen by <select data-test="eyes" .value=${live(this.eyes)} @change=${(e: Event) => void this.load((e.target as HTMLSelectElement).value)}>
            <option value="">myself</option>${players.map((p) => html`<option value="player/${p}">${p}, player</option>`)}
            ${EYES.map((post) => html`<option value="post/${post}">the ${POSTS[post]}</option>`)}</select></label>` : nothing}
          <button type="button" class="button small ghost" @click=${this.share}>Copy the link</button>
          ${r.may_export ? html`<a class="button small ghost" href=${record} download="${this.table}-${this.round}.json">Export</a>` : nothing}</div></div>
      ${this.wrong ? html`<p class="wrong" role="alert">${this.wrong}</p>` : nothing}
      <div class="scrub"><button type="button" class="button small ghost" aria-label="Step back" @click=${() => this.go(this.at - 1)}>◀</button>
        <button type="button" class="button small" @click=${this.play}>${this.timer ? "Pause" : "Play"}</button>
        <button type="button" class="button small ghost" aria-label="Step forward" @click=${() => this.go(this.at + 1)}>▶</button>
        <input type="range" min="0" max=${r.steps.length - 1} .value=${String(this.at)} aria-label="Step" @input=${(e: Event) => this.go(Number((e.target as HTMLInputElement).value))}>
        <span>${this.at + 1} of ${r.steps.length}</span></div>
      ${step ? html`<p class="say" aria-live="polite" data-test="told">${told(step.event)}</p>
        <p class="quiet">${moment(step.at)} · event ${step.seq} ${cited(r.game, (step.event["rules"] as string[] | undefined) ?? [])}</p>` : nothing}
      <div class="console"><div class="column"><section class="panel felt-panel" aria-label="The table at this step">${step ? staffFelt(step.view) : nothing}</section>
        ${this.money(r, players)}</div>
        <div class="column"><section class="panel" aria-label="Every step"><h2>Every step</h2><ol class="steps log">${r.steps.map((s, i) => html`<li class=${i === this.at ? "now" : ""}>
          <button type="button" class="plain" aria-current=${i === this.at ? "step" : "false"} @click=${() => this.go(i)}>${told(s.event)}</button></li>`)}</ol></section>
        <section class="panel" aria-label="The deck"><h2>The deck</h2>${proofOf(r.decks)}
          <p class="quiet">The export checks itself: <code>croupier verify FILE</code>, or <code>verify.py</code> with Python alone.</p></section></div></div>
    </main>`;
  }

  private money(r: Replayed, players: string[]): TemplateResult {
    return html`<section class="panel" aria-label="The money"><h2>The money</h2>${players.map((player) => html`<h3>${player}
        ${signed(r.lines.filter((l) => l.player === player).reduce((sum, l) => sum + net(l), 0))}</h3>
      ${resultList(r.game, r.lines.filter((l) => l.player === player), true)}`)}
      ${r.awards.map((a) => html`<p>Award: box ${a.box}, ${words(a.hand)}, ${show(cents(a.amount))} ${cited(r.game, a.rules)}</p>`)}
      ${r.lines.length ? nothing : html`<p class="quiet">No bet has been settled.</p>`}</section>`;
  }
}
customElements.define("replay-page", ReplayPage);
