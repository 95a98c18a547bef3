import { html, type TemplateResult } from "lit";

import { Piece } from "./element";
import { store } from "./store";
import { PHASES } from "./words";

const AROUND = 2 * Math.PI * 20;

/** The server's clock of a table as a ring; the seconds stand in it as text. */
export class ClockRing extends Piece {
  static override properties = { table: { attribute: false } };
  table = "";
  private frame = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    const tick = (): void => {
      this.draw();
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    cancelAnimationFrame(this.frame);
  }

  private draw(): void {
    const view = store.tables.get(this.table);
    const circle = this.querySelector(".left");
    const text = this.querySelector("text");
    if (!view?.clock || !circle || !text) return;
    const left = Math.max(view.clock.left - (performance.now() - view.arrived) / 1000, 0);
    circle.setAttribute("stroke-dashoffset", String(AROUND * (1 - left / view.clock.of)));
    circle.classList.toggle("late", left < 6 && view.clock.phase !== "pause");
    const seconds = String(Math.ceil(left));
    if (text.textContent !== seconds) text.textContent = seconds;
  }

  override render(): TemplateResult {
    const clock = store.tables.get(this.table)?.clock;
    if (!clock) return html``;
    return html`<div class="ring ${clock.phase}" role="timer" aria-label="Seconds ${PHASES[clock.phase] ?? ""}">
      <svg viewBox="0 0 48 48"><circle class="track" cx="24" cy="24" r="20"/>
        <circle class="left" cx="24" cy="24" r="20" transform="rotate(-90 24 24)" stroke-dasharray=${AROUND}/>
        <text x="24" y="30" text-anchor="middle"></text></svg>
      <span>${clock.phase === "pause" ? "next round" : PHASES[clock.phase] ?? clock.phase}</span>
    </div>`;
  }
}
customElements.define("clock-ring", ClockRing);
