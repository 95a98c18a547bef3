/** The order of cards that were drawn together, as the pit determines it: card by card, each with its place. */

import { html, nothing, type TemplateResult } from "lit";

import type { LiveView } from "../../lib/play/table-view";
import { t } from "../../lib/text/language";

/** A place as the record names it, in English, and as the page does. */
type Place = [onRecord: string, name: string];

export class CardOrder {
  /** Where each card goes, by table and round. */
  private places = new Map<string, string[]>();

  constructor(private readonly changed: () => void) {}

  /** The order in words, for the record; empty where none was entered. */
  text(view: LiveView): string {
    return this.of(view)
      .map((place, i) => `card ${i + 1} to ${place}`)
      .join(", ");
  }

  private of({ table, round }: LiveView): string[] {
    return this.places.get(`${table} ${round}`) ?? [];
  }

  render(view: LiveView): TemplateResult {
    const entered = this.of(view);
    const boxes = view.boxes
      .filter(({ stakes }) => stakes.length)
      .map(({ box }): Place => [`Box ${box}`, t("Box {box}", { box })]);
    const places: Place[] = [...boxes, ["Dealer", t("Dealer")], ["Community", t("Community")]];
    const names = new Map(places);
    const set = (order: string[]): void => {
      this.places.set(`${view.table} ${view.round}`, order);
      this.changed();
    };
    return html`<fieldset data-test="card-order"><legend>${t("Tap where each card goes, the first one first")}</legend>
      <div class="row">${places.map(
        ([place, name]) => html`<button type="button" class="button small ghost" data-order=${place}
          @click=${() => set([...entered, place])}>${name}</button>`,
      )}</div>
      ${
        entered.length
          ? html`<p role="status">${entered
              .map((place, i) => t("card {number} to {place}", { number: i + 1, place: names.get(place) ?? place }))
              .join(", ")}. <button type="button" class="button small ghost"
              @click=${() => set(entered.slice(0, -1))}>${t("Take the last one back")}</button></p>`
          : nothing
      }</fieldset>`;
  }
}
