/** The order of cards that were drawn together, as the pit determines it: card by card, each with its place. */

import { html, nothing, type TemplateResult } from "lit";

import type { LiveView } from "../../lib/play/table-view";
import { t } from "../../lib/text/language";

export class CardOrder {
  /** Where each card goes, by table and round. */
  private places = new Map<string, string[]>();

  constructor(private readonly changed: () => void) {}

  /** The order in words, for the record; empty where none was entered. */
  text(view: LiveView): string {
    return this.of(view)
      .map((place, i) => t("card {number} to {place}", { number: i + 1, place }))
      .join(", ");
  }

  private of({ table, round }: LiveView): string[] {
    return this.places.get(`${table} ${round}`) ?? [];
  }

  render(view: LiveView): TemplateResult {
    const entered = this.of(view);
    const boxes = view.boxes.filter(({ stakes }) => stakes.length).map(({ box }) => t("Box {box}", { box }));
    const set = (places: string[]): void => {
      this.places.set(`${view.table} ${view.round}`, places);
      this.changed();
    };
    return html`<fieldset data-test="card-order"><legend>${t("Tap where each card goes, the first one first")}</legend>
      <div class="row">${[...boxes, t("Dealer"), t("Community")].map(
        (place) => html`<button type="button" class="button small ghost" data-order=${place}
          @click=${() => set([...entered, place])}>${place}</button>`,
      )}</div>
      ${
        entered.length
          ? html`<p role="status">${this.text(view)}. <button type="button" class="button small ghost"
              @click=${() => set(entered.slice(0, -1))}>${t("Take the last one back")}</button></p>`
          : nothing
      }</fieldset>`;
  }
}
