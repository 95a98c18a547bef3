import { html, type TemplateResult } from "lit";

import { StateElement } from "../lib/element";
import { t } from "../lib/text/language";
import { failure } from "../lib/text/sentences";
import { alert } from "./alert";

/** What is to be confirmed. */
export interface Question {
  /** The class of the dialog. */
  kind: string;
  title: string;
  text: string;
  action: string;
  /** What the other button says. */
  cancel?: string;
  confirm: () => Promise<void>;
}

/** Asks again before something that is hard to undo; a refusal stays in the dialog. */
export class ConfirmDialog extends StateElement {
  private question: Question | null = null;
  private isBusy = false;
  private error = "";

  open(question: Question): void {
    [this.question, this.error] = [question, ""];
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector("dialog")?.showModal());
  }

  private close = (): void => this.querySelector("dialog")?.close();

  private confirm = async (): Promise<void> => {
    if (this.isBusy) return;
    this.isBusy = true;
    this.error = "";
    this.requestUpdate();
    try {
      await this.question?.confirm();
      this.close();
    } catch (error) {
      this.error = failure(error);
    }
    this.isBusy = false;
    this.requestUpdate();
    this.dispatchEvent(new Event("answered"));
  };

  override render(): TemplateResult {
    return html`<dialog class=${this.question?.kind ?? ""} aria-labelledby="confirm-title">
      <h2 id="confirm-title">${this.question?.title}</h2>
      <p>${this.question?.text}</p>
      ${alert(this.error)}
      <div class="row"><button type="button" class="button ghost" @click=${this.close}>${
        this.question?.cancel ?? t("Keep")
      }</button>
        <button type="button" class="button danger" ?disabled=${this.isBusy} @click=${this.confirm}
          >${this.question?.action}</button></div></dialog>`;
  }
}
customElements.define("confirm-dialog", ConfirmDialog);
