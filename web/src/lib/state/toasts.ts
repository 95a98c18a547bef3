/** Short messages that appear over the page and go away by themselves. */

import { Refused } from "../../api/http";
import { failure } from "../text/sentences";
import { changed } from "./changes";

export interface Toast {
  text: string;
  /** `back` where the connection is back: what happened meanwhile takes its place. */
  kind: "refusal" | "notice" | "back";
  /** The paragraphs that forbid what was asked, and the edition that has them. */
  edition: string;
  rules: readonly string[];
}

/** Milliseconds for which a toast stays; at a table it ends with the phase, but not before it can be read. */
const SHOWN = 7000;
const READ = 2500;

/** The toasts on the page, at most three, the newest last. */
export let toasts: Toast[] = [];

let usedBelow = false;
window.addEventListener(
  "click",
  ({ target }) => {
    const { top, bottom } = (target as Element).getBoundingClientRect();
    usedBelow = top + bottom > window.innerHeight;
  },
  true,
);

/** Whether the control that was used last lies in the lower half of the window. */
export const isUsedBelow = (): boolean => usedBelow;

/** The toasts whose reasons a person is reading: they stay until they are closed. */
const kept = new Set<Toast>();

export function toast(text: string, kind: Toast["kind"] = "notice"): void {
  add({ text, kind, edition: "", rules: [] });
}

/** Show why a request has failed; the paragraphs of a table's `edition` stay folded until a person asks why. */
export function refuse(error: unknown, edition = ""): void {
  const rules = edition && error instanceof Refused ? (error.answer.rules ?? []) : [];
  add({ text: failure(error), kind: "refusal", edition, rules });
}

/** Keep a toast while its reasons are open. */
export function keep(held: Toast, isOpen: boolean): void {
  if (isOpen) kept.add(held);
  else if (kept.delete(held)) expire(held);
}

/** Close the toasts whose reasons were open: Escape, or a tap anywhere else, says that they are read. */
export function closeKept(event: Event): void {
  const isKey = event instanceof KeyboardEvent;
  if (!kept.size || (event.target as Element).closest(isKey ? "dialog" : ".toasts, dialog")) return;
  if (isKey && event.key !== "Escape") return;
  toasts = toasts.filter((shown) => !kept.delete(shown));
  changed();
}

function add(added: Toast): void {
  // What is said now replaces an earlier refusal, unless a person reads its reasons.
  const stays = (other: Toast): boolean => other.text !== added.text && (other.kind !== "refusal" || kept.has(other));
  toasts = [...toasts.filter(stays).slice(-2), added];
  changed();
  expire(added);
}

/** End every toast with its page. */
export function endToasts(): void {
  toasts = [];
  changed();
}

/** End the toasts of a phase that is over. */
export function endPhaseToasts(): void {
  for (const shown of toasts) expire(shown, READ);
}

function expire(added: Toast, after = SHOWN): void {
  window.setTimeout(() => {
    if (kept.has(added)) return;
    toasts = toasts.filter((other) => other !== added);
    changed();
  }, after);
}
