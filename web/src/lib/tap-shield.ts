/** A second tap of a finger that meant only one: it does nothing where another control has come under it meanwhile. */

/** Milliseconds within which a second tap belongs to the first one. */
const PAUSE = 400;
/** Pixels between two taps at the same place. */
const NEAR = 30;
/** Pixels that a control may move while it stays the same to a finger. */
const STILL = 4;

const CONTROLS = "button, a, input, label, select, summary, [role=button]";

interface Tap {
  at: number;
  x: number;
  y: number;
  control: Element | null;
  top: number;
  left: number;
}

/**
 * Hold off second taps within an element. A control that stays where it was takes as many taps as come, so that chips
 * are laid quickly; one with `data-once` takes the next after a pause. Keys are not held off.
 */
export function shieldTaps(host: HTMLElement): void {
  let last: Tap | null = null;
  let next: Tap | null = null;
  let isHeldOff = false;
  const press = (event: PointerEvent): void => {
    const control = (event.target as Element).closest(CONTROLS);
    const { top, left } = (control ?? host).getBoundingClientRect();
    next = { at: event.timeStamp, x: event.clientX, y: event.clientY, control, top, left };
    const isSecond = last !== null && next.at - last.at < PAUSE && Math.hypot(next.x - last.x, next.y - last.y) < NEAR;
    const isSame =
      control === last?.control && Math.abs(top - last!.top) < STILL && Math.abs(left - last!.left) < STILL;
    isHeldOff = isSecond && !(isSame && !control?.closest("[data-once]"));
    // A finger that goes on tapping is held off until it pauses.
    if (isHeldOff) last = { ...last!, at: next.at };
  };
  const click = (event: Event): void => {
    if (!next) return;
    if (isHeldOff) {
      isHeldOff = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    } else last = { ...next, at: event.timeStamp };
  };
  const key = (): void => {
    [last, next, isHeldOff] = [null, null, false];
  };
  host.addEventListener("pointerdown", press, true);
  host.addEventListener("click", click, true);
  host.addEventListener("keydown", key, true);
}
