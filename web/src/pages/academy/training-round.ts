import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";

import { commandId } from "../../api/command-id";
import type { BoxView, GradedView, TrainingView } from "../../api/types";
import type { Given } from "../../components/academy/question-card";
import { failure } from "../../lib/text/sentences";
import "../../components/academy/question-card";
import { alert } from "../../components/alert";
import "../../components/felt/felt-table";
import { payTable } from "../../components/table/pay-tables";
import { staffTable } from "../../components/table/staff-table";
import { StateElement } from "../../lib/element";
import { requests } from "../../lib/state/requests";
import { refuse } from "../../lib/state/toasts";
import { t } from "../../lib/text/language";

/** A training round: the felt as the dealer sees it, and one step after the other to answer. */
export class TrainingRoundPage extends StateElement {
  private view: TrainingView | null = null;
  private graded: GradedView | null = null;
  private error = "";

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private load = async (): Promise<void> => {
    try {
      const view = await requests.get<TrainingView>("/api/academy/rounds/current");
      if (!view.question && view.number < view.count) return await this.next();
      this.view = view;
      this.error = "";
    } catch (error) {
      this.error = failure(error);
    }
    this.requestUpdate();
  };

  private next = async (): Promise<void> => {
    try {
      this.view = await requests.send<TrainingView>("POST", "/api/academy/rounds/next", { id: commandId() });
      this.graded = null;
    } catch (error) {
      refuse(error);
    }
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>(".asks, .outcome h2")?.focus();
  };

  private again = async (): Promise<void> => {
    if (!this.view) return;
    const { edition, seed } = this.view;
    try {
      const asked = { id: commandId(), game: edition, seed };
      this.view = await requests.send<TrainingView>("POST", "/api/academy/rounds", asked);
      this.graded = null;
    } catch (error) {
      refuse(error);
    }
    this.requestUpdate();
  };

  private answer = async (given: Given): Promise<void> => {
    if (!this.view) return;
    try {
      const path = `/api/academy/drills/${this.view.drill}/answer`;
      this.graded = await requests.send<GradedView>("POST", path, { id: commandId(), ...given });
    } catch (error) {
      refuse(error);
      await this.load();
    }
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>(".next")?.focus();
  };

  override render(): TemplateResult {
    const { view } = this;
    if (!view)
      return html`<main class="academy narrow" id="main"><h1>${t("Training round")}</h1>${alert(this.error)}
        <p><a href="#/academy">${t("To the academy")}</a></p></main>`;
    const { terms, number, count } = view;
    return html`<main class="academy training" id="main"><h1>${terms.operator} ${terms.title}</h1>
      <p class="row"><span>${
        view.question ? t("Step {number} of {count}", { number: number + 1, count }) : t("The round is over")
      }</span>
        <span class="quiet">${t("You are the dealer. No real table, chip or jackpot is touched.")}</span></p>
      <progress max=${count} value=${number} aria-label=${t("Steps answered")}></progress>
      <div class="beside">${this.felt(view)}
        <div>${view.question ? this.step(view) : this.over(view)}</div></div></main>`;
  }

  private felt({ terms, table, printed }: TrainingView): TemplateResult {
    const controls = {
      owner: ({ stakes }: BoxView): string => stakes[0]?.player ?? "",
      boxes: table.boxes.filter(({ stakes }) => stakes.length).map(({ box }) => box),
    };
    return html`<section class="felt-panel console-felt" aria-label=${t("The table")}>
      <felt-table .terms=${terms} .view=${table} .print=${printed} .controls=${controls}></felt-table>
      <details class="as-list pays"><summary>${t("What the bets pay")}</summary>
        ${printed.map((each) => payTable(each))}</details>
      <details class="as-list"><summary>${t("The boxes as a list")}</summary>${staffTable(table)}</details></section>`;
  }

  private step({ drill, question }: TrainingView): TemplateResult {
    return html`${keyed(
      drill,
      html`<question-card .question=${question} .graded=${this.graded} .answer=${this.answer}></question-card>`,
    )}${
      this.graded
        ? html`<p><button class="button primary next" @click=${this.next}>${t("Next step")}</button></p>`
        : nothing
    }`;
  }

  private over({ right, count, seed, edition }: TrainingView): TemplateResult {
    return html`<section class="panel outcome" role="status">
      <h2 tabindex="-1">${t("{right} of {count} steps right", { right, count })}</h2>
      <p class="quiet">${t("Seed {seed}. The same round in a terminal:", { seed })}
        <code>croupier academy ${edition} --round --seed ${seed}</code></p>
      <p class="row"><button class="button" @click=${this.again}>${t("Deal it again")}</button>
        <a href="#/academy">${t("To the academy")}</a></p></section>`;
  }
}
customElements.define("training-round-page", TrainingRoundPage);
