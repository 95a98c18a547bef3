import { LitElement } from "lit";

import { store } from "./store";

let arriving = false;
for (const touch of ["pointerdown", "keydown"]) window.addEventListener(touch, () => (arriving = false), true);

/** On another page the keyboard and a screen reader begin at its content, however late that comes. */
export function arrive(): void {
  arriving = true;
  (document.activeElement as HTMLElement | null)?.blur();
}

export function toContent(): void {
  const main = document.querySelector<HTMLElement>("main");
  main?.setAttribute("tabindex", "-1");
  (main?.querySelector<HTMLElement>("[autofocus]") ?? main)?.focus({ preventScroll: true });
}

const settle = { hostUpdated: (): void => { if (arriving && document.activeElement === document.body) toContent(); } };

/** A piece of the page: plain DOM under the one style sheet, drawn again whenever the store has news. */
export class Piece extends LitElement {
  private stop: (() => void) | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  constructor() {
    super();
    this.addController(settle);
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
