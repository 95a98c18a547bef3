import { html, nothing, type TemplateResult } from "lit";

import type { Comparison, Fact, GameLine } from "../api/types";
import { citations } from "../components/rules/citations";
import { served } from "../components/served";
import { StateElement } from "../lib/element";
import { inputValue } from "../lib/forms";
import { go } from "../lib/navigation";
import { requests } from "../lib/state/requests";
import { address, listedAt } from "../lib/state/rulebooks";
import { listedAs, title } from "../lib/text/labels";
import { rich, t } from "../lib/text/language";
import { failure } from "../lib/text/sentences";

/** Two rulebooks side by side: where they differ, each with its paragraphs, and what both say. */
export class ComparePage extends StateElement {
  static override properties = { first: { attribute: false }, second: { attribute: false } };
  first = "";
  second = "";
  private games: GameLine[] = [];
  private comparison: Comparison | null = null;
  private error = "";

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      const path = `/api/games/${encodeURIComponent(this.first)}/against/${encodeURIComponent(this.second)}`;
      [this.games, this.comparison] = await Promise.all([
        requests.list<GameLine>("/api/games"),
        requests.get<Comparison>(path),
      ]);
    } catch (error) {
      this.error = failure(error);
    }
    this.requestUpdate();
  }

  private name(game: string): string {
    const listed = listedAt(game, this.games);
    return listed ? listedAs(listed) : game;
  }

  override render(): TemplateResult {
    if (!this.comparison)
      return html`<main id="main"><h1>${t("What differs")}</h1><p>${
        this.error || t("Loading both rulebooks …")
      }</p></main>`;
    const { differences, same } = this.comparison;
    const dimensions = [...new Set(differences.map(({ dimension }) => dimension))];
    const shared = same.filter(({ says }) => says !== "—");
    return html`<main class="compare-page" id="main"><h1>${t("What differs")}</h1>
      <div class="search">${this.selection("first")} ${this.selection("second")}</div>
      <p data-test="counted">${rich("{different} statements differ, {same} are the same.", {
        different: html`<b>${differences.length}</b>`,
        same: html`<b>${same.length}</b>`,
      })}</p>
      ${this.clauses(this.comparison)}
      ${dimensions.map((dimension) => this.dimension(this.comparison!, dimension))}
      <details><summary>${t("What both say")}</summary><dl class="facts">${shared.map(
        ({ dimension, about, says, rules }) => html`<div><dt lang="en">${dimension}: ${about}</dt>
          <dd>${served(says)} ${citations(this.first, rules)}</dd></div>`,
      )}</dl></details>
    </main>`;
  }

  /** Of two versions of one document: the paragraphs and readings that are new, changed or gone. */
  private clauses({ paragraphs, readings }: Comparison): TemplateResult | typeof nothing {
    if (!paragraphs.length && !readings.length) return nothing;
    const text = (words: string | null): TemplateResult =>
      words === null
        ? html`<span class="quiet">${t("no such paragraph")}</span>`
        : html`<span lang="en">${words}</span>`;
    return html`<section data-test="clauses"><h2>${t("Clause by clause")}</h2><table class="compared">
      <thead><tr><th scope="col">${t("Paragraph")}</th><th scope="col">${this.name(this.first)}</th>
        <th scope="col">${this.name(this.second)}</th></tr></thead>
      <tbody>${paragraphs.map(
        ({ paragraph, first, second }) => html`<tr><th scope="row">${paragraph}</th>
          <td data-game=${this.name(this.first)}>${text(first)}</td>
          <td data-game=${this.name(this.second)}>${text(second)}</td></tr>`,
      )}</tbody></table>
      ${
        readings.length
          ? html`<ul>${readings.map(({ reading, says }) => html`<li lang="en"><b>${reading}</b>: ${says}</li>`)}</ul>`
          : html`<p class="quiet">${t("No reading is lost, new or changed.")}</p>`
      }</section>`;
  }

  private selection(which: "first" | "second"): TemplateResult {
    const change = (event: Event): void => {
      const game = inputValue(event);
      go(which === "first" ? `#/compare/${game}/${this.second}` : `#/compare/${this.first}/${game}`);
    };
    return html`<label>${which === "first" ? t("This game") : t("The other game")}
      <select name=${which} @change=${change}>${this.games.map(
        (listed) => html`<option value=${address(listed, this.games)}
          ?selected=${listed === listedAt(this[which], this.games)}>${this.name(address(listed, this.games))}</option>`,
      )}</select></label>`;
  }

  private dimension({ differences }: Comparison, dimension: string): TemplateResult {
    return html`<section><h2 lang="en">${dimension}</h2><table class="compared">
      <thead><tr><th scope="col">${t("About")}</th><th scope="col">${this.name(this.first)}</th>
        <th scope="col">${this.name(this.second)}</th></tr></thead>
      <tbody>${differences
        .filter((difference) => difference.dimension === dimension)
        .map(
          ({ about, first, second }) => html`<tr><th scope="row" lang="en">${title(about)}</th>
            ${this.cell(this.first, first)} ${this.cell(this.second, second)}</tr>`,
        )}</tbody></table></section>`;
  }

  private cell(game: string, fact: Fact | null): TemplateResult {
    const isSilent = !fact || fact.says === "—";
    return html`<td data-game=${this.name(game)}>${
      isSilent
        ? html`<span class="quiet">${t("not mentioned")}</span>`
        : html`${served(fact.says)} ${citations(game, fact.rules)}`
    }</td>`;
  }
}
customElements.define("compare-page", ComparePage);
