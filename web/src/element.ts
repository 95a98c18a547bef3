import { LitElement } from "lit";

import { store } from "./store";

/** A piece of the page: plain DOM under the one style sheet, drawn again whenever the store has news. */
export class Piece extends LitElement {
  private stop: (() => void) | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stop = store.listen(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
  }
}

/** The address of a page; names may hold whatever a name may. */
export function to(page: string, ...parts: (string | number)[]): string {
  return `#/${[page, ...parts.map((part) => encodeURIComponent(part))].join("/")}`;
}

/** The tab says which page it shows, and how much waits there. */
export function entitle(page: string, waits = 0): void {
  document.title = `${waits ? `(${waits}) ` : ""}${page ? `${page} · ` : ""}Croupier`;
}

export function go(route: string): void {
  location.hash = route;
}
