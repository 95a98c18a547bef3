/** The order of cards that were drawn together, as the pit determines it: card by card, each with its place. */

import { html, nothing, type TemplateResult } from "lit";

import type { LiveView } from "../../lib/play/table-view";
import { CONSOLE_TEXTS as T } from "../../lib/text/console-texts";

export class CardOrder {
  /** Where each card goes, by table and round. */
  private places = new Map<string, string[]>();

  constructor(private readonly changed: () => void) {}

  /** The order in words, for the record; empty where none was entered. */
  text(view: LiveView): string {
    return T.order(this.of(view));
  }

  private of({ table, round }: LiveView): string[] {
    return this.places.get(`${table} ${round}`) ?? [];
  }

  render(view: LiveView): TemplateResult {
    const entered = this.of(view);
    const boxes = view.boxes.filter(({ stakes }) => stakes.length).map(({ box }) => T.place(box));
    const set = (places: string[]): void => {
      this.places.set(`${view.table} ${view.round}`, places);
      this.changed();
    };
    return html`<fieldset data-test="card-order"><legend>${T.cardOrder}</legend>
      <div class="row">${[...boxes, T.dealer, T.community].map(
        (place) => html`<button type="button" class="button small ghost" data-order=${place}
          @click=${() => set([...entered, place])}>${place}</button>`,
      )}</div>
      ${
        entered.length
          ? html`<p role="status">${this.text(view)}. <button type="button" class="button small ghost"
              @click=${() => set(entered.slice(0, -1))}>${T.back}</button></p>`
          : nothing
      }</fieldset>`;
  }
}
