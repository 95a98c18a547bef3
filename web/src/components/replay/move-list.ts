/** Every step of a round with its time, and beside each decision what it was worth. */

import { html, nothing, type TemplateResult } from "lit";

import type { DecisionValue, PlayedRound, TableView } from "../../api/types";
import { cents, show } from "../../lib/money";
import { eventText } from "../../lib/text/event-text";
import { label } from "../../lib/text/labels";
import { number, t } from "../../lib/text/language";

interface Moves {
  index: number;
  /** The last step that may be shown; later ones stay covered. */
  until: number;
  values: readonly DecisionValue[];
  /** The round is seen with the eyes of another person: a hand that they did not see has no value here. */
  isOfOther: boolean;
  go: (index: number) => void;
}

/** A decision that costs no more than this many antes is the best one. */
const LEAST = 0.0005;

export function moveList(
  { table, steps }: PlayedRound,
  { index, until, values, isOfOther, go }: Moves,
): TemplateResult {
  const marks = new Map(streets(steps).map(({ at, name }) => [at, name]));
  return html`<ol class="steps log moves">${steps.map(({ seq, event, view }, i) => {
    if (i > until) return html`<li class="covered" aria-hidden="true"><span>···</span></li>`;
    const isHidden = isOfOther && event.type === "HandDecided" && !sees(view, event.box);
    const value = event.type === "HandDecided" && !isHidden ? values.find((each) => each.seq === seq) : undefined;
    const street = marks.get(i);
    return html`<li class="${i === index ? "now" : ""} ${street ? "street" : ""}" data-street=${street ?? nothing}>
      <button type="button" class="plain" aria-current=${i === index ? "step" : "false"}
        @click=${() => go(i)}>${eventText(event, table)}</button>${value ? worth(value) : nothing}</li>`;
  })}</ol>`;
}

/** Whether the cards of a box lie open to the viewer. */
function sees({ boxes }: TableView, box: number): boolean {
  const cards = boxes.find((each) => each.box === box)?.cards ?? [];
  return cards.length > 0 && !cards.includes("??");
}

const antes = (value: number): string => `${value < 0 ? "−" : "+"}${number(Math.abs(value), 2)}`;

function worth({ choice, options, cost, ante }: DecisionValue): TemplateResult {
  const made = options.find((option) => option.choice === choice);
  if (!made || cost === null) return html`<span class="value quiet">${t("no value")}</span>`;
  const all = options.map((option) => `${label(option.choice)} ${antes(option.value)}`).join(", ");
  const isBest = cost <= LEAST;
  const lost = show(Math.round(cost * cents(ante)));
  return html`<span class="value ${isBest ? "up" : "down"}" title=${t("{all}, in antes. Exactly: {exact}", {
    all,
    exact: made.exact,
  })}
    >${
      isBest
        ? t("{value} antes, the best", { value: antes(made.value) })
        : t("{value} antes; {better} is {amount} better", {
            value: antes(made.value),
            better: `${label(options[0]!.choice)} ${antes(options[0]!.value)}`,
            amount: lost,
          })
    }</span>`;
}

export interface Street {
  at: number;
  name: string;
}

const BOARDS: Record<number, string> = { 3: "Flop", 4: "Turn", 5: "River" };

/** The steps at which a new part of the round begins. */
export function streets(steps: PlayedRound["steps"]): Street[] {
  const found: Street[] = [];
  steps.forEach(({ event, view }, at) => {
    const name =
      event.type === "RoundOpened"
        ? t("Bets")
        : event.type === "BetsClosed"
          ? t("Deal")
          : event.type === "CardsTurned" && event.cards.community
            ? (BOARDS[view.community.filter((card) => card !== "??").length] ?? t("Board"))
            : event.type === "CardsTurned" && event.cards.dealer
              ? t("Dealer")
              : event.type === "RoundVoided"
                ? t("Void")
                : event.type === "RoundSettled"
                  ? t("Settled")
                  : "";
    if (name && found.at(-1)?.name !== name) found.push({ at, name });
  });
  return found;
}
