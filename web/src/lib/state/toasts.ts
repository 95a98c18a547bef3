/** Short messages that appear over the page and go away by themselves. */

import { changed } from "./changes";

interface Toast {
  text: string;
  kind: "refusal" | "notice";
}

/** Milliseconds for which a toast stays. */
const SHOWN = 7000;

/** The toasts on the page, at most three, the newest last. */
export let toasts: Toast[] = [];

export function toast(text: string, kind: Toast["kind"] = "notice"): void {
  const added = { text, kind };
  toasts = [...toasts.filter((other) => other.text !== text).slice(-2), added];
  changed();
  window.setTimeout(() => {
    toasts = toasts.filter((other) => other !== added);
    changed();
  }, SHOWN);
}
