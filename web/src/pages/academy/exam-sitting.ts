import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";

import { commandId } from "../../api/command-id";
import type { SittingView } from "../../api/types";
import { certificateLink } from "../../components/academy/exam-lists";
import type { Given } from "../../components/academy/question-card";
import "../../components/academy/question-card";
import { alert } from "../../components/alert";
import { StateElement } from "../../lib/element";
import { requests } from "../../lib/state/requests";
import { refuse } from "../../lib/state/toasts";
import { t } from "../../lib/text/language";
import { failure } from "../../lib/text/sentences";
import { minutes } from "../../lib/text/time";

/** A sitting of an exam: one question after the other until the time is over, then the result. */
export class ExamSittingPage extends StateElement {
  static override properties = { sitting: {} };
  declare sitting: string;
  private view: SittingView | null = null;
  private error = "";
  private until = 0;
  private timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
    this.timer = window.setInterval(() => this.tick(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  private get path(): string {
    return `/api/academy/sittings/${this.sitting}`;
  }

  private get left(): number {
    return Math.max(0, Math.round((this.until - Date.now()) / 1000));
  }

  private tick(): void {
    if (!this.view?.question) return;
    if (this.left === 0) void this.load();
    this.requestUpdate();
  }

  private take(view: SittingView): void {
    this.view = view;
    this.until = Date.now() + view.seconds_left * 1000;
    this.error = "";
  }

  private load = async (): Promise<void> => {
    try {
      this.take(await requests.get<SittingView>(this.path));
    } catch (error) {
      this.error = failure(error);
    }
    this.requestUpdate();
  };

  private answer = async (given: Given): Promise<void> => {
    const body = { id: commandId(), number: this.view?.number ?? 0, ...given };
    try {
      this.take(await requests.send<SittingView>("POST", `${this.path}/answers`, body));
    } catch (error) {
      refuse(error);
      await this.load();
    }
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>(".asks")?.focus();
  };

  private end = async (): Promise<void> => {
    try {
      this.take(await requests.send<SittingView>("POST", `${this.path}/end`, { id: commandId() }));
    } catch (error) {
      refuse(error);
    }
    this.requestUpdate();
  };

  override render(): TemplateResult {
    const view = this.view;
    if (!view)
      return html`<main class="academy narrow" id="main"><h1>${t("Exam")}</h1>${alert(
        this.error,
      )}<p>${t("Loading …")}</p></main>`;
    return html`<main class="academy narrow" id="main"><h1>${view.title}</h1>${alert(this.error)}
      ${view.question ? this.asking(view) : this.over(view)}</main>`;
  }

  private asking({ number, count, question }: SittingView): TemplateResult {
    return html`<p class="row"><span>${t("Question {number} of {count}", { number: number + 1, count })}</span>
        <span class="time ${this.left < 60 ? "is-wrong" : ""}" role="timer">${minutes(this.left)}</span></p>
      <progress max=${count} value=${number} aria-label=${t("Questions answered")}></progress>
      ${keyed(number, html`<question-card .question=${question} .answer=${this.answer}></question-card>`)}
      <button class="button small" @click=${this.end}>${t("End the exam now")}</button>`;
  }

  private over({ result, mistakes }: SittingView): TemplateResult {
    return html`${
      result
        ? html`<section class="panel outcome" role="status"><h2 class=${result.passed ? "is-right" : "is-wrong"}>
            ${result.passed ? t("Passed") : t("Not passed")}</h2>
            <p>${t("{right} of {asked} right, {points} of 100 points.", {
              right: result.right,
              asked: result.asked,
              points: result.points,
            })}</p>
            <p class="row">${certificateLink(result)} <a href="#/academy">${t("To the academy")}</a></p></section>`
        : nothing
    }
      ${mistakes.length ? html`<h2>${t("What was wrong")}</h2>` : nothing}
      ${mistakes.map(
        ({ number, question, graded }) => html`<h3>${t("Question {number}", { number: number + 1 })}</h3>
          <question-card .question=${question} .graded=${graded}></question-card>`,
      )}`;
  }
}
customElements.define("exam-sitting-page", ExamSittingPage);
