import { html, nothing, type TemplateResult } from "lit";

import { isTemporary } from "../api/http";
import type { Game, GameLine } from "../api/types";
import { citations } from "../components/rules/citations";
import { served } from "../components/served";
import { StateElement } from "../lib/element";
import { inputValue } from "../lib/forms";
import { cents, short } from "../lib/money";
import { go, to } from "../lib/navigation";
import { lobby } from "../lib/state/lobby";
import { RETRY, requests } from "../lib/state/requests";
import { address, listedAt, rulebooks } from "../lib/state/rulebooks";
import { listedAs, title, versioned } from "../lib/text/labels";
import { t } from "../lib/text/language";
import { failure } from "../lib/text/sentences";

/** A rulebook as a page: what it declares, dimension by dimension, and every paragraph in our words. */
export class RulesPage extends StateElement {
  static override properties = { game: { attribute: false }, rule: { attribute: false } };
  game = "";
  rule = "";
  private games: GameLine[] = [];
  private isListed = false;
  private error: { game: string; sentence: string } | null = null;
  /** The game whose rulebook was requested last. */
  private requested = "";

  override connectedCallback(): void {
    super.connectedCallback();
    void this.loadGames();
  }

  private async loadGames(): Promise<void> {
    try {
      this.games = await requests.list<GameLine>("/api/games");
      [this.isListed, this.error] = [true, null];
    } catch (error) {
      this.error = { game: this.game, sentence: failure(error) };
      if (isTemporary(error)) window.setTimeout(() => this.isConnected && void this.loadGames(), RETRY);
    }
    this.requestUpdate();
  }

  private get isUnknown(): boolean {
    return this.games.length > 0 && !listedAt(this.game, this.games);
  }

  protected override updated(changed: Map<string, unknown>): void {
    const { game } = this;
    if (game && this.isListed && !this.isUnknown && !rulebooks.get(game) && this.requested !== game)
      void this.loadBook(game);
    else if (this.rule && changed.size)
      this.querySelector(`[id="${CSS.escape(this.rule)}"]`)?.scrollIntoView({ block: "center" });
  }

  private async loadBook(game: string): Promise<void> {
    this.requested = game;
    try {
      await rulebooks.load(game);
    } catch (error) {
      this.error = { game, sentence: failure(error) };
      this.requestUpdate();
      if (!isTemporary(error)) return;
      window.setTimeout(() => {
        this.requested = "";
        this.requestUpdate();
      }, RETRY);
    }
  }

  private get status(): string {
    if (this.isUnknown) return t('There is no game "{game}".', { game: this.game });
    return this.error?.game === this.game ? this.error.sentence : t("Loading the rulebook …");
  }

  override render(): TemplateResult {
    const book = rulebooks.get(this.game);
    // What stands under a page that is not here yet would only move.
    const isWaiting = this.game && !book && !this.isUnknown && !this.error;
    if (isWaiting)
      return html`<main class="rules-page" id="main"><h1>${t("Rules")}</h1><p role="status">${this.status}</p></main>`;
    return html`<main class="rules-page" id="main">
      <h1>${book ? versioned(book) : t("Rules")}</h1>
      ${
        book
          ? html`<p class="quiet">${t("Rulebook {edition}, SHA-256", {
              edition: book.edition,
            })} <code>${book.sha256.slice(0, 16)}…</code></p>${figuresOf(book)}`
          : nothing
      }
      <details class="choose" ?open=${!book || !matchMedia("(max-width: 640px)").matches}><summary>${t(
        "Choose a rule document.",
      )}</summary><nav class="games" aria-label=${t("Games")}>${this.games.map(
        (listed) => html`<a href="#/rules/${address(listed, this.games)}"
          aria-current=${listed === listedAt(this.game, this.games) ? "page" : "false"}>
          <small>${listed.operator}</small>${versioned(listed)}</a>`,
      )}</nav></details>
      ${!book && (this.game || this.error) ? html`<p role="status">${this.status}</p>` : nothing}
      ${book ? this.book(book) : nothing}
    </main>`;
  }

  private book(book: Game): TemplateResult {
    const dimensions = [...new Set(book.facts.map(({ dimension }) => dimension))];
    const others = this.games.filter((listed) => listed !== listedAt(this.game, this.games));
    const scrollTo = (dimension: string): void =>
      this.querySelector(`[data-dimension="${CSS.escape(dimension)}"]`)?.scrollIntoView({ block: "start" });
    return html`<label class="against">${t("What differs from another game")}
        <select data-test="against" @change=${(event: Event) => go(`#/compare/${this.game}/${inputValue(event)}`)}>
          <option value="">${t("Choose the other game")}</option>
          ${others.map(
            (other) => html`<option value=${address(other, this.games)}>${listedAs(other)}</option>`,
          )}</select></label>
      <nav class="chapters" aria-label=${t("Chapters")}>${dimensions.map(
        (dimension) => html`<button type="button" class="rule" lang="en"
          @click=${() => scrollTo(dimension)}>${dimension}</button>`,
      )}</nav>
      ${dimensions.map((dimension) => this.dimension(book, dimension))}
      <section><h2>${t("Every paragraph, in our words")}</h2>
        <dl class="facts">${Object.entries(book.paragraphs).map(
          ([number, { text }]) => html`<div id=${number} class=${number === this.rule ? "found" : ""}>
            <dt>${number}</dt><dd lang="en">${text}</dd></div>`,
        )}</dl></section>`;
  }

  private dimension({ edition, facts }: Game, dimension: string): TemplateResult {
    const shown = facts.filter((fact) => fact.dimension === dimension && fact.says !== "—");
    return html`<section data-dimension=${dimension}><h2 lang="en">${dimension}</h2>
      <dl class="facts">${shown.map(
        ({ about, says, rules }) =>
          html`<div><dt lang="en">${title(about)}</dt><dd>${served(says)} ${citations(edition, rules)}</dd></div>`,
      )}</dl></section>`;
  }
}
customElements.define("rules-page", RulesPage);

/** Whose figures the page shows, and the tables of this house with their own. */
function figuresOf({ operator, game }: Game): TemplateResult {
  const tables = lobby.tables.filter((table) => table.game === game);
  return html`<p class="note" data-test="figures">${t(
    "The figures here are those of the document of {operator}, in its currency. Each table shows its own.",
    { operator },
  )}
    ${tables.map(({ table, limits: { ante }, currency }) => {
      const own = ante ? `${t("Ante")} ${short(cents(ante[0]))}–${short(cents(ante[1]))} ${currency}` : currency;
      return html`<br><a href=${to("table", table)}>${table}</a>: ${own}`;
    })}</p>`;
}
