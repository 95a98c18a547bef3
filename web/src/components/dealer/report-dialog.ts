import { html, nothing, type TemplateResult } from "lit";

import { isTemporary } from "../../api/http";
import type { Answer, IncidentKind, Preview, Procedure, Refusal } from "../../api/types";
import { StateElement } from "../../lib/element";
import { show } from "../../lib/money";
import { command } from "../../lib/state/live";
import { lobby } from "../../lib/state/lobby";
import { RETRY, requests } from "../../lib/state/requests";
import { tables } from "../../lib/state/tables";
import { citation } from "../../lib/text/labels";
import { list, t } from "../../lib/text/language";
import { failure } from "../../lib/text/sentences";
import { alert } from "../alert";
import { served } from "../served";
import { consequence } from "./consequence";
import { examinedBoxes, factField } from "./incident-facts";

/** Paragraphs that an incident shows in the list at most. */
const CITED = 3;

/** Reports an irregularity: what can happen in this game now, and what follows from it before it is confirmed. */
export class ReportDialog extends StateElement {
  private table = "";
  private incidents: IncidentKind[] | null = null;
  /** The event of the table for which the list was requested. */
  private requestedSeq = -1;
  private chosen: IncidentKind | null = null;
  private facts: Record<string, unknown> = {};
  private preview: Preview | Refusal | null = null;
  /** Boxes whose player has looked, as the dealer enters it. */
  private examined: number[] = [];
  private previewRequest = 0;
  /** The dealer has been asked whether all bets are to go back. */
  private isAsked = false;
  /** Real cards are being dealt at this moment: what happens to them can be reported when the deal is on record. */
  private isDealing = false;
  /** Why the list cannot be read. */
  private error = "";

  open(table: string): void {
    this.table = table;
    [this.incidents, this.requestedSeq, this.chosen] = [null, -1, null];
    [this.facts, this.preview, this.examined] = [{}, null, []];
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector("dialog")?.showModal());
  }

  private get path(): string {
    return `/api/tables/${encodeURIComponent(this.table)}`;
  }

  /** Read the list again after every event of the table, as long as no incident is chosen. */
  protected override updated(): void {
    const seq = tables.views.get(this.table)?.seq;
    if (seq === undefined || seq === this.requestedSeq || this.chosen) return;
    this.requestedSeq = seq;
    void this.loadIncidents();
  }

  private async loadIncidents(): Promise<void> {
    const [table, seq] = [this.table, this.requestedSeq];
    const isWanted = (): boolean => table === this.table && seq === this.requestedSeq && this.isConnected;
    try {
      const { incidents, deal } = await requests.get<Procedure>(`${this.path}/procedure`);
      [this.incidents, this.isDealing] = [incidents, deal];
      this.error = "";
    } catch (error) {
      this.error = failure(error);
      if (isTemporary(error)) window.setTimeout(() => isWanted() && void this.loadIncidents(), RETRY);
    }
    this.requestUpdate();
  }

  private async loadPreview(): Promise<void> {
    const request = ++this.previewRequest;
    [this.preview, this.isAsked] = [null, false];
    this.requestUpdate();
    let preview: Preview | Refusal;
    try {
      const body = { ...this.report, looked: this.examined };
      preview = await requests.send<Preview | Refusal>("POST", `${this.path}/preview`, body);
    } catch (error) {
      preview = { accepted: false, code: "", message: failure(error), rules: [] };
    }
    if (request === this.previewRequest) this.preview = preview;
    this.requestUpdate();
  }

  /** The incident with the facts that have been entered. */
  private get report(): Record<string, unknown> {
    const isGiven = (value: unknown): boolean =>
      value !== "" && value !== undefined && !(Array.isArray(value) && !value.length);
    const facts = Object.entries(this.facts).filter(([, value]) => isGiven(value));
    return { incident: this.chosen?.incident, ...Object.fromEntries(facts) };
  }

  private choose(incident: IncidentKind | null): void {
    this.isAsked = false;
    this.chosen = incident;
    this.facts = incident?.asks.includes("count") ? { count: 1 } : {};
    if (incident) void this.loadPreview();
    else this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("#report-title")?.focus());
  }

  private back(): void {
    if (!this.isAsked) this.choose(null);
    this.isAsked = false;
    this.requestUpdate();
  }

  private setFact = (name: string, value: unknown): void => {
    this.facts = { ...this.facts, [name]: value };
    // Words change nothing of what follows, so the preview stands while they are written.
    if (name === "count" && !value) {
      this.previewRequest++;
      this.preview = null;
      this.requestUpdate();
    } else if (name !== "text") void this.loadPreview();
  };

  private setExamined = (boxes: number[]): void => {
    this.examined = boxes;
    void this.loadPreview();
  };

  /** What a void round gives back, to be confirmed once more; empty for every other report. */
  private get question(): string {
    const { preview } = this;
    if (!preview?.accepted || preview.stage !== "void") return "";
    const boxes = Object.entries(preview.money).map(
      ([box, { returned }]) => `${t("Box {box}", { box })} ${show(returned)}`,
    );
    return t("All bets go back: {boxes}. The pit sees it.", { boxes: list(boxes) });
  }

  private confirm = async (): Promise<void> => {
    if (this.question && !this.isAsked) {
      this.isAsked = true;
      this.requestUpdate();
      return;
    }
    const boxes = tables.views.get(this.table)?.boxes;
    const examinations = this.examined.map((box) => {
      return { do: "examine", player: boxes?.[box - 1]?.stakes[0]?.player, box };
    });
    const act = this.chosen?.do ?? "report";
    // A step that tells of its incident by itself names the facts alone.
    const said = { ...this.report, ...(act === "report" ? {} : { incident: undefined }) };
    for (const body of [...examinations, { do: act, ...said }]) {
      const answer = await command(this.table, body);
      if (!answer.accepted) return this.refuse(answer);
    }
    this.close();
  };

  /** Show a refusal in the dialog: a toast behind it could not be reached. */
  private refuse({ code = "", message = t("Refused."), rules = [] }: Answer): void {
    this.preview = { accepted: false, code, message, rules };
    this.requestUpdate();
  }

  private close = (): void => this.querySelector("dialog")?.close();

  override render(): TemplateResult {
    const { chosen } = this;
    return html`<dialog class="report" aria-labelledby="report-title">
      <h2 id="report-title" tabindex="-1">${chosen ? served(chosen.says) : t("What has happened?")}</h2>
      ${this.isAsked ? alert(this.question) : chosen ? this.form(chosen) : this.list()}
      <div class="row">
        ${
          chosen
            ? html`<button type="button" class="button ghost" @click=${() => this.back()}>${t("Back|go")}</button>`
            : nothing
        }
        <button type="button" class="button ghost" @click=${this.close}>${t("Cancel")}</button>
        ${
          chosen
            ? html`<button type="button" class="button danger" data-once ?disabled=${!this.preview?.accepted}
                @click=${this.confirm}>${this.isAsked ? t("Void the round") : t("Report it")}</button>`
            : nothing
        }
      </div></dialog>`;
  }

  /** Put the cards that are being dealt on record, so that what happened to them can be reported. */
  private recordDeal = async (): Promise<void> => {
    const answer = await command(this.table, { do: "deal" });
    if (!answer.accepted) this.error = answer.message ?? t("Refused.");
    this.requestUpdate();
  };

  private list(): TemplateResult {
    return html`<p class="quiet">${t("Only what can happen in this game at this moment.")}</p>
      ${
        this.isDealing
          ? html`<p><button type="button" class="button small" data-dealing @click=${this.recordDeal}
              >${t("It happened to the cards that I am dealing")}</button>
              <span class="quiet">${t("The deal goes on record first.")}</span></p>`
          : nothing
      }
      ${this.error ? alert(this.error) : this.incidents ? nothing : html`<p>…</p>`}
      <ul class="incidents">${this.incidents?.map(
        (incident) => html`<li><button type="button" class="button ghost" data-incident=${incident.incident}
          @click=${() => this.choose(incident)}>
          ${served(incident.says)}<small>${[...new Set(incident.rules.slice(0, CITED).map(citation))].join(
            ", ",
          )}</small></button></li>`,
      )}</ul>`;
  }

  private form({ asks, do: act }: IncidentKind): TemplateResult {
    const [terms, view] = [lobby.terms.get(this.table), tables.views.get(this.table)];
    const facts = asks.filter((name) => name !== "looked" && name !== "reconstructible");
    const showsExamined = view?.stage === "playing" && asks.includes("looked");
    return html`${facts.map((name) => factField(this.table, name, this.facts[name], this.setFact, act === "walk_away"))}
      ${showsExamined ? examinedBoxes(view, terms?.physical ?? false, this.examined, this.setExamined) : nothing}
      ${consequence(terms?.edition ?? "", this.preview)}`;
  }
}
customElements.define("report-dialog", ReportDialog);
