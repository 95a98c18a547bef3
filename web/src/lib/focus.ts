/** Where the keyboard focus is: on the content of a new page, and on the same control after a page renders again. */

let isArriving = false;
for (const touch of ["pointerdown", "keydown"])
  window.addEventListener(
    touch,
    () => {
      isArriving = false;
    },
    true,
  );

/** Begin another page: the keyboard and a screen reader start at its content, however late that arrives. */
export function arrive(): void {
  isArriving = true;
  (document.activeElement as HTMLElement | null)?.blur();
}

export function focusContent(): void {
  const main = document.querySelector<HTMLElement>("main");
  main?.setAttribute("tabindex", "-1");
  (main?.querySelector<HTMLElement>("[autofocus]") ?? main)?.focus({ preventScroll: true });
}

/** The controller of every element that moves the focus to the content of a page that has just been opened. */
export const focusOnArrival = {
  hostUpdated(): void {
    if (isArriving && document.activeElement === document.body) focusContent();
  },
};

/** The controller of a page where a control may go away with what it settled: the focus goes to what comes next. */
export class NextFocus {
  private focused: HTMLElement | null = null;

  constructor(
    private readonly page: HTMLElement,
    private readonly next: () => HTMLElement | null,
  ) {}

  hostConnected(): void {
    this.page.addEventListener("focusin", this.note);
    window.addEventListener("pointerdown", this.forget, true);
  }

  hostDisconnected(): void {
    window.removeEventListener("pointerdown", this.forget, true);
  }

  private note = ({ target }: FocusEvent): void => {
    this.focused = target as HTMLElement;
  };

  private forget = (): void => {
    this.focused = null;
  };

  hostUpdated(): void {
    const { focused } = this;
    if (!focused || document.activeElement !== document.body) return;
    if (focused.isConnected && !focused.matches(":disabled")) return;
    const next = this.next();
    if (next) next.tabIndex = -1;
    if (next) next.focus();
    else focusContent();
  }
}

/** Enter goes on to the next field of the same form or list; in the last one it does what it always does. */
export function enterToNext(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  const fields = [
    ...(event.currentTarget as HTMLElement).querySelectorAll<HTMLInputElement>("input:not([type=radio])"),
  ];
  const next = fields[fields.indexOf(event.target) + 1];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.select();
}

/** Attributes that name a control over its renderings. */
const CONTROLS = ["data-choice", "data-bet", "data-chip", "data-tool", "data-box", "data-decide", "data-undo"];

/** Keeps the focus of a page on the same control where that goes away or is disabled for a moment. */
export class FocusKeeper {
  private selector = "";

  constructor(private readonly page: HTMLElement) {}

  start(): void {
    window.addEventListener("pointerdown", this.forget, true);
  }

  stop(): void {
    window.removeEventListener("pointerdown", this.forget, true);
  }

  /** A tap outside every control leaves the control. */
  private forget = (): void => {
    this.selector = "";
  };

  /** Remember the control that has the focus, before the page renders. */
  remember(): void {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || focused === this.page || !this.page.contains(focused)) return;
    const name = CONTROLS.find((attribute) => focused.hasAttribute(attribute));
    const box = focused.closest<HTMLElement>("[data-mine]")?.dataset.mine;
    const due = focused.closest<HTMLElement>("[data-for]")?.dataset.for;
    const within = box ? `[data-mine="${box}"] ` : due ? `[data-for="${due}"] ` : "";
    // The focus goes beside the next decision and not onto one of its buttons: those are one Tab away.
    if (name === "data-choice") this.selector = `${within}.choices`;
    else if (name) this.selector = `${within}[${name}="${focused.getAttribute(name)!}"]`;
    else this.selector = focused.closest(".ask") ? ".ask" : "";
  }

  /** The control that had the focus has lost it. */
  get isLost(): boolean {
    return this.selector !== "" && document.activeElement === document.body;
  }

  /** Focus the same control after the page has rendered, or what has come in its place. */
  restore(): void {
    if (!this.selector || (document.activeElement !== document.body && document.activeElement !== null)) return;
    const same = this.page.querySelector<HTMLElement>(this.selector);
    if (same?.matches(":disabled")) return;
    const fallback = '.choices, [data-test="results"] h2, .next .due';
    const next = same?.matches("button, [tabindex]") ? same : this.page.querySelector<HTMLElement>(fallback);
    next?.focus({ preventScroll: true });
  }
}
