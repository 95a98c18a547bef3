import { html, nothing, type TemplateResult } from "lit";

import { failure, isTemporary } from "./api";
import { Piece } from "./element";
import { moneyTable } from "./felt";
import { cited } from "./paragraph";
import { RETRY, store } from "./store";
import type { Answer, Preview, Procedure, Seen } from "./types";
import { citation, NO_NAMES, POSTS, title, words } from "./words";

const ASKED: Record<string, string> = {
  count: "How many cards?",
  boxes: "Which boxes?",
  affected: "Which other boxes are affected?",
  dealer: "A card of the Dealer",
  community: "A community card",
  correct: "The hand count proved right",
  reconstructible: "Can the cards be put back in their order?",
  player: "Which player?",
  text: "What happened, in your words",
};

/** Report an irregularity: what fits this game and moment, and what follows from it before anybody confirms. */
export class ReportDialog extends Piece {
  private table = "";
  private incidents: Procedure["incidents"] | null = null;
  private known = -1;
  private chosen: Procedure["incidents"][number] | null = null;
  private facts: Record<string, unknown> = {};
  private preview: Preview | null = null;
  private looked: number[] = [];
  private asking = 0;
  /** Why the list cannot be read. */
  private wrong = "";

  open(table: string): void {
    [this.table, this.incidents, this.known, this.chosen, this.facts, this.preview, this.looked] = [table, null, -1, null, {}, null, []];
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector("dialog")?.showModal());
  }

  /** While the list stands open it follows the table: what can happen is asked again whenever something has. */
  protected override updated(): void {
    const seq = store.tables.get(this.table)?.seq;
    if (seq === undefined || seq === this.known || this.chosen) return;
    this.known = seq;
    void this.list();
  }

  private async list(): Promise<void> {
    const [table, seq] = [this.table, this.known];
    try {
      this.incidents = (await store.get<Procedure>(`/api/tables/${encodeURIComponent(table)}/procedure`)).incidents;
      this.wrong = "";
    } catch (wrong) {
      this.wrong = failure(wrong);
      if (isTemporary(wrong)) window.setTimeout(() => table === this.table && seq === this.known && this.isConnected && void this.list(), RETRY);
    }
    this.requestUpdate();
  }

  private async look(): Promise<void> {
    if (!this.chosen) return;
    const asked = ++this.asking;
    this.preview = null;
    this.requestUpdate();
    try {
      const said = await store.send<Preview>("POST", `/api/tables/${encodeURIComponent(this.table)}/preview`, { ...this.body(), looked: this.looked });
      if (asked === this.asking) this.preview = said;
    } catch (wrong) {
      const message = failure(wrong);
      if (asked === this.asking) this.preview = { accepted: false, code: "", message, rules: [] };
    }
    this.requestUpdate();
  }

  private body(): Record<string, unknown> {
    const facts = Object.fromEntries(Object.entries(this.facts).filter(([, v]) => v !== "" && v !== undefined && !(Array.isArray(v) && !v.length)));
    return { incident: this.chosen!.incident, ...facts };
  }

  private set(name: string, value: unknown): void {
    this.facts = { ...this.facts, [name]: value };
    void this.look();
  }

  private confirm = async (): Promise<void> => {
    const looks = this.looked.map((box) => ({ do: "examine", player: store.tables.get(this.table)?.boxes[box - 1]?.stakes[0]?.player, box }));
    for (const command of [...looks, { do: "report", ...this.body() }]) {
      const answer = await store.command(this.table, command);
      // Said here: whatever lies behind an open dialog is out of reach.
      if (!answer.accepted) return this.refused(answer);
    }
    this.close();
  };

  private refused(answer: Answer): void {
    this.preview = { accepted: false, code: answer.code ?? "", message: answer.message ?? "Refused.", rules: answer.rules ?? [] };
    this.requestUpdate();
  }

  private close = (): void => this.querySelector("dialog")?.close();

  override render(): TemplateResult {
    const game = store.terms.get(this.table)?.game ?? "";
    return html`<dialog class="report" aria-labelledby="report-title"><h2 id="report-title">${this.chosen ? this.chosen.says : "What has happened?"}</h2>
      ${this.chosen ? this.form(game) : html`<p class="quiet">Only what can happen in this game at this moment.</p>
        ${this.wrong ? html`<p class="wrong" role="alert">${this.wrong}</p>` : this.incidents ? nothing : html`<p>…</p>`}
        <ul class="incidents">${this.incidents?.map((incident) => html`<li><button type="button" class="button ghost" data-incident=${incident.incident}
          @click=${() => { this.chosen = incident; this.facts = incident.asks.includes("count") ? { count: 1 } : {}; void this.look(); }}>
          ${incident.says}<small>${incident.rules.slice(0, 3).map(citation).join(", ")}</small></button></li>`)}</ul>`}
      <div class="row">
        ${this.chosen ? html`<button type="button" class="button ghost" @click=${() => { this.chosen = null; this.requestUpdate(); }}>Back</button>` : nothing}
        <button type="button" class="button ghost" @click=${this.close}>Cancel</button>
        ${this.chosen ? html`<button type="button" class="button danger" ?disabled=${!this.preview?.accepted} @click=${this.confirm}>Report it</button>` : nothing}
      </div></dialog>`;
  }

  private form(game: string): TemplateResult {
    const terms = store.terms.get(this.table);
    const view = store.tables.get(this.table);
    const bets = view ? [...view.boxes.flatMap((box) => box.stakes), ...view.lines] : [];
    const players = [...new Set(bets.map((bet) => bet.player))];
    const pit = store.me?.post !== "dealer";
    const field = (name: string): TemplateResult | typeof nothing => {
      const value = this.facts[name];
      switch (name) {
        case "boxes":
        case "affected": {
          const held = (value as number[] | undefined) ?? [];
          return html`<fieldset><legend>${ASKED[name]}</legend><div class="row">${Array.from({ length: terms?.boxes ?? 0 }, (_, i) => i + 1).map(
            (box) => html`<label class="pill"><input type="checkbox" .checked=${held.includes(box)} @change=${() =>
              this.set(name, held.includes(box) ? held.filter((b) => b !== box) : [...held, box].sort((a, b) => a - b))}><span>${box}</span></label>`,
          )}</div></fieldset>`;
        }
        case "count":
          return html`<label>${ASKED[name]} <input type="number" min="1" max="52" .value=${String(value ?? 1)} @input=${(e: Event) => this.set(name, Number((e.target as HTMLInputElement).value))}></label>`;
        case "reconstructible":
          return pit ? html`<label>${ASKED[name]} <select @change=${(e: Event) => {
            const said = (e.target as HTMLSelectElement).value;
            this.set(name, said === "" ? undefined : said === "yes");
          }}><option value="">Not said yet</option><option value="yes">Yes</option><option value="no">No</option></select></label>` : nothing;
        case "player":
          return html`<label>${ASKED[name]} <select @change=${(e: Event) => this.set(name, (e.target as HTMLSelectElement).value)}>
            <option value="">Choose</option>${players.map((p) => html`<option>${p}</option>`)}</select></label>`;
        case "text":
          return html`<label>${ASKED[name]} <textarea maxlength="500" placeholder=${NO_NAMES} @change=${(e: Event) => this.set(name, (e.target as HTMLTextAreaElement).value)}></textarea></label>`;
        default:
          return html`<label class="switch"><input type="checkbox" .checked=${value === true} @change=${(e: Event) => this.set(name, (e.target as HTMLInputElement).checked)}><span>${ASKED[name]}</span></label>`;
      }
    };
    const looks = view?.stage === "playing" && this.chosen!.asks.includes("looked");
    return html`${this.chosen!.asks.filter((fact) => fact !== "looked").map(field)} ${looks ? this.looks(view, terms?.physical ?? false) : nothing} ${this.consequence(game)}`;
  }

  /** Where the program deals it knows who has looked; at real cards the dealer says it, and it is entered with the report. */
  private looks(view: Seen, physical: boolean): TemplateResult {
    const known = view.boxes.filter((box) => box.examined_by.length).map((box) => box.box);
    if (!physical) return html`<p>Has any player looked? <b>${known.length ? `Yes, box ${known.join(", ")}` : "Nobody"}.</b></p>`;
    return html`<fieldset data-test="looked"><legend>Has any player looked?</legend><div class="row">${view.boxes.filter((box) => box.stakes.length).map(({ box }) =>
      html`<label class="pill"><input type="checkbox" aria-label="Box ${box} has looked" ?disabled=${known.includes(box)} .checked=${known.includes(box) || this.looked.includes(box)}
        @change=${() => {
          this.looked = this.looked.includes(box) ? this.looked.filter((b) => b !== box) : [...this.looked, box];
          void this.look();
        }}><span>Box ${box}</span></label>`)}</div>${known.length || this.looked.length ? nothing : html`<p class="quiet">Nobody, as entered.</p>`}</fieldset>`;
  }

  private consequence(game: string): TemplateResult {
    const p = this.preview;
    if (!p) return html`<p>What follows …</p>`;
    if (!p.accepted) return html`<p class="wrong" role="status">${p.message} ${cited(game, p.rules)}</p>`;
    const asked = p.awaiting[0];
    const says = p.stage === "void" ? "The round is void: every bet goes back."
      : p.redealt ? "Everything is dealt again."
      : asked ? asked.by ? `The round waits for the ${POSTS[asked.by]} or above: ${[...new Set(p.awaiting.map((a) => words(a.answer)))].join(" or ")}.`
        : `Players choose: ${[...new Set(p.awaiting.map((a) => words(a.answer)))].join(" or ")}.`
      : "The round goes on.";
    return html`<section class="consequence" aria-live="polite" data-test="consequence"><h3>What follows</h3><p><b>${says}</b> ${cited(game, p.rules)}</p>
      ${asked ? html`${p.awaiting.map((a) => html`<h4>${title(a.answer)}${a.box ? `, box ${a.box}` : ""}</h4>${moneyTable(a.money)}`)}` : moneyTable(p.money)}</section>`;
  }
}
customElements.define("report-dialog", ReportDialog);
