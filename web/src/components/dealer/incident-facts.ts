/** The facts of an irregularity, as fields of its report. */

import { html, nothing, type TemplateResult } from "lit";

import { inputValue, isChecked } from "../../lib/forms";
import type { LiveView } from "../../lib/play/table-view";
import { tables } from "../../lib/state/tables";
import { noNames, patronName } from "../../lib/text/labels";
import { type Plain, t } from "../../lib/text/language";

const QUESTIONS: Record<string, Plain> = {
  count: "How many cards?",
  boxes: "Which boxes?",
  affected: "Which other boxes are affected?",
  dealer: "A card of the Dealer",
  community: "A community card",
  correct: "The hand count proved right",
  player: "Which player?",
  text: "What happened, in your words",
};

type SetFact = (name: string, value: unknown) => void;

const toggled = (boxes: number[], box: number): number[] =>
  boxes.includes(box) ? boxes.filter((other) => other !== box) : [...boxes, box].sort((a, b) => a - b);

/** `isLeaving` says that the report is about a player who still has a hand in play. */
export function factField(
  table: string,
  name: string,
  value: unknown,
  set: SetFact,
  isLeaving: boolean,
): TemplateResult {
  const asked: Plain = QUESTIONS[name] ?? "What happened, in your words";
  const question = t(asked);
  switch (name) {
    case "boxes":
    case "affected":
      return boxesField(table, name, (value as number[] | undefined) ?? [], set);
    case "count":
      return countField(question, cardsInPlay(table), (count) => set(name, count));
    case "player":
      return html`<label>${question} <select @change=${(event: Event) => set(name, inputValue(event))}>
        <option value="">${t("Choose")}</option>
        ${playersAt(table, isLeaving).map(
          (player) => html`<option value=${player}>${patronName(table, player)}</option>`,
        )}</select></label>`;
    case "text":
      return html`<label>${question} <textarea maxlength="500" placeholder=${noNames()}
        @input=${(event: Event) => set(name, inputValue(event))}></textarea></label>`;
    default:
      return html`<label class="switch"><input type="checkbox" .checked=${value === true}
        @change=${(event: Event) => set(name, isChecked(event))}><span>${question}</span></label>`;
  }
}

/** With a number that is not possible, nothing can be reported. */
function countField(question: string, most: number, set: (count: number | undefined) => void): TemplateResult {
  const type = (event: Event): void => {
    const count = Number(inputValue(event));
    set(Number.isInteger(count) && count >= 1 && count <= most ? count : undefined);
  };
  return html`<label>${question} <input type="number" min="1" max=${most} value="1" @input=${type}></label>`;
}

/** The cards that have left the shoe, as far as this page knows. */
function cardsInPlay(table: string): number {
  const view = tables.views.get(table);
  const places = view ? [view.community, view.dealer.cards, ...view.boxes.map(({ cards }) => cards)] : [];
  return places.reduce((sum, { length }) => sum + length, 0) || 52;
}

function boxesField(table: string, name: string, checked: number[], set: SetFact): TemplateResult {
  const all = tables.views.get(table)?.boxes ?? [];
  const played = all.filter(({ stakes }) => stakes.length);
  const boxes = (played.length ? played : all).map(({ box }) => box);
  return html`<fieldset><legend>${t(QUESTIONS[name]!)}</legend><div class="row">${boxes.map(
    (box) => html`<label class="pill"><input type="checkbox" .checked=${checked.includes(box)}
      @change=${() => set(name, toggled(checked, box))}><span>${box}</span></label>`,
  )}</div></fieldset>`;
}

/** Players with bets in this round, or with a hand in play. */
function playersAt(table: string, isInPlay: boolean): string[] {
  const view = tables.views.get(table);
  const boxes = view?.boxes.filter(({ stands }) => !isInPlay || stands === "live") ?? [];
  const bets = [...boxes.flatMap(({ stakes }) => stakes), ...(isInPlay ? [] : (view?.lines ?? []))];
  return [...new Set(bets.map(({ player }) => player))];
}

/** Which players have looked. Where the program deals it knows that; at real cards the dealer enters it. */
export function examinedBoxes(
  view: LiveView,
  isPhysical: boolean,
  entered: number[],
  set: (boxes: number[]) => void,
): TemplateResult {
  const known = view.boxes.filter((box) => box.examined_by.length).map(({ box }) => box);
  if (!isPhysical)
    return html`<p>${t("Has any player looked?")}
      <b>${known.length ? t("Yes, box {boxes}.", { boxes: known.join(", ") }) : t("No.")}</b></p>`;
  const boxes = view.boxes.filter(({ stakes }) => stakes.length);
  return html`<fieldset data-test="looked"><legend>${t("Has any player looked?")}</legend><div class="row">${boxes.map(
    ({ box }) => html`<label class="pill"><input type="checkbox" aria-label=${t("Box {box} has looked", { box })}
      ?disabled=${known.includes(box)} .checked=${known.includes(box) || entered.includes(box)}
      @change=${() => set(toggled(entered, box))}><span>${t("Box {box}", { box })}</span></label>`,
  )}</div>${
    known.length || entered.length ? nothing : html`<p class="quiet">${t("No player, as entered.")}</p>`
  }</fieldset>`;
}
