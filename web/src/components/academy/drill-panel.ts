import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";

import { commandId } from "../../api/command-id";
import type { DrillView, GradedView, Topic, TrainedGame } from "../../api/types";
import { StateElement } from "../../lib/element";
import { inputValue, isChecked } from "../../lib/forms";
import { requests } from "../../lib/state/requests";
import { refuse } from "../../lib/state/toasts";
import { topicName } from "../../lib/text/academy";
import type { Given } from "./question-card";
import "./question-card";
import { t } from "../../lib/text/language";

/** Drills: a game and topics, one question after the other, weak clauses first. */
export class DrillPanel extends StateElement {
  static override properties = { games: { attribute: false }, answered: { attribute: false } };
  declare games: TrainedGame[];
  /** Called after each answer. */
  declare answered: () => void;
  private game = "";
  private topics = new Set<Topic>();
  private drill: DrillView | null = null;
  private graded: GradedView | null = null;
  private right = 0;
  private asked = 0;

  private get chosen(): TrainedGame | undefined {
    return this.games.find((each) => each.edition === this.game) ?? this.games[0];
  }

  private next = async (): Promise<void> => {
    const game = this.chosen;
    if (!game) return;
    const topics = game.topics.filter((topic) => this.topics.has(topic));
    try {
      this.drill = await requests.send<DrillView>("POST", "/api/academy/drills", {
        id: commandId(),
        game: game.edition,
        topics,
      });
      this.graded = null;
    } catch (error) {
      refuse(error);
    }
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>(".asks")?.focus();
  };

  private answer = async (given: Given): Promise<void> => {
    if (!this.drill) return;
    try {
      const path = `/api/academy/drills/${this.drill.drill}/answer`;
      this.graded = await requests.send<GradedView>("POST", path, { id: commandId(), ...given });
      this.asked += 1;
      this.right += this.graded.right ? 1 : 0;
      this.answered();
    } catch (error) {
      refuse(error);
    }
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>(".next")?.focus();
  };

  override render(): TemplateResult {
    return html`${this.settings()}
      ${
        this.drill
          ? html`${keyed(
              this.drill.drill,
              html`<question-card .question=${this.drill.question} .graded=${this.graded}
                .answer=${this.answer}></question-card>`,
            )}
            <p class="row">${
              this.graded
                ? html`<button class="button primary next" @click=${this.next}>${t("Next question")}</button>`
                : nothing
            }
            ${
              this.asked
                ? html`<span class="quiet">${t("{right} of {asked} right", {
                    right: this.right,
                    asked: this.asked,
                  })}</span>`
                : nothing
            }</p>`
          : html`<button class="button primary next" @click=${this.next}>${t("Begin")}</button>`
      }`;
  }

  private settings(): TemplateResult {
    const game = this.chosen;
    return html`<div class="row"><label>${t("Game")} <select @change=${(event: Event) => {
      this.game = inputValue(event);
      this.drill = null;
      this.requestUpdate();
    }}>${this.games.map(
      ({ edition, operator, title }) =>
        html`<option value=${edition} ?selected=${edition === game?.edition}>${operator} ${title}</option>`,
    )}</select></label></div>
      <details><summary>${t("Topics")}</summary><div class="topics">${(game?.topics ?? []).map(
        (topic) => html`<label class="check"><input type="checkbox" .checked=${this.topics.has(topic)}
          @change=${(event: Event) => {
            if (isChecked(event)) this.topics.add(topic);
            else this.topics.delete(topic);
            this.requestUpdate();
          }}> ${topicName(topic)}</label>`,
      )}</div></details>`;
  }
}
customElements.define("drill-panel", DrillPanel);
