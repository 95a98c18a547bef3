import { html, type TemplateResult } from "lit";
import type uPlot from "uplot";

import { StateElement } from "../lib/element";

/** The plotting library, loaded when the first line is drawn. */
let library: Promise<typeof uPlot> | undefined;

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

  private plot: uPlot | undefined;
  private readonly resized = new ResizeObserver(() => this.fit());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
    this.plot?.destroy();
    this.plot = undefined;
  }

  override render(): TemplateResult {
    return html`<div class="plot" role="img" aria-label=${this.label}></div>
      <output class="read" aria-hidden="true"></output>`;
  }

  private get data(): uPlot.AlignedData {
    return [this.points.map((_, i) => this.from + i * this.step), [...this.points]];
  }

  protected override updated(): void {
    if (this.plot) this.plot.setData(this.data);
    else void this.draw();
  }

  private async draw(): Promise<void> {
    library ??= import("uplot").then(({ default: found }) => found);
    const Plot = await library;
    const place = this.querySelector<HTMLElement>(".plot");
    if (!place || this.plot || !this.isConnected) return;
    const style = getComputedStyle(this);
    const colour = style.getPropertyValue("--spark") || style.color;
    this.plot = new Plot(
      {
        width: Math.max(place.clientWidth, 20),
        height: Math.max(place.clientHeight, 12),
        padding: [2, 0, 2, 0],
        legend: { show: false },
        axes: [{ show: false }, { show: false }],
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
        scales: {
          x: { time: false },
          y: { range: (_, low, high) => (low === high ? [low - 1, high + 1] : [low, high]) },
        },
        series: [{}, { stroke: colour, width: 1.5, fill: `${colour}22`, points: { show: false } }],
        hooks: { setCursor: [(plot) => this.read(plot.cursor.idx)] },
      },
      this.data,
      place,
    );
    this.resized.observe(place);
  }

  /** Show the value under the pointer. */
  private read(index: number | null | undefined): void {
    const output = this.querySelector("output");
    const value = index === null || index === undefined ? null : (this.points[index] ?? null);
    if (!output) return;
    const at = new Date(1000 * (this.from + (index ?? 0) * this.step)).toLocaleTimeString("en-GB", {
      hour: "2-digit",
      minute: "2-digit",
    });
    output.textContent = value === null ? "" : `${at}  ${this.write(value)}`;
  }

  private fit(): void {
    const place = this.querySelector<HTMLElement>(".plot");
    if (place && this.plot && place.clientWidth)
      this.plot.setSize({ width: place.clientWidth, height: place.clientHeight });
  }
}
customElements.define("spark-line", SparkLine);
