import { html, nothing, type TemplateResult } from "lit";
import type { Chapter, IntroductionView, Point } from "../../api/types";
import { alert } from "../../components/alert";
import { citations } from "../../components/rules/citations";
import { hand } from "../../components/table/cards";
import { StateElement } from "../../lib/element";
import { requests } from "../../lib/state/requests";
import { t } from "../../lib/text/language";
import { failure } from "../../lib/text/sentences";

/** A game for a learner who does not know it: a round, the hands, the bets, what may go wrong. */
export class IntroductionPage extends StateElement {
  static override properties = { game: {} };
  declare game: string;
  private view: IntroductionView | null = null;
  private error = "";

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      const path = `/api/academy/introductions/${encodeURIComponent(this.game)}`;
      this.view = await requests.get<IntroductionView>(path);
    } catch (error) {
      this.error = failure(error);
    }
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const { view } = this;
    if (!view)
      return html`<main class="academy narrow" id="main"><h1>${t("Learn a game")}</h1>${alert(this.error)}
        <p><a href="#/academy">${t("To the academy")}</a></p></main>`;
    const scrollTo = (index: number): void =>
      this.querySelectorAll("section")[index]?.scrollIntoView({ block: "start" });
    return html`<main class="academy rules-page introduction" id="main"><h1>${view.operator} ${view.title}</h1>
      <p><a href="#/academy">${t("To the academy")}</a></p>
      <nav class="chapters" aria-label=${t("Chapters")}>${view.chapters.map(
        ({ title }, index) =>
          html`<button type="button" class="rule" lang="en" @click=${() => scrollTo(index)}>${title}</button>`,
      )}</nav>
      ${view.chapters.map((chapter) => this.chapter(view.edition, chapter))}</main>`;
  }

  private chapter(edition: string, { title, points }: Chapter): TemplateResult {
    return html`<section lang="en"><h2>${title}</h2><ul class="points">${points.map((point) =>
      this.point(edition, point),
    )}</ul></section>`;
  }

  private point(edition: string, { says, about = "", rules = [], cards = [] }: Point): TemplateResult {
    return html`<li>${cards.length ? hand(cards, about) : nothing}
      <span>${about ? html`<b>${about}</b> ` : nothing}${says}
        ${rules.length ? citations(edition, rules) : nothing}</span>
    </li>`;
  }
}
customElements.define("introduction-page", IntroductionPage);
