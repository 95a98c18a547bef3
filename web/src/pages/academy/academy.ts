import { html, nothing, type TemplateResult } from "lit";

import { commandId } from "../../api/command-id";
import type { AcademyView, ClassView, ExamLine, KnownClause, SittingView, TrainingView } from "../../api/types";
import "../../components/academy/drill-panel";
import { classResults, examForm, examTerms, sittingList } from "../../components/academy/exam-lists";
import { gameList, trainingForm } from "../../components/academy/training-form";
import { alert } from "../../components/alert";
import { openRule } from "../../components/rules/citations";
import { StateElement } from "../../lib/element";
import { post, readForm } from "../../lib/forms";
import { requests } from "../../lib/state/requests";
import { refuse, toast } from "../../lib/state/toasts";
import { t } from "../../lib/text/language";
import { failure } from "../../lib/text/sentences";

/** The academy: drills, the learner's own record, exams; for an examiner also what a class came to. */
export class AcademyPage extends StateElement {
  private view: AcademyView | null = null;
  private results: ClassView | null = null;
  private error = "";

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private load = async (): Promise<void> => {
    try {
      this.view = await requests.get<AcademyView>("/api/academy");
      this.error = "";
    } catch (error) {
      this.error = failure(error);
    }
    this.requestUpdate();
  };

  private set = async (event: SubmitEvent): Promise<void> => {
    const { form, data, field } = readForm(event);
    const exam = {
      id: commandId(),
      title: field("title"),
      games: data.getAll("game"),
      topics: data.getAll("topic"),
      clauses: field("clauses")
        .split(",")
        .map((clause) => clause.trim())
        .filter(Boolean),
      count: Number(field("count")),
      minutes: Number(field("minutes")),
      pass_mark: Number(field("pass_mark")),
    };
    if (!exam.games.length || !exam.topics.length) {
      toast(t("Choose at least one game and one topic."), "refusal");
      return;
    }
    if (await post("/api/academy/exams", exam, t("The exam is set."))) {
      form.reset();
      await this.load();
    }
  };

  private deal = async (event: SubmitEvent): Promise<void> => {
    const { field } = readForm(event);
    const seed = field("seed").trim();
    try {
      const asked = { id: commandId(), game: field("game"), ...(seed ? { seed: Number(seed) } : {}) };
      await requests.send<TrainingView>("POST", "/api/academy/rounds", asked);
      location.hash = "#/academy/training";
    } catch (error) {
      refuse(error);
    }
  };

  private async begin({ exam }: ExamLine): Promise<void> {
    try {
      const path = `/api/academy/exams/${exam}/sittings`;
      const { sitting } = await requests.send<SittingView>("POST", path, { id: commandId() });
      location.hash = `#/academy/sitting/${sitting}`;
    } catch (error) {
      refuse(error);
      await this.load();
    }
  }

  private async show({ exam }: ExamLine): Promise<void> {
    try {
      this.results = await requests.get<ClassView>(`/api/academy/exams/${exam}/results`);
    } catch (error) {
      refuse(error);
    }
    this.requestUpdate();
  }

  private async withdraw({ exam }: ExamLine): Promise<void> {
    await post(`/api/academy/exams/${exam}/withdraw`, { id: commandId() }, t("The exam is withdrawn."));
    await this.load();
  }

  override render(): TemplateResult {
    const view = this.view;
    if (!view)
      return html`<main class="academy" id="main"><h1>${t("Academy")}</h1>${alert(
        this.error,
      )}<p>${t("Loading …")}</p></main>`;
    return html`<main class="academy" id="main"><h1>${t("Academy")}</h1>${alert(this.error)}
      <div class="beside"><div>
        ${gameList(view.games)}
        <section class="panel"><h2>${t("Drills")}</h2>
          <drill-panel .games=${view.games} .answered=${this.load}></drill-panel></section>
        ${trainingForm(view.games, this.deal)}
      </div><div>
        ${view.may_set ? examForm(view.games, this.set) : nothing}
        ${this.exams(view)}
        ${this.results ? classResults(this.results) : nothing}
        <section class="panel"><h2>${t("Your sittings")}</h2>${sittingList(view.sittings, false)}</section>
        ${this.record(view.record)}
      </div></div></main>`;
  }

  private exams({ exams, may_set }: AcademyView): TemplateResult {
    const listed = exams.filter((exam) => may_set || !exam.withdrawn);
    return html`<section class="panel"><h2>${t("Exams")}</h2>${
      listed.length
        ? html`<ul class="sittings">${listed.map((exam) => this.exam(exam, may_set))}</ul>`
        : html`<p class="quiet">${t("No exam is set.")}</p>`
    }</section>`;
  }

  private exam(exam: ExamLine, maySet: boolean): TemplateResult {
    const button = (text: string, act: () => Promise<void>): TemplateResult =>
      html`<button class="button small" @click=${act}>${text}</button>`;
    return html`<li><span class="grow"><b>${exam.title}</b> <span class="quiet">${examTerms(exam)}</span></span>
      ${
        exam.withdrawn
          ? html`<span class="quiet">${t("withdrawn")}</span>`
          : button(t("Sit it"), () => this.begin(exam))
      }
      ${maySet ? button(t("Results"), () => this.show(exam)) : nothing}
      ${maySet && !exam.withdrawn ? button(t("Withdraw"), () => this.withdraw(exam)) : nothing}</li>`;
  }

  private record(record: KnownClause[]): TemplateResult {
    return html`<section class="panel"><h2>${t("Your record")}</h2>${
      record.length
        ? html`<ul class="sittings">${record.slice(0, 40).map(
            ({ edition, clause, asked, right }) => html`<li><button type="button" class="rule"
              @click=${() => openRule(edition, clause)}>${clause}</button><span class="grow quiet">${edition}</span>
              <meter min="0" max=${asked} value=${right} aria-label=${t("Right answers")}></meter>
              <span>${t("{right} of {asked}", { right, asked })}</span></li>`,
          )}</ul>`
        : html`<p class="quiet">${t("Nothing yet: each answer enters the paragraphs that decide it.")}</p>`
    }</section>`;
  }
}
customElements.define("academy-page", AcademyPage);
