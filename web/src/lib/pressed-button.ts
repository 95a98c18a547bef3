/** The button that a person has pressed: it is disarmed from its first press until what the press sent is answered. */

/** Whose press the page is handling at this moment. */
let pressed: HTMLElement | null = null;
/** Buttons whose press has sent something, with the number of answers that each still waits for. */
const waiting = new Map<HTMLElement, number>();
/** The presses that follow each other quickly at one place have sent something. */
let hasSent = false;

/** Handle the press of a button, with everything that follows from it before the browser does anything else. */
function handle(button: HTMLElement | null): void {
  pressed = button;
  window.setTimeout(() => {
    if (pressed === button) pressed = null;
  });
}

function wait(button: HTMLElement, more: number): void {
  const left = (waiting.get(button) ?? 0) + more;
  if (left) waiting.set(button, left);
  else waiting.delete(button);
  button.toggleAttribute("data-waits", left > 0);
}

/**
 * Keep every button from a second press while its first one waits for an answer, and from the second half of a double
 * click, which may meet another button where the first half has sent something. `data-repeat` marks the buttons that
 * are pressed quickly on purpose.
 */
export function disarmPressed(): void {
  const press = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null;
    const button = target?.closest<HTMLElement>(".button") ?? null;
    if (event.detail < 2) hasSent = false;
    const isDouble = event.detail > 1 && (hasSent || button?.closest("dialog"));
    if (button && (waiting.has(button) || (isDouble && !button.matches("[data-repeat]")))) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else handle(button);
  };
  window.addEventListener("click", press, true);
}

/** Send something, and disarm the button whose press sends it until the answer has come. */
export async function disarmed<T>(send: () => Promise<T>): Promise<T> {
  const button = pressed;
  if (!button) return send();
  hasSent = true;
  wait(button, 1);
  try {
    return await send();
  } finally {
    // What the answer leads to at once belongs to the same press.
    handle(button);
    window.setTimeout(() => wait(button, -1));
  }
}
