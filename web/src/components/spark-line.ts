import { html, nothing, svg, type TemplateResult } from "lit";

import { StateElement } from "../lib/element";
import { hour } from "../lib/text/time";

/** The drawing is this wide and high; the page stretches it. */
const WIDTH = 100;
const HEIGHT = 20;

/** A line of figures without axes; the pointer reads the value of a step. */
export class SparkLine extends StateElement {
  static override properties = { points: { attribute: false }, label: {}, from: { attribute: false }, step: {} };
  /** One value for each step, the oldest first; null where none is known. */
  points: readonly (number | null)[] = [];
  /** What the line shows, for people who do not see it. */
  label = "";
  /** The first step in seconds since 1970, and the seconds of each. */
  from = 0;
  step = 300;
  /** Write a value as text. */
  write: (value: number) => string = String;
  private reading: number | null = null;

  private read = (event: PointerEvent): void => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    const index = Math.round(((event.clientX - left) / width) * (this.points.length - 1));
    this.reading = Math.min(Math.max(index, 0), this.points.length - 1);
    this.requestUpdate();
  };

  private leave = (): void => {
    this.reading = null;
    this.requestUpdate();
  };

  override render(): TemplateResult {
    const index = this.reading;
    const value = index === null ? null : (this.points[index] ?? null);
    return html`<div class="plot" role="img" aria-label=${this.label} @pointermove=${this.read}
        @pointerleave=${this.leave}><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none"
        aria-hidden="true">${this.drawn().map((line) => svg`<polyline points=${line}/>`)}</svg></div>
      <output class="read" aria-hidden="true">${
        index === null || value === null ? nothing : `${this.timeOf(index)}  ${this.write(value)}`
      }</output>`;
  }

  /** The points of each unbroken part of the line. */
  private drawn(): string[] {
    const known = this.points.filter((point) => point !== null);
    const low = Math.min(...known);
    const span = Math.max(...known) - low || 1;
    const parts: string[][] = [[]];
    this.points.forEach((point, index) => {
      const x = (WIDTH * index) / Math.max(this.points.length - 1, 1);
      const y = point === null ? 0 : HEIGHT - 1 - ((HEIGHT - 2) * (point - low)) / span;
      if (point === null) parts.push([]);
      else parts.at(-1)!.push(`${x.toFixed(2)},${y.toFixed(2)}`);
    });
    return parts.filter((part) => part.length).map((part) => part.join(" "));
  }

  private timeOf(index: number): string {
    return hour(1000 * (this.from + index * this.step));
  }
}
customElements.define("spark-line", SparkLine);
