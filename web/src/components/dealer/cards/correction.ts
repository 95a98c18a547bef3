/** The proposal to correct cards that were entered wrong: tapped on the pad, signed by a second person. */

import { html, nothing, type TemplateResult } from "lit";

import { requests } from "../../../lib/state/requests";
import { refuse } from "../../../lib/state/toasts";
import { t } from "../../../lib/text/language";
import { served } from "../../served";
import { card } from "../../table/cards";
import { type DealerTable, placeName } from "../dealer-table";
import { cardPad } from "./pad";
import { PutRight } from "./put-right";

/** Milliseconds for which the outcome of a proposal stands. */
const READ = 30e3;

/** A proposal of this console: where it is, and what should lie there. */
interface Proposed {
  id: string;
  place: string;
  cards: string;
}

export class CardCorrection {
  private isOpen = false;
  private place = "";
  /** What really lies at the place, as tapped; it begins with the cards that were entered. */
  private cards: string[] = [];
  private proposed: Proposed | null = null;
  /** The proposal was seen waiting. */
  private isWaiting = false;
  private outcome = "";
  /** When the outcome was known, and the round that it is about. */
  private since = 0;
  private round = 0;
  private putRight = new PutRight();

  constructor(private readonly changed: () => void) {}

  /** Whether the form stands in the place of the next step. */
  isShown(table: DealerTable): boolean {
    return this.isOpen && places(table).length > 0;
  }

  /** The button that opens the form, and what has become of the last proposal. */
  opener(table: DealerTable): TemplateResult | typeof nothing {
    const open = places(table);
    if (!open.length) return nothing;
    return html`<button type="button" class="button ghost" aria-expanded=${this.isOpen} data-correct
      @click=${() => (this.isOpen ? this.close() : this.choose(open[0]!))}>${t("Correct cards")}</button>`;
  }

  /** What waits for its second signature, or what has become of it, and what it does to chips that were moved. */
  status(table: DealerTable): TemplateResult | typeof nothing {
    const waiting = table.procedure?.corrections ?? [];
    this.follow(table);
    if (table.procedure) this.putRight.follow(table, waiting.length > 0);
    const isNew = this.round === table.view.round && this.since > Date.now() - READ;
    const says = waiting.length
      ? waiting.map(({ says }) => html`${t("Waits for a second signature:")} ${served(says)}. `)
      : isNew && this.outcome;
    const chips = this.putRight.render(table);
    if (!says && chips === nothing) return nothing;
    return html`<div class="notice" role="status">${
      says ? html`<p data-test="correction">${says}</p>` : nothing
    }${chips}</div>`;
  }

  /** See whether the proposal of this console still waits; when it is gone, the cards say whether it was signed. */
  private follow(table: DealerTable): void {
    const { proposed } = this;
    if (!proposed || !table.procedure) return;
    if (table.procedure.corrections.some(({ id }) => id === proposed.id)) {
      this.isWaiting = true;
      return;
    }
    if (!this.isWaiting) return;
    const lies = places(table).find(([place]) => place === proposed.place)?.[1] ?? [];
    this.outcome =
      lies.join(" ") === proposed.cards
        ? t("The correction is signed: {place} is corrected.", { place: placeName(proposed.place) })
        : t("The correction was not signed. Ask the pit why, or propose it again.");
    [this.proposed, this.isWaiting] = [null, false];
    [this.since, this.round] = [Date.now(), table.view.round];
  }

  private choose([place, cards]: [string, string[]]): void {
    [this.isOpen, this.place, this.cards, this.outcome] = [true, place, [...cards], ""];
    this.changed();
  }

  private close(): void {
    this.isOpen = false;
    this.changed();
  }

  render(table: DealerTable): TemplateResult {
    const open = places(table);
    const [, entered] = open.find(([place]) => place === this.place) ?? open[0]!;
    const elsewhere = open.filter(([place]) => place !== this.place).flatMap(([, cards]) => cards);
    const set = (cards: string[]): void => {
      this.cards = cards;
      this.changed();
    };
    const tap = (code: string): void => {
      if (this.cards.length < entered.length) set([...this.cards, code]);
    };
    const isNew = this.cards.length === entered.length && this.cards.join() !== entered.join();
    return html`<div class="words"><p class="say">${t("What really lies there")}</p>
        <p class="quiet">${t("Tap a card to take it away, then the right one.")}</p></div>
      <div class="work"><form class="enter" data-test="correction-form"
        @submit=${(event: Event) => this.propose(table, event)}>
        <div class="row" role="group" aria-label=${t("Where")}>${open.map(
          (each) => html`<button type="button" class="button small ${each[0] === this.place ? "" : "ghost"}"
            aria-pressed=${each[0] === this.place} @click=${() => this.choose(each)}>${placeName(each[0])}</button>`,
        )}</div>
        <p class="row lying">${this.cards.map(
          (code, i) => html`<button type="button" class="mini" data-take=${code}
            @click=${() => set(this.cards.filter((_, other) => other !== i))}>${card(code)}</button>`,
        )}</p>
        ${cardPad(new Set([...elsewhere, ...this.cards]), tap, () => set(this.cards.slice(0, -1)))}
        <div class="row"><button class="button small" ?disabled=${!isNew}>${t("Propose")}</button>
          <button type="button" class="button small ghost" @click=${() => this.close()}>${t("Cancel")}</button></div>
      </form></div>`;
  }

  private async propose({ name, reload }: DealerTable, event: Event): Promise<void> {
    event.preventDefault();
    const [place, cards] = [this.place, this.cards.join(" ")];
    try {
      const path = `/api/tables/${encodeURIComponent(name)}/correct`;
      const { id } = await requests.send<{ id: string }>("POST", path, { cards: { [place]: cards } });
      [this.proposed, this.isWaiting] = [{ id, place, cards }, false];
      this.close();
      reload();
    } catch (error) {
      refuse(error);
    }
  }
}

/** Where cards lie face up, and which were entered. */
function places({ view, terms }: DealerTable): [string, string[]][] {
  if (!terms.physical || view.stage === "idle") return [];
  const all: [string, string[]][] = [
    ["community", view.community],
    ["dealer", view.dealer.cards],
    ...view.boxes.map(({ box, cards }): [string, string[]] => [String(box), cards]),
  ];
  return all.filter(([, cards]) => cards.length && cards.every((code) => code !== "??"));
}
