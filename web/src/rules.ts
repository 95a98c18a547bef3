import { html, nothing, type TemplateResult } from "lit";

import { failure, isTemporary } from "./api";
import { go, Piece } from "./element";
import { cited } from "./paragraph";
import { RETRY, store } from "./store";
import type { Comparison, Fact } from "./types";
import { title } from "./words";

type Listed = { game: string; title: string; operator: string };

/** A rulebook as a page: what is declared, dimension by dimension, and every paragraph in our words. */
export class RulesPage extends Piece {
  static override properties = { game: { attribute: false }, rule: { attribute: false } };
  game = "";
  rule = "";
  private found: Listed[] = [];
  private wrong: { game: string; says: string } | null = null;
  private asked = "";
  private listed = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.list();
  }

  private async list(): Promise<void> {
    try {
      this.found = await store.list<Listed>("/api/games");
      [this.listed, this.wrong] = [true, null];
    } catch (wrong) {
      this.wrong = { game: this.game, says: failure(wrong) };
      if (isTemporary(wrong)) window.setTimeout(() => this.isConnected && void this.list(), RETRY);
    }
    this.requestUpdate();
  }

  private get unknown(): boolean {
    return this.found.length > 0 && !this.found.some((g) => g.game === this.game);
  }

  protected override updated(changed: Map<string, unknown>): void {
    const game = this.game;
    if (game && this.listed && !this.unknown && !store.games.has(game) && this.asked !== game) {
      this.asked = game;
      void store.game(game).catch((wrong: unknown) => {
        this.wrong = { game, says: failure(wrong) };
        if (isTemporary(wrong)) window.setTimeout(() => { this.asked = ""; this.requestUpdate(); }, RETRY);
        this.requestUpdate();
      });
    } else if (this.rule && changed.size) this.querySelector(`[id="${CSS.escape(this.rule)}"]`)?.scrollIntoView({ block: "center" });
  }

  private get says(): string {
    if (this.unknown) return `There is no game "${this.game}".`;
    return this.wrong?.game === this.game ? this.wrong.says : "Opening the book …";
  }

  override render(): TemplateResult {
    const book = store.games.get(this.game);
    const dimensions = book ? [...new Set(book.facts.map((f) => f.dimension))] : [];
    return html`<main class="rules-page" id="main">
      <h1>${book ? book.title : "Rules"}</h1>
      <nav class="games" aria-label="Games">${this.found.map(
        (g) => html`<a href="#/rules/${g.game}" aria-current=${g.game === this.game ? "page" : "false"}>
          <small>${g.operator}</small>${g.title}</a>`,
      )}</nav>
      ${!book && (this.game || this.wrong) ? html`<p role="status">${this.says}</p>` : nothing}
      ${book
        ? html`<label class="against">What differs from another game
            <select data-test="against" @change=${(e: Event) => go(`#/compare/${this.game}/${(e.target as HTMLSelectElement).value}`)}>
              <option value="">Choose the other game</option>
              ${this.found.filter((g) => g.game !== this.game).map((g) => html`<option value=${g.game}>${g.operator}: ${g.title}</option>`)}</select></label>
          <nav class="chapters" aria-label="Chapters">${dimensions.map((d) => html`<button type="button" class="rule" @click=${() =>
            this.querySelector(`[data-dimension="${CSS.escape(d)}"]`)?.scrollIntoView({ block: "start" })}>${d}</button>`)}</nav>
          ${dimensions.map(
            (dimension) => html`<section data-dimension=${dimension}><h2>${dimension}</h2><dl class="facts">${book.facts
              .filter((f) => f.dimension === dimension && f.says !== "—")
              .map((f) => html`<div><dt>${title(f.about)}</dt><dd>${f.says} ${cited(book.game, f.rules)}</dd></div>`)}</dl></section>`,
          )}
          <section><h2>Every paragraph, in our words</h2>
            <dl class="facts">${Object.entries(book.paragraphs).map(
              ([number, p]) => html`<div id=${number} class=${number === this.rule ? "found" : ""}><dt>${number}</dt><dd>${p.text}</dd></div>`,
            )}</dl></section>`
        : this.game ? nothing : html`<p>Five games of three operators. Choose one.</p>`}
    </main>`;
  }
}
customElements.define("rules-page", RulesPage);

/** Two rulebooks side by side: where they differ, each with its paragraphs, and what both say. */
export class ComparePage extends Piece {
  static override properties = { first: { attribute: false }, second: { attribute: false } };
  first = "";
  second = "";
  private found: Listed[] = [];
  private said: Comparison | null = null;
  private wrong = "";

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      const path = `/api/games/${encodeURIComponent(this.first)}/against/${encodeURIComponent(this.second)}`;
      [this.found, this.said] = await Promise.all([store.list<Listed>("/api/games"), store.get<Comparison>(path)]);
    } catch (wrong) {
      this.wrong = failure(wrong);
    }
    this.requestUpdate();
  }

  private chosen(which: "first" | "second"): TemplateResult {
    const change = (e: Event): void => {
      const game = (e.target as HTMLSelectElement).value;
      go(which === "first" ? `#/compare/${game}/${this.second}` : `#/compare/${this.first}/${game}`);
    };
    return html`<label>${which === "first" ? "This game" : "The other game"} <select name=${which} @change=${change}>${this.found.map(
      (g) => html`<option value=${g.game} ?selected=${g.game === this[which]}>${g.operator}: ${g.title}</option>`,
    )}</select></label>`;
  }

  override render(): TemplateResult {
    const said = this.said;
    if (!said) return html`<main id="main"><h1>What differs</h1><p>${this.wrong || "Opening both books …"}</p></main>`;
    const name = (game: string): string => {
      const listed = this.found.find((g) => g.game === game);
      return listed ? `${listed.operator}: ${listed.title}` : game;
    };
    const cell = (game: string, fact: Fact | null): TemplateResult =>
      html`<td data-game=${name(game)}>${fact && fact.says !== "—" ? html`${fact.says} ${cited(game, fact.rules)}` : html`<span class="quiet">says nothing of it</span>`}</td>`;
    const dimensions = [...new Set(said.differences.map((d) => d.dimension))];
    return html`<main class="compare-page" id="main"><h1>What differs</h1>
      <div class="search">${this.chosen("first")} ${this.chosen("second")}</div>
      <p data-test="counted"><b>${said.differences.length}</b> statements differ, <b>${said.same.length}</b> are the same.</p>
      ${dimensions.map((dimension) => html`<section><h2>${dimension}</h2><table class="compared">
        <thead><tr><th scope="col">About</th><th scope="col">${name(this.first)}</th><th scope="col">${name(this.second)}</th></tr></thead>
        <tbody>${said.differences.filter((d) => d.dimension === dimension).map((d) => html`<tr><th scope="row">${title(d.about)}</th>
          ${cell(this.first, d.first)} ${cell(this.second, d.second)}</tr>`)}</tbody></table></section>`)}
      <details><summary>What both say</summary><dl class="facts">${said.same.filter((f) => f.says !== "—").map(
        (f) => html`<div><dt>${f.dimension}: ${f.about}</dt><dd>${f.says} ${cited(this.first, f.rules)}</dd></div>`)}</dl></details>
    </main>`;
  }
}
customElements.define("compare-page", ComparePage);
