/** Exams and sittings as lists, and the form that sets an exam. */

import { html, nothing, type TemplateResult } from "lit";

import type { ClassView, ExamLine, SittingLine, Topic, TrainedGame } from "../../api/types";
import { TOPICS } from "../../lib/text/academy";
import { dateTime } from "../../lib/text/time";
import { openRule } from "../rules/citations";

export function examTerms({ editions, count, minutes, pass_mark }: ExamLine): string {
  return `${editions.join(", ")}: ${count} questions, ${minutes} minutes, pass mark ${pass_mark} %`;
}

export function certificateLink({ sitting, over }: SittingLine): TemplateResult | typeof nothing {
  return over ? html`<a href="/api/academy/sittings/${sitting}/certificate" target="_blank">Certificate</a>` : nothing;
}

export function sittingList(sittings: SittingLine[], withPerson: boolean): TemplateResult {
  if (!sittings.length) return html`<p class="quiet">No sitting yet.</p>`;
  return html`<ul class="sittings">${sittings.map(
    (each) => html`<li><span class="grow"><b>${withPerson ? each.person : each.title}</b>
      <span class="quiet">${dateTime(each.begun)}</span></span>
      ${
        each.over
          ? html`<span class=${each.passed ? "is-right" : "is-wrong"}>${each.right} of ${each.asked},
              ${each.points} points, ${each.passed ? "passed" : "not passed"}</span>`
          : html`<a href="#/academy/sitting/${each.sitting}">In progress</a>`
      } ${certificateLink(each)}</li>`,
  )}</ul>`;
}

export function classResults({ exam, sittings, weak }: ClassView): TemplateResult {
  return html`<section class="panel"><h2>${exam.title}</h2><p class="quiet">${examTerms(exam)}</p>
    ${sittingList(sittings, true)}
    ${
      weak.length
        ? html`<h3>Weak clauses</h3><ul class="sittings">${weak.map(
            ({ edition, clause, text, sittings: count }) => html`<li><button type="button" class="rule"
              @click=${() => openRule(edition, clause)}>${clause}</button>
              <span class="grow">${text} <span class="quiet">${edition}</span></span> <span>${count} ×</span></li>`,
          )}</ul>`
        : nothing
    }</section>`;
}

export function examForm(games: TrainedGame[], submit: (event: SubmitEvent) => void): TemplateResult {
  return html`<details class="panel"><summary>Set an exam</summary><form class="exam-form" @submit=${submit}>
    <label>Title <input name="title" required maxlength="80"></label>
    <fieldset><legend>Games</legend>${games.map(
      ({ edition, operator, title }) =>
        html`<label class="check"><input type="checkbox" name="game" value=${edition}> ${operator} ${title}</label>`,
    )}</fieldset>
    <fieldset><legend>Topics</legend>${(Object.keys(TOPICS) as Topic[]).map(
      (topic) =>
        html`<label class="check"><input type="checkbox" name="topic" value=${topic} checked> ${TOPICS[topic]}</label>`,
    )}</fieldset>
    <label>Clauses, with commas; empty for any <input name="clauses" maxlength="400"></label>
    <div class="row"><label>Questions <input name="count" type="number" min="1" max="200" value="20" required></label>
      <label>Minutes <input name="minutes" type="number" min="1" max="240" value="20" required></label>
      <label>Pass mark, % <input name="pass_mark" type="number" min="1" max="100" value="80" required></label></div>
    <button class="button primary">Set the exam</button></form></details>`;
}
