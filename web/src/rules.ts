import { html, nothing, type TemplateResult } from "lit";

import { Piece } from "./element";
import { cited } from "./paragraph";
import { store } from "./store";
import { title } from "./words";

/** A rulebook as a page: what is declared, dimension by dimension, and every paragraph in our words. */
export class RulesPage extends Piece {
  static override properties = { game: { attribute: false }, rule: { attribute: false } };
  game = "";
  rule = "";
  private found: { game: string; title: string; operator: string }[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    void store.get<RulesPage["found"]>("/api/games").then((games) => {
      this.found = games;
      this.requestUpdate();
    });
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (this.game && !store.games.has(this.game)) void store.game(this.game).catch(() => undefined);
    else if (this.rule && changed.size) this.querySelector(`[id="${CSS.escape(this.rule)}"]`)?.scrollIntoView({ block: "center" });
  }

  override render(): TemplateResult {
    const book = store.games.get(this.game);
    return html`<main class="rules-page" id="main">
      <h1>${book ? book.title : "Rules"}</h1>
      <nav class="games" aria-label="Games">${this.found.map(
        (g) => html`<a href="#/rules/${g.game}" aria-current=${g.game === this.game ? "page" : "false"}>
          <small>${g.operator}</small>${g.title}</a>`,
      )}</nav>
      ${this.game && !book ? html`<p>Opening the book …</p>` : nothing}
      ${book
        ? html`${[...new Set(book.facts.map((f) => f.dimension))].map(
            (dimension) => html`<section><h2>${dimension}</h2><dl class="facts">${book.facts
              .filter((f) => f.dimension === dimension && f.says !== "—")
              .map((f) => html`<div><dt>${title(f.about)}</dt><dd>${f.says} ${cited(book.game, f.rules)}</dd></div>`)}</dl></section>`,
          )}
          <section><h2>Every paragraph, in our words</h2>
            <dl class="facts">${Object.entries(book.paragraphs).map(
              ([number, p]) => html`<div id=${number} class=${number === this.rule ? "found" : ""}><dt>${number}</dt><dd>${p.text}</dd></div>`,
            )}</dl></section>`
        : html`<p>Five games of three operators. Choose one.</p>`}
    </main>`;
  }
}
customElements.define("rules-page", RulesPage);
