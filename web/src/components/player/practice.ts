/** Practice: the value of each choice in antes, the best one, what mistakes cost, and the house edge. */

import { html, nothing, type TemplateResult } from "lit";

import type { ChoiceView, HouseEdge } from "../../api/types";
import { isChecked } from "../../lib/forms";
import { show } from "../../lib/money";
import type { Coach, JudgedDecision } from "../../lib/play/coach";
import { totalNet } from "../../lib/play/results";
import type { LiveView } from "../../lib/play/table-view";
import { lateHands } from "../../lib/state/late-hands";
import type { PlayedRound } from "../../lib/state/played-rounds";
import { settings } from "../../lib/state/settings";
import { label, title } from "../../lib/text/labels";
import { list, number, percent, rich, t } from "../../lib/text/language";
import { served } from "../served";
import type { PlayerTable } from "./player-table";

/** Costs below this round to zero, in antes. */
const LEAST = 0.005;

function antes(value: number): string {
  const size = number(Math.abs(value), 2);
  return size === number(0, 2) ? size : `${value > 0 ? "+" : "−"}${size}`;
}

const titles = (bets: string[] = []): string => list(bets.map(title));

/** Whether practice is on and knows that no choice of the box is worth more. */
export function isBest(coach: Coach, view: LiveView, { box, choice }: Pick<ChoiceView, "box" | "choice">): boolean {
  return (
    settings.current.practice &&
    !view.boxes[box - 1]?.declined &&
    coach.position(view, box)?.options?.[0]?.choice === choice
  );
}

/** The value of a choice, on its button. */
export function choiceValue(
  coach: Coach,
  view: LiveView,
  { box, choice }: ChoiceView,
): TemplateResult | typeof nothing {
  const at = view.boxes[box - 1];
  const isKnown = !at?.cards.includes("??") && !at?.declined;
  if (!settings.current.practice || !isKnown) return nothing;
  const position = coach.position(view, box);
  if (!position && coach.state !== "missing") return html`<small class="worth" aria-hidden="true">…</small>`;
  const options = position?.options;
  const option = options?.find((o) => o.choice === choice);
  if (!options || !option) return nothing;
  const best = isBest(coach, view, { box, choice }) ? ` · ${t("best")}` : "";
  return html`<small class="worth" data-worth=${choice}
    >${antes(option.value)} ${t("antes")}${best}</small>`;
}

/** What the values count, or why there are none yet, under the choices of a box. */
export function practiceNote(coach: Coach, view: LiveView, box: number): TemplateResult | typeof nothing {
  if (!settings.current.practice) return nothing;
  if (view.boxes[box - 1]?.cards.includes("??"))
    return html`<p class="note coach">${t("Practice: a hand that is played blind has no figures.")}</p>`;
  if (view.boxes[box - 1]?.declined)
    return html`<p class="note coach">${t("Practice: a hand that is not shown has no figures.")}</p>`;
  const position = coach.position(view, box);
  if (position)
    return position.options
      ? html`<button type="button" class="rule coach" data-test="coach" @click=${showCounted}
          >${t("How the values are counted")}</button>`
      : html`<p class="note coach">${served(position.wrong ?? "")}</p>`;
  if (coach.state === "missing")
    return html`<p class="note coach" role="status" data-test="coach">${served(coach.message)}</p>`;
  // The buttons show that their values are on the way; a line more would push the last of them off a phone.
  return html`<p class="sr" role="status" data-test="coach">${t("Practice: the values come in a moment …")}</p>`;
}

function showCounted(): void {
  document.querySelector('[data-test="counted"]')?.scrollIntoView({ behavior: "smooth", block: "start" });
}

/** "−553,552 ∕ 535,095" */
const fraction = (exact: string): string =>
  exact
    .split("/")
    .map((part) => number(Number(part)))
    .join(" ∕ ");

/** How the values on the buttons are counted, beside the felt: nothing of the table lies under it. */
function countedBets({ view, coach }: PlayerTable): TemplateResult | typeof nothing {
  const due = view.boxes.filter(({ box, declined }) => !declined && view.choices.some((each) => each.box === box));
  const boxes = due.map(({ box }) => box);
  const positions = settings.current.practice ? boxes.flatMap((box) => coach.position(view, box) ?? []) : [];
  const shown = positions.filter(({ options }) => options);
  if (!shown.length) return nothing;
  return html`<section class="counted" data-test="counted" aria-label=${t("How the values are counted")}>
    <h3>${t("How the values are counted")}</h3>
    ${shown.map(
      ({ box, options, counted, uncounted }) => html`<p>${boxes.length > 1 ? `${t("Box {box}", { box })}. ` : ""}${t(
        "In antes, over the whole round with the best play from here.",
      )}
        ${t("Counted: {bets}.", { bets: titles(counted) })}
        ${uncounted?.length ? t("Not counted: {bets}.", { bets: titles(uncounted) }) : ""}</p>
        <details><summary>${t("As exact fractions")}</summary><ul>${options!.map(
          ({ choice, exact }) => html`<li>${title(choice)} ${fraction(exact)}</li>`,
        )}</ul></details>`,
    )}</section>`;
}

/** Every decision of a round, and what a mistake cost, after the round; also those that the clock has made: what they
 *  lost is counted as the buttons counted it before.
 */
export function decisionReview(
  { coach, terms }: PlayerTable,
  { table, round, lines, boxes }: PlayedRound,
): TemplateResult | typeof nothing {
  const judged = settings.current.practice ? coach.judged(round) : [];
  const late = lateHands.boxes(table, round);
  if (!judged.length && !late.length) return nothing;
  const isSeveral = boxes.length > 1;
  return html`<section class="review" aria-label=${t(
    "Your decisions",
  )} data-test="review"><h3>${t("Your decisions")}</h3>
    <ul>${judged.map(
      (decision) =>
        html`<li>${
          isSeveral
            ? t("Box {box}, {choice}:", { box: decision.box, choice: title(decision.choice) })
            : `${title(decision.choice)}:`
        } ${verdict(decision)}</li>`,
    )}${late.map((box) => {
      const lost = lines.filter((line) => line.box === box && !terms.fold.keeps.includes(line.bet));
      return html`<li>${isSeveral ? `${t("Box {box}", { box })} · ` : nothing}<b class="down">${t(
        "No decision in time: you lost {amount}.",
        { amount: show(-totalNet(lost)) },
      )}</b></li>`;
    })}</ul></section>`;
}

function verdict({ cost, ante, best }: JudgedDecision): TemplateResult {
  if (cost <= 0) return html`<b class="up">${t("the best choice.")}</b>`;
  const size = cost < LEAST ? t("less than {size}", { size: number(0.01, 2) }) : number(cost, 2);
  const amount = show(Math.round(cost * ante));
  return html`<b class="down">${t("this cost {size} antes ({amount}).", { size, amount })}</b>
    ${t("Better: {choice}.", { choice: label(best) })}`;
}

/** The house edge of the game, and what mistakes have cost in this session. */
export function houseEdge(table: PlayerTable): TemplateResult {
  const { coach, plays } = table;
  const { edge } = coach;
  const judged = settings.current.practice ? coach.judged() : [];
  const cost = judged.reduce((sum, decision) => sum + decision.cost * decision.ante, 0);
  const amount = html`<b>${show(Math.round(cost))}</b>`;
  const count = judged.length;
  return html`<section class="edge" aria-label=${t("House edge")} data-test="edge"><h3>${t("House edge")}</h3>
    ${edgeText(edge)}
    ${
      judged.length
        ? html`<p>${
            count > 1
              ? rich("{count} decisions in practice, mistakes of {amount}.", { count, amount })
              : rich("One decision in practice, mistakes of {amount}.", { amount })
          }</p>`
        : nothing
    }
    ${plays ? practiceSwitch() : nothing} ${countedBets(table)}
  </section>`;
}

function edgeText({ state, message, edge, risk, sides = {} }: HouseEdge): TemplateResult {
  if (edge === undefined || risk === undefined)
    return html`<p class="quiet">${state === "missing" ? served(message ?? "") : t("The lab is counting …")}</p>`;
  return html`<p>${rich("{edge} of the Ante with the best play, {risk} of all that is staked.", {
    edge: html`<b>${percent(edge)}</b>`,
    risk: percent(risk),
  })}
    ${Object.entries(sides).map(([bet, part]) => html`${title(bet)} ${percent(part)}. `)}</p>`;
}

function practiceSwitch(): TemplateResult {
  return html`<label class="switch"><input type="checkbox" .checked=${settings.current.practice}
    @change=${(event: Event) => settings.change({ practice: isChecked(event) })}>
    <span>${t("Practice")}<small>${t("The exact value of each choice")}</small></span></label>`;
}

/** The same switch as a button, beside the decisions. */
export function practiceToggle(): TemplateResult {
  const { practice } = settings.current;
  return html`<button type="button" class="button small ghost practice" aria-pressed=${practice ? "true" : "false"}
    @click=${() => settings.change({ practice: !practice })}>${
      practice ? t("Practice on") : t("Practice off")
    }</button>`;
}
