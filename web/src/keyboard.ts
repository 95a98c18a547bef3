/** Where the keyboard is: a control that goes away or rests for a moment does not send its user back to the top. */

const OWN = ["data-choice", "data-bet", "data-chip", "data-tool", "data-box"];

export class Keyboard {
  private held = "";

  constructor(private readonly page: HTMLElement) {}

  begin(): void {
    window.addEventListener("pointerdown", this.forget, true);
  }

  end(): void {
    window.removeEventListener("pointerdown", this.forget, true);
  }

  /** Whoever taps beside everything has left the control. */
  private forget = (): void => {
    this.held = "";
  };

  /** Before the page is drawn again. */
  note(): void {
    const at = document.activeElement;
    if (!(at instanceof HTMLElement) || at === this.page || !this.page.contains(at)) return;
    const name = OWN.find((attribute) => at.hasAttribute(attribute));
    const box = at.closest<HTMLElement>("[data-mine]")?.dataset["mine"];
    const within = box ? `[data-mine="${box}"] ` : "";
    // The next decision is offered, not taken: its buttons are one Tab away.
    if (name) this.held = name === "data-choice" ? `${within}.choices` : `${within}[${name}="${at.getAttribute(name)!}"]`;
    else this.held = at.closest(".ask") ? ".ask" : "";
  }

  /** After it: to the same control, or to what has come in its place. */
  keep(): void {
    if (!this.held || (document.activeElement !== document.body && document.activeElement !== null)) return;
    const same = this.page.querySelector<HTMLElement>(this.held);
    if (same?.matches(":disabled")) return;
    const next = same?.matches("button, [tabindex]") ? same : this.page.querySelector<HTMLElement>('.choices, [data-test="results"] h2');
    next?.focus({ preventScroll: true });
  }
}
