/** Exams and sittings as lists, and the form that sets an exam. */

import { html, nothing, type TemplateResult } from "lit";

import type { ClassView, ExamLine, SittingLine, TrainedGame } from "../../api/types";
import { TOPICS, topicName } from "../../lib/text/academy";
import { t } from "../../lib/text/language";
import { dateTime } from "../../lib/text/time";
import { openRule } from "../rules/citations";

export function examTerms({ editions, count, minutes, pass_mark }: ExamLine): string {
  return t("{editions}: {count} questions, {minutes} min, pass mark {pass_mark} %", {
    editions: editions.join(", "),
    count,
    minutes,
    pass_mark,
  });
}

export function certificateLink({ sitting, over }: SittingLine): TemplateResult | typeof nothing {
  return over
    ? html`<a href="/api/academy/sittings/${sitting}/certificate" target="_blank">${t("Certificate")}</a>`
    : nothing;
}

const points = ({ right, asked, points: got }: SittingLine) => ({ right, asked, points: got });

export function sittingList(sittings: SittingLine[], withPerson: boolean): TemplateResult {
  if (!sittings.length) return html`<p class="quiet">${t("No sitting yet.")}</p>`;
  return html`<ul class="sittings">${sittings.map(
    (each) => html`<li><span class="grow"><b>${withPerson ? each.person : each.title}</b>
      <span class="quiet">${dateTime(each.begun)}</span></span>
      ${
        each.over
          ? html`<span class=${each.passed ? "is-right" : "is-wrong"}>${
              each.passed
                ? t("{right} of {asked}, {points} points, passed", points(each))
                : t("{right} of {asked}, {points} points, not passed", points(each))
            }</span>`
          : html`<a href="#/academy/sitting/${each.sitting}">${t("In progress")}</a>`
      } ${certificateLink(each)}</li>`,
  )}</ul>`;
}

export function classResults({ exam, sittings, weak }: ClassView): TemplateResult {
  return html`<section class="panel"><h2>${exam.title}</h2><p class="quiet">${examTerms(exam)}</p>
    ${sittingList(sittings, true)}
    ${
      weak.length
        ? html`<h3>${t("Weak clauses")}</h3><ul class="sittings">${weak.map(
            ({ edition, clause, text, sittings: count }) => html`<li><button type="button" class="rule"
              @click=${() => openRule(edition, clause)}>${clause}</button>
              <span class="grow">${text} <span class="quiet">${edition}</span></span> <span>${count} ×</span></li>`,
          )}</ul>`
        : nothing
    }</section>`;
}

export function examForm(games: TrainedGame[], submit: (event: SubmitEvent) => void): TemplateResult {
  return html`<details class="panel"><summary>${t("Set an exam")}</summary><form class="exam-form" @submit=${submit}>
    <label>${t("Title")} <input name="title" required maxlength="80"></label>
    <fieldset><legend>${t("Games")}</legend>${games.map(
      ({ edition, operator, title }) =>
        html`<label class="check"><input type="checkbox" name="game" value=${edition}> ${operator} ${title}</label>`,
    )}</fieldset>
    <fieldset><legend>${t("Topics")}</legend>${TOPICS.map(
      (topic) =>
        html`<label class="check"><input type="checkbox" name="topic" value=${topic} checked> ${topicName(
          topic,
        )}</label>`,
    )}</fieldset>
    <label>${t("Clauses, with commas; empty for any")} <input name="clauses" maxlength="400"></label>
    <div class="row"><label>${t(
      "Questions",
    )} <input name="count" type="number" min="1" max="200" value="20" required></label>
      <label>${t("Minutes")} <input name="minutes" type="number" min="1" max="240" value="20" required></label>
      <label>${t(
        "Pass mark, %",
      )} <input name="pass_mark" type="number" min="1" max="100" value="80" required></label></div>
    <button class="button primary">${t("Set the exam")}</button></form></details>`;
}
