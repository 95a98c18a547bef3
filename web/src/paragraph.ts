import { html, nothing, type TemplateResult } from "lit";

import { Piece } from "./element";
import { store } from "./store";
import { citation, words } from "./words";

/** Buttons for the paragraphs of a result; one tap opens the rule in plain words. */
export function cited(game: string, rules: readonly string[]): TemplateResult {
  return html`<span class="rules">${rules.map(
    (rule) => html`<button type="button" class="rule" @click=${() => openRule(game, rule)}>${spoken(rule)}</button>`,
  )}</span>`;
}

/** The sign is for the eye; a screen reader says the word. */
function spoken(rule: string): TemplateResult {
  const [before, sign, after] = citation(rule).split(/(¶ ?)/);
  return sign ? html`${before}<span aria-hidden="true">${sign}</span><span class="sr">paragraph </span>${after}` : html`${before}`;
}

export function openRule(game: string, rule: string): void {
  document.querySelector<RuleDialog>("rule-dialog")?.open(game, rule);
}

export class RuleDialog extends Piece {
  private game = "";
  private rule = "";
  private failed = false;

  open(game: string, rule: string): void {
    [this.game, this.rule, this.failed] = [game, rule, false];
    store.game(game).catch(() => {
      this.failed = true;
      this.requestUpdate();
    });
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector("dialog")?.showModal());
  }

  override render(): TemplateResult {
    const book = store.games.get(this.game);
    const paragraph = book?.paragraphs[this.rule];
    const reading = book?.readings[this.rule];
    return html`<dialog aria-labelledby="rule-title" @click=${this.outside}>
      <h2 id="rule-title">${citation(this.rule)}</h2>
      <p class="quiet">${book ? `${book.operator} · ${book.title}` : nothing}</p>
      ${this.failed
        ? html`<p>The rulebook cannot be read at the moment.</p>`
        : !book
          ? html`<p>Looking it up …</p>`
          : paragraph
            ? html`<p class="text">${paragraph.text}</p>`
            : reading
              ? html`<p class="text">${reading.question}</p><p class="text"><strong>Here:</strong> ${reading.meaning}</p>
                  <p class="quiet">The document is silent, so this house has chosen a reading.</p>`
              : html`<p>${words(this.rule)}</p>`}
      <div class="row"><a class="button ghost" href="#/rules/${this.game}/${encodeURIComponent(this.rule)}"
          @click=${this.close}>In the rulebook</a>
        <button type="button" class="button" @click=${this.close}>Close</button></div>
    </dialog>`;
  }

  private close = (): void => this.querySelector("dialog")?.close();

  private outside = (event: MouseEvent): void => {
    if (event.target === this.querySelector("dialog")) this.close();
  };
}
customElements.define("rule-dialog", RuleDialog);
