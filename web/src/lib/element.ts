import { LitElement } from "lit";

import { focusOnArrival } from "./focus";
import { listen } from "./state/changes";

/** The base of every element: plain DOM under the shared style sheet, rendered again on every change of state. */
export class StateElement extends LitElement {
  private stopListening: (() => void) | undefined;

  constructor() {
    super();
    this.addController(focusOnArrival);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopListening = listen(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopListening?.();
  }
}

/** An element that reads its data from the server when it appears, and again at an interval. */
export abstract class PollingElement extends StateElement {
  /** Milliseconds between two loads. */
  protected abstract readonly interval: number;
  private pollTimer = 0;

  protected abstract load(): Promise<unknown>;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
    this.pollTimer = window.setInterval(() => void this.load(), this.interval);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.pollTimer);
  }
}
