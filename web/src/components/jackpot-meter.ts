import { html, type TemplateResult } from "lit";

import { StateElement } from "../lib/element";
import { cents, show } from "../lib/money";
import { live } from "../lib/state/live";
import { settings } from "../lib/state/settings";
import { tables } from "../lib/state/tables";

/** Milliseconds in which the meter rolls to a new value. */
const ROLL = 1800;

/** The jackpot meter of a link; it rolls to each new value. */
export class JackpotMeter extends StateElement {
  static override properties = { link: { attribute: false }, isHeld: { attribute: false } };
  link = "main";
  /** A round is still being shown: a meter that falls now would tell how it ends. */
  isHeld = false;
  private shown = -1;
  private from = 0;
  private target = -1;
  private began = 0;
  private frame = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    live.watch("link", this.link);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    cancelAnimationFrame(this.frame);
  }

  protected override updated(): void {
    const view = tables.links.get(this.link);
    if (!view) return;
    const target = cents(view.meter);
    if (target === this.target || (this.isHeld && this.target >= 0)) {
      this.write();
      return;
    }
    const isStill = !settings.current.motion || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.from = isStill || this.shown < 0 ? target : this.shown;
    this.target = target;
    this.began = performance.now();
    cancelAnimationFrame(this.frame);
    this.roll();
  }

  private roll(): void {
    const done = Math.min((performance.now() - this.began) / ROLL, 1);
    this.shown = Math.round(this.from + (this.target - this.from) * (1 - (1 - done) ** 3));
    this.write();
    if (this.shown !== this.target) this.frame = requestAnimationFrame(() => this.roll());
  }

  private write(): void {
    const figure = this.querySelector(".figure");
    const text = show(this.shown);
    // Writing the same text again would lay out the page.
    if (figure && figure.textContent !== text) figure.textContent = text;
  }

  override render(): TemplateResult {
    return html`<span class="figure" data-link=${this.link}></span>`;
  }
}
customElements.define("jackpot-meter", JackpotMeter);
