import { html, nothing, type TemplateResult } from "lit";

import type { RoundStep } from "../../api/types";
import { StateElement } from "../../lib/element";
import { to } from "../../lib/navigation";
import { lobby } from "../../lib/state/lobby";
import { RETRY, requests } from "../../lib/state/requests";
import { tables } from "../../lib/state/tables";
import { eventText } from "../../lib/text/event-text";
import { plural, t } from "../../lib/text/language";
import { citations, rulesOf } from "../rules/citations";

/** Paragraphs that a step cites at most. */
const CITED = 2;

/** What has happened in a round so far, beside a decision about it. */
export class RoundLog extends StateElement {
  static override properties = { table: { attribute: false }, round: { attribute: false } };
  table = "";
  round = 0;
  private steps: RoundStep[] = [];
  private loaded = "";

  protected override updated(): void {
    const view = tables.views.get(this.table);
    const key = `${this.table}/${this.round}/${view?.round === this.round ? view.seq : "over"}`;
    if (key === this.loaded) return;
    this.loaded = key;
    void this.load(key);
  }

  private async load(key: string): Promise<void> {
    const path = `/api/tables/${encodeURIComponent(this.table)}/rounds/${this.round}`;
    const record = await requests.refresh(path, requests.get<{ steps: RoundStep[] }>(path));
    if (record) this.steps = record.steps;
    else window.setTimeout(() => key === this.loaded && this.isConnected && void this.load(key), RETRY);
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const game = lobby.terms.get(this.table)?.edition ?? "";
    return html`<section class="round-log" aria-label=${t("The round so far")}><h4>${t("The round so far")}
        ${
          this.steps.length
            ? html`<span class="quiet">${plural(this.steps.length, "{count} step", "{count} steps")}</span>`
            : nothing
        }</h4>
      <ol class="steps log" tabindex="0" aria-label=${t("Every step")}>${this.steps.map(
        ({ event }) =>
          html`<li>${eventText(event, this.table)} ${citations(game, rulesOf(event).slice(0, CITED))}</li>`,
      )}</ol>
      <a href=${to("replay", this.table, this.round)}>${t("Replay step by step")}</a></section>`;
  }
}
customElements.define("round-log", RoundLog);
