import { html, nothing, type TemplateResult } from "lit";

import { Piece, to } from "./element";
import { cited } from "./paragraph";
import { RETRY, store } from "./store";
import { told, type Told } from "./telling";

interface Step {
  seq: number;
  event: Told;
}

/** What has happened in a round so far, beside a decision about it. */
export class RoundLog extends Piece {
  static override properties = { table: { attribute: false }, round: { attribute: false } };
  table = "";
  round = 0;
  private steps: Step[] | null = null;
  private known = "";

  protected override updated(): void {
    const seen = store.tables.get(this.table);
    const key = `${this.table}/${this.round}/${seen?.round === this.round ? seen.seq : "over"}`;
    if (key === this.known) return;
    this.known = key;
    void this.read(key);
  }

  private async read(key: string): Promise<void> {
    const path = `/api/tables/${encodeURIComponent(this.table)}/rounds/${this.round}`;
    const said = await store.refresh(path, store.get<{ steps: Step[] }>(path));
    if (said) this.steps = said.steps;
    else window.setTimeout(() => key === this.known && this.isConnected && void this.read(key), RETRY);
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const game = store.terms.get(this.table)?.game ?? "";
    return html`<section class="round-log" aria-label="The round so far"><h4>The round so far</h4>
      <ol class="steps log" tabindex="0" aria-label="Every step">${this.steps?.map((step) => html`<li>${told(step.event)} ${cited(game, (step.event["rules"] as string[] | undefined)?.slice(0, 2) ?? [])}</li>`) ?? nothing}</ol>
      <a href=${to("replay", this.table, this.round)}>Replay step by step</a></section>`;
  }
}
customElements.define("round-log", RoundLog);
