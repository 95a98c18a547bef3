import { html, type TemplateResult } from "lit";

import { Piece } from "./element";
import { cents, show } from "./money";
import { store } from "./store";

/** The jackpot meter of a link; it rolls to each new value. */
export class JackpotMeter extends Piece {
  static override properties = { link: { attribute: false } };
  link = "main";
  private shown = -1;
  private from = 0;
  private to = -1;
  private began = 0;
  private frame = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    store.watch("link", this.link);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    cancelAnimationFrame(this.frame);
  }

  protected override updated(): void {
    const view = store.links.get(this.link);
    if (!view) return;
    const target = cents(view.meter);
    if (target === this.to) return;
    const still = this.shown < 0 || !store.settings.motion || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.from = still ? target : this.shown;
    this.to = target;
    this.began = performance.now();
    cancelAnimationFrame(this.frame);
    this.roll();
  }

  private roll(): void {
    const done = Math.min((performance.now() - this.began) / 1800, 1);
    this.shown = Math.round(this.from + (this.to - this.from) * (1 - (1 - done) ** 3));
    const figure = this.querySelector(".figure");
    if (figure) figure.textContent = show(this.shown);
    if (done < 1) this.frame = requestAnimationFrame(() => this.roll());
  }

  override render(): TemplateResult {
    return html`<span class="figure" data-link=${this.link}></span>`;
  }
}
customElements.define("jackpot-meter", JackpotMeter);
