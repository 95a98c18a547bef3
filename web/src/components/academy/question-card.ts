import { html, nothing, type TemplateResult } from "lit";

import type { GradedView, QuestionView } from "../../api/types";
import { StateElement } from "../../lib/element";
import { inputValue } from "../../lib/forms";
import { cents, plain } from "../../lib/money";
import { placeName } from "../../lib/text/academy";
import { t } from "../../lib/text/language";
import { openRule } from "../rules/citations";
import { served } from "../served";
import { card, hand } from "../table/cards";

/** An answer as the server reads it. */
export type Given = { options: number[]; amount: string };

let cardsMade = 0;

const listed = (line: string): TemplateResult => html`<li lang="en">${line}</li>`;

/** One question: what lies on the table, the options, and after the answer what was right and why. */
export class QuestionCard extends StateElement {
  static override properties = {
    question: { attribute: false },
    graded: { attribute: false },
    answer: { attribute: false },
  };
  declare question: QuestionView;
  declare graded: GradedView | null;
  /** Called with the learner's answer. */
  declare answer: (given: Given) => void;
  private chosen: number[] = [];
  private amount = "";
  /** The id of what is asked: a result shows several questions on one page. */
  private readonly asksId = `asks-${cardsMade++}`;

  constructor() {
    super();
    this.graded = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("keydown", this.key);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("keydown", this.key);
  }

  /** Number keys choose an option. */
  private key = (event: KeyboardEvent): void => {
    const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    const index = Number(event.key) - 1;
    if (inField || event.ctrlKey || event.metaKey || event.altKey || !(index in this.question.options)) return;
    this.choose(index);
  };

  private choose(index: number): void {
    if (this.graded) return;
    const { form, picks } = this.question;
    if (form === "one") this.chosen = [index];
    else if (this.chosen.includes(index)) this.chosen = this.chosen.filter((each) => each !== index);
    else this.chosen = [...this.chosen, index].slice(-picks);
    this.requestUpdate();
  }

  private get isReady(): boolean {
    const { form, picks } = this.question;
    return form === "amount" ? /^\d+([.]\d{1,2})?$/.test(this.amount.trim()) : this.chosen.length === picks;
  }

  private submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!this.isReady) return;
    const isAmount = this.question.form === "amount";
    this.answer({ options: isAmount ? [] : this.chosen, amount: isAmount ? plain(cents(this.amount.trim())) : "" });
  };

  override render(): TemplateResult {
    const { situation, cards, asks } = this.question;
    return html`<form class="panel question" @submit=${this.submit}>
      ${situation.length ? html`<ul class="situation">${situation.map(listed)}</ul>` : nothing}
      <div class="places">${Object.entries(cards).map(
        ([place, held]) =>
          html`<figure><figcaption>${placeName(place)}</figcaption>${hand(held, placeName(place))}</figure>`,
      )}</div>
      <h2 id=${this.asksId} class="asks" tabindex="-1" lang="en">${asks}</h2>
      ${this.question.form === "amount" ? this.amountField() : this.options()}
      ${this.graded ? this.explanation(this.graded) : this.send()}
    </form>`;
  }

  private send(): TemplateResult {
    return html`<button class="button primary" ?disabled=${!this.isReady}>${t("Answer")}</button>`;
  }

  private amountField(): TemplateResult {
    return html`<label class="amount">${t("Amount")}
      <input name="amount" inputmode="decimal" autocomplete="off" .value=${this.amount}
        ?readonly=${Boolean(this.graded)} @input=${(event: Event) => {
          this.amount = inputValue(event);
          this.requestUpdate();
        }}></label>`;
  }

  private options(): TemplateResult {
    const { options, form, picks } = this.question;
    const isCards = form === "several";
    return html`${isCards ? html`<p class="quiet">${t("Choose {picks}.", { picks })}</p>` : nothing}
      ${form === "order" ? html`<p class="quiet">${t("Tap them in order; tap again to take one out.")}</p>` : nothing}
      <div class=${isCards ? "options of-cards" : "options"} role="group" aria-labelledby=${this.asksId}>
        ${options.map((option, index) => this.option(option, index, isCards))}</div>`;
  }

  private option(option: string, index: number, isCard: boolean): TemplateResult {
    const right = this.graded?.options.includes(index);
    const mark =
      !this.graded || this.question.form === "order"
        ? ""
        : right
          ? "is-right"
          : this.chosen.includes(index)
            ? "is-wrong"
            : "";
    return html`<button type="button" class="option ${mark}" aria-pressed=${this.chosen.includes(index)}
      ?disabled=${Boolean(this.graded)} data-option=${index} @click=${() => this.choose(index)}>${
        isCard ? card(option) : html`<kbd>${this.mark(index)}</kbd> <span lang="en">${option}</span>`
      }</button>`;
  }

  /** The number beside an option: its key, or its place in the order that the learner has chosen. */
  private mark(index: number): string {
    if (this.question.form !== "order") return String(index + 1);
    const order = this.graded ? this.graded.options : this.chosen;
    return order.includes(index) ? String(order.indexOf(index) + 1) : "·";
  }

  private explanation({ right, amount, because, clauses }: GradedView): TemplateResult {
    return html`<div class="verdict ${right ? "is-right" : "is-wrong"}" role="status">
      <b>${right ? t("Right.") : t("Wrong.")}</b> ${
        amount && !right ? t("It is {amount}.", { amount }) : nothing
      } ${served(because)}
      <dl>${clauses.map(
        ({ clause, text }) => html`<dt><button type="button" class="rule"
          @click=${() => openRule(this.question.edition, clause)}>${clause}</button></dt><dd lang="en">${text}</dd>`,
      )}</dl></div>`;
  }
}
customElements.define("question-card", QuestionCard);
