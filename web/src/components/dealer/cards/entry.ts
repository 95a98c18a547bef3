/** The form in which a dealer types the cards that have been turned. */

import { html, nothing, type TemplateResult } from "lit";

import { enterToNext } from "../../../lib/focus";
import { inputValue } from "../../../lib/forms";
import { parseCards, withoutCards } from "../../../lib/text/card-names";
import { list, plural, t } from "../../../lib/text/language";
import { card } from "../../table/cards";
import { type DealerTable, placeName } from "../dealer-table";
import { cardPad } from "./pad";

const EXAMPLES = ["As", "Kd", "Qh", "Jc", "Ts"];
/** A rank at the end of a text: the dealer is about to type its suit. */
const RANK_AT_END = /(^|\s)(10?|[2-9TJQKA])$/i;

interface Typed {
  place: string;
  count: number;
  cards: string[];
}

export class CardEntry {
  private texts: Record<string, string> = {};

  constructor(private readonly changed: () => void) {}

  /** The fields for the cards that each place needs. A card that already lies on the table is never sent. */
  render(table: DealerTable, counts: Record<string, number>): TemplateResult {
    const { view } = table;
    const lying = new Set([...view.community, ...view.dealer.cards, ...view.boxes.flatMap((box) => box.cards)]);
    const typed = Object.entries(counts).map(([place, count]): Typed => {
      return { place, count, cards: parseCards(this.text(place)) };
    });
    const all = typed.flatMap(({ cards }) => cards);
    const rest = typed
      .map(({ place }) => withoutCards(this.text(place)))
      .filter(Boolean)
      .join(" ");
    const unknown = rest.replace(RANK_AT_END, "").trim();
    const repeated = new Set(all.filter((code, i) => lying.has(code) || all.indexOf(code) !== i));
    const isComplete = typed.every(({ cards, count }) => cards.length === count) && !repeated.size && !rest;
    const errors = [...repeated].map((code) =>
      lying.has(code) ? t("{code} lies on the table already", { code }) : t("{code} is typed twice", { code }),
    );
    for (const { place, count: most, cards } of typed)
      if (cards.length > most)
        errors.push(
          t("{place}: {count} cards are typed, and only {most} lie there", {
            place: placeName(place),
            count: cards.length,
            most,
          }),
        );
    const send = async (event: Event): Promise<void> => {
      event.preventDefault();
      if (!isComplete) {
        const lacks = typed.find(({ cards, count }) => cards.length < count);
        const form = event.target as HTMLFormElement;
        if (lacks) form.querySelector<HTMLInputElement>(`[data-place="${lacks.place}"]`)?.focus();
        return;
      }
      const cards = Object.fromEntries(typed.map((entry) => [entry.place, entry.cards.join(" ")]));
      if (await table.perform({ do: "turn", cards })) this.texts = {};
    };
    const missing = typed.filter(({ cards, count }) => cards.length < count);
    const isFolded = ({ place }: Typed): boolean => view.boxes[Number(place) - 1]?.stands === "folded";
    return html`<form class="enter" @submit=${send} @keydown=${enterToNext}>
      <div class="hands">${typed.map((entry, i) => this.field(entry, i === 0))}</div>
      ${errors.length ? html`<p class="wrong" role="alert">${errors.join(", ")}.</p>` : nothing}
      ${
        unknown
          ? html`<p class="wrong" role="status">${t("“{unknown}” is not a card. Type cards as As, Kd, Th or 9c.", {
              unknown,
            })}</p>`
          : nothing
      }
      <div class="row turned"><button class="button" data-action ?disabled=${!isComplete || table.isHeld}
          >${t("Turned")}</button>
        <span class="quiet" data-test="missing">${
          missing.length
            ? t("Still to be typed: {places}.", { places: list(missing.map(({ place }) => placeName(place))) })
            : ""
        } ${missing.some(isFolded) ? t("A folded hand is shown too where a bet on it is still open.") : ""}</span></div>
      ${this.pad(typed, new Set([...lying, ...all]))}</form>`;
  }

  /** A tapped card goes to the first place that lacks one. */
  private pad(typed: Typed[], used: ReadonlySet<string>): TemplateResult {
    const write = ({ place }: Typed, cards: string[]): void => {
      this.texts = { ...this.texts, [place]: cards.join(" ") };
      this.changed();
    };
    const tap = (code: string): void => {
      const open = typed.find(({ cards, count }) => cards.length < count);
      if (open) write(open, [...open.cards, code]);
    };
    const back = (): void => {
      const last = [...typed].reverse().find(({ cards }) => cards.length);
      if (last) write(last, last.cards.slice(0, -1));
    };
    return cardPad(used, tap, back);
  }

  private text(place: string): string {
    return this.texts[place] ?? "";
  }

  private field({ place, count, cards }: Typed, isFirst: boolean): TemplateResult {
    const type = (event: Event): void => {
      this.texts = { ...this.texts, [place]: inputValue(event) };
      this.changed();
    };
    return html`<label>${plural(count, "{place}: {count} card", "{place}: {count} cards", { place: placeName(place) })}
      <input ?autofocus=${isFirst} autocomplete="off" autocapitalize="none" spellcheck="false" inputmode="text"
        data-place=${place} placeholder=${EXAMPLES.slice(0, count).join(" ")} .value=${this.text(place)}
        @input=${type}>
      <span class="mini"><span>${cards.map(card)}</span></span></label>`;
  }
}
