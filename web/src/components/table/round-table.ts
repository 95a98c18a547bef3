import { html, type TemplateResult } from "lit";

import type { RoundStep, TableView } from "../../api/types";
import { StateElement } from "../../lib/element";
import { requests } from "../../lib/state/requests";
import { tables } from "../../lib/state/tables";
import { t } from "../../lib/text/language";
import { staffTable } from "./staff-table";

/** The table as it lies in one round; once another round has begun, as it lay at the end of that one. */
export class RoundTable extends StateElement {
  static override properties = { table: { attribute: false }, round: { attribute: false } };
  table = "";
  round = 0;
  private earlier: TableView | undefined;
  private loaded = "";

  protected override updated(): void {
    const key = `${this.table}/${this.round}`;
    if (tables.views.get(this.table)?.round === this.round || key === this.loaded) return;
    this.loaded = key;
    void this.load();
  }

  private async load(): Promise<void> {
    const path = `/api/tables/${encodeURIComponent(this.table)}/rounds/${this.round}`;
    const record = await requests.refresh(path, requests.get<{ steps: RoundStep[] }>(path));
    this.earlier = record?.steps.at(-1)?.view;
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const now = tables.views.get(this.table);
    const view = now?.round === this.round ? now : this.earlier;
    return view ? staffTable(view) : html`<p>${t("Loading the table …")}</p>`;
  }
}
customElements.define("round-table", RoundTable);
