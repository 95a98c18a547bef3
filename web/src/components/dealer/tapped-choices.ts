/** What several boxes have chosen, as the dealer taps it: a tap can be taken back until all are confirmed together. */

import { html, type TemplateResult } from "lit";

import { t } from "../../lib/text/language";
import type { Command, DealerTable } from "./dealer-table";

/** A choice as the dealer has tapped it. */
interface Tapped {
  choice: string;
  command: Command;
}

export class TappedChoices {
  protected tapped: Record<number, Tapped> = {};
  private question = "";

  constructor(protected readonly changed: () => void) {}

  /** Forget what was tapped for another question; true where this one is new. */
  protected begin(question: string): boolean {
    if (question === this.question) return false;
    [this.question, this.tapped] = [question, {}];
    return true;
  }

  protected tap(box: number, choice: string, command: Command): void {
    this.tapped = { ...this.tapped, [box]: { choice, command } };
    this.changed();
  }

  /** A choice of a box; `text` is the price or the consequence on its button. */
  protected button(box: number, choice: string, text: unknown, isDisabled: boolean, tap: () => void): TemplateResult {
    const isChosen = this.tapped[box]?.choice === choice;
    return html`<button type="button" class="button small ${isChosen ? "" : "ghost"}" aria-pressed=${isChosen}
      ?disabled=${isDisabled} data-decide="${box}-${choice}" @click=${tap}>${text}</button>`;
  }

  protected undoButton(box: number): TemplateResult {
    const undo = (): void => {
      delete this.tapped[box];
      this.changed();
    };
    return html`<button type="button" class="button small ghost" data-undo=${box} @click=${undo}>${t("Undo")}</button>`;
  }

  /** The one button that sends what was tapped; `done` is called with each box whose choice was accepted. */
  protected confirmation(
    table: DealerTable,
    due: readonly number[],
    note: unknown,
    done: (box: number, choice: string) => void,
  ): TemplateResult {
    const ready = due.filter((box) => this.tapped[box]);
    const left = due.length - ready.length;
    const send = (): Promise<void> =>
      table.performTogether(async (perform) => {
        for (const box of ready) {
          const tapped = this.tapped[box];
          if (!tapped || !(await perform(tapped.command))) return;
          delete this.tapped[box];
          done(box, tapped.choice);
        }
      });
    return html`<p class="row confirm"><button type="button" class="button" data-confirm
      ?disabled=${!ready.length || table.isBusy}
      @click=${send}>${
        ready.length > 1 ? t("Confirm {count} decisions", { count: ready.length }) : t("Confirm")
      }</button>
      <span class="quiet">${
        left ? t("{count} to come.", { count: left }) : t("Nothing is final before you confirm.")
      } ${note}</span></p>`;
  }
}
