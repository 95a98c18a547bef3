/** Practice: the value of each choice in antes, the best one, what mistakes cost, and the house edge. */

import { html, nothing, type TemplateResult } from "lit";

import type { ChoiceView, HouseEdge, PracticePosition } from "../../api/types";
import { isChecked } from "../../lib/forms";
import { show } from "../../lib/money";
import type { Coach, JudgedDecision } from "../../lib/play/coach";
import type { LiveView } from "../../lib/play/table-view";
import { settings } from "../../lib/state/settings";
import { label, title } from "../../lib/text/labels";

/** Costs below this round to zero, in antes. */
const LEAST = 0.005;

function antes(value: number): string {
  const size = Math.abs(value).toFixed(2);
  return Number(size) === 0 ? "0.00" : `${value > 0 ? "+" : "−"}${size}`;
}

const percent = (part: number): string => `${(100 * part).toFixed(2)}%`;
const list = (bets: string[] = []): string =>
  bets
    .map(title)
    .join(", ")
    .replace(/, ([^,]*)$/, " and $1");

/** The value of a choice, on its button. */
export function choiceValue(
  coach: Coach,
  view: LiveView,
  { box, choice }: ChoiceView,
): TemplateResult | typeof nothing {
  const options = settings.current.practice ? coach.position(view, box)?.options : undefined;
  const option = options?.find((o) => o.choice === choice);
  if (!options || !option) return nothing;
  const best = options[0]!.choice === choice ? " · best" : "";
  return html`<small class="worth" data-worth=${choice}
    >${antes(option.value)}<span class="sr"> antes</span>${best}</small>`;
}

/** What the values count, or why there are none yet, under the choices of a box. */
export function practiceNote(coach: Coach, view: LiveView, box: number): TemplateResult | typeof nothing {
  if (!settings.current.practice) return nothing;
  if (view.boxes[box - 1]?.cards.includes("??"))
    return html`<p class="note coach">Practice: a hand that is played blind has no figures.</p>`;
  const position = coach.position(view, box);
  if (position) return countedBets(position);
  const text = coach.state === "missing" ? coach.message : "Practice: loading the lab …";
  return html`<p class="note coach" role="status" data-test="coach">${text}</p>`;
}

function countedBets({ options, counted, uncounted, wrong }: PracticePosition): TemplateResult {
  if (!options) return html`<p class="note coach">${wrong ?? ""}</p>`;
  return html`<details class="note coach" data-test="coach">
    <summary>In antes, over the whole round with the best play from here.</summary>
    <p>Counted: ${list(counted)}.${uncounted?.length ? ` Not counted: ${list(uncounted)}.` : ""}</p>
    <ul>${options.map(({ choice, exact }) => html`<li>${title(choice)} <code>${exact}</code></li>`)}</ul></details>`;
}

/** Every decision of a round, and what a mistake cost, after the round. */
export function decisionReview(coach: Coach, round: number): TemplateResult | typeof nothing {
  const judged = settings.current.practice ? coach.judged(round) : [];
  if (!judged.length) return nothing;
  const isSeveral = judged.some(({ box }) => box !== judged[0]!.box);
  return html`<section class="review" aria-label="Your decisions" data-test="review"><h3>Your decisions</h3>
    <ul>${judged.map(
      (decision) => html`<li>${isSeveral ? `Box ${decision.box}, ` : ""}${title(decision.choice)}:
        ${verdict(decision)}</li>`,
    )}</ul></section>`;
}

function verdict({ cost, ante, best }: JudgedDecision): TemplateResult {
  if (cost <= 0) return html`<b class="up">the best choice.</b>`;
  const size = cost < LEAST ? "less than 0.01" : cost.toFixed(2);
  return html`<b class="down">this cost ${size} antes (${show(Math.round(cost * ante))}).</b> Better: ${label(best)}.`;
}

/** The house edge of the game, and what mistakes have cost in this session. */
export function houseEdge(coach: Coach, plays: boolean): TemplateResult {
  const { edge } = coach;
  const judged = settings.current.practice ? coach.judged() : [];
  const cost = judged.reduce((sum, decision) => sum + decision.cost * decision.ante, 0);
  const decisions = `${judged.length} ${judged.length > 1 ? "decisions" : "decision"} in practice`;
  return html`<section class="edge" aria-label="House edge" data-test="edge"><h3>House edge</h3>
    ${edgeText(edge)}
    ${judged.length ? html`<p>${decisions}, mistakes of <b>${show(Math.round(cost))}</b>.</p>` : nothing}
    ${plays ? practiceSwitch() : nothing}
  </section>`;
}

function edgeText({ state, message, edge, risk, sides = {} }: HouseEdge): TemplateResult {
  if (edge === undefined || risk === undefined)
    return html`<p class="quiet">${state === "missing" ? message : "The lab is counting …"}</p>`;
  return html`<p><b>${percent(edge)}</b> of the Ante with the best play, ${percent(risk)} of all that is staked.
    ${Object.entries(sides).map(([bet, part]) => html`${title(bet)} ${percent(part)}. `)}</p>`;
}

function practiceSwitch(): TemplateResult {
  return html`<label class="switch"><input type="checkbox" .checked=${settings.current.practice}
    @change=${(event: Event) => settings.change({ practice: isChecked(event) })}>
    <span>Practice<small>The exact value of each choice</small></span></label>`;
}

/** The same switch as a button, beside the decisions. */
export function practiceToggle(): TemplateResult {
  const { practice } = settings.current;
  return html`<button type="button" class="button small ghost practice" aria-pressed=${practice ? "true" : "false"}
    @click=${() => settings.change({ practice: !practice })}>Practice ${practice ? "on" : "off"}</button>`;
}
