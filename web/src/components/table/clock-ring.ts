import { html, nothing, type TemplateResult } from "lit";

import { StateElement } from "../../lib/element";
import { secondsLeft } from "../../lib/play/own-clock";
import { play } from "../../lib/sound";
import { tables } from "../../lib/state/tables";
import { clockPhase } from "../../lib/text/labels";
import { t } from "../../lib/text/language";

const RADIUS = 20;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;
/** Seconds from which on the ring warns. */
const LATE = 6;
/** Milliseconds between two drawings; of most clocks the ring moves by less than a pixel in them. */
const INTERVAL = 100;

/** The server's clock of a table as a ring, with the seconds in it as text. */
export class ClockRing extends StateElement {
  static override properties = { table: { attribute: false } };
  table = "";
  private timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = window.setInterval(() => this.draw(), INTERVAL);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  /** The first figure comes with the ring, not with the next interval. */
  override updated(): void {
    this.draw();
  }

  private draw(): void {
    const view = tables.views.get(this.table);
    const circle = this.querySelector(".left");
    const text = this.querySelector("text");
    if (document.hidden || !view?.clock || !circle || !text) return;
    const left = secondsLeft(view);
    circle.setAttribute("stroke-dashoffset", String(CIRCUMFERENCE * (1 - left / view.clock.of)));
    circle.classList.toggle("late", left < LATE && view.clock.phase !== "pause");
    const seconds = String(Math.ceil(left));
    if (text.textContent === seconds) return;
    text.textContent = seconds;
    if (left && left < LATE && view.choices.length) play("tick");
  }

  override render(): TemplateResult | typeof nothing {
    const phase = tables.views.get(this.table)?.clock?.phase;
    if (phase === undefined) return nothing;
    return html`<div class="ring ${phase}" role="timer" aria-label=${t("Seconds {what}", {
      what: clockPhase(phase) ?? "",
    })}>
      <svg viewBox="0 0 48 48"><circle class="track" cx="24" cy="24" r=${RADIUS}/>
        <circle class="left" cx="24" cy="24" r=${RADIUS} transform="rotate(-90 24 24)"
          stroke-dasharray=${CIRCUMFERENCE}/>
        <text x="24" y="30" text-anchor="middle"></text></svg>
      <span>${phase === "pause" ? t("next round") : (clockPhase(phase) ?? phase)}</span>
    </div>`;
  }
}
customElements.define("clock-ring", ClockRing);
