import { html, nothing, type TemplateResult } from "lit";

import { StateElement } from "../../lib/element";
import { to } from "../../lib/navigation";
import { rulebooks } from "../../lib/state/rulebooks";
import { citation, label } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { served } from "../served";

/** One paragraph or reading of a rulebook, in plain words. */
export class RuleDialog extends StateElement {
  private game = "";
  private rule = "";
  private failed = false;

  open(game: string, rule: string): void {
    [this.game, this.rule, this.failed] = [game, rule, false];
    rulebooks.load(game).catch(() => {
      this.failed = true;
      this.requestUpdate();
    });
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector("dialog")?.showModal());
  }

  override render(): TemplateResult {
    const book = rulebooks.get(this.game);
    return html`<dialog aria-labelledby="rule-title" @click=${this.closeOutside}>
      <h2 id="rule-title">${citation(this.rule)}</h2>
      <p class="quiet">${book ? `${book.operator} · ${book.title}` : nothing}</p>
      ${this.text()}
      <div class="row"><a class="button ghost" href=${to("rules", this.game, this.rule)}
          @click=${this.close}>${t("In the rulebook")}</a>
        <button type="button" class="button" @click=${this.close}>${t("Close")}</button></div>
    </dialog>`;
  }

  private text(): TemplateResult {
    if (this.failed) return html`<p>${t("The rulebook cannot be read at the moment. Try again later.")}</p>`;
    const book = rulebooks.get(this.game);
    if (!book) return html`<p>${t("Loading …")}</p>`;
    const paragraph = book.paragraphs[this.rule];
    if (paragraph) return html`<p class="text" lang="en">${paragraph.text}</p>`;
    const reading = book.readings[this.rule];
    if (!reading) return html`<p>${label(this.rule)}</p>`;
    return html`<p class="text" lang="en">${reading.question}</p>
      <p class="text"><strong>${t("Here:")}</strong> ${served(reading.meaning)}</p>
      <p class="quiet">${t("The document is silent, so this house has chosen a reading.")}</p>`;
  }

  private close = (): void => this.querySelector("dialog")?.close();

  private closeOutside = (event: MouseEvent): void => {
    if (event.target === this.querySelector("dialog")) this.close();
  };
}
customElements.define("rule-dialog", RuleDialog);
