/** Dates and times as people read them, in the language of the page and the time zone of the device. */

import { locale } from "./language";

/** "15 Nov 2026, 21:04:30" */
export function dateTime(at: string): string {
  return new Date(at).toLocaleString(locale(), {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
}

/** "15 Nov, 21:04" */
export function dayTime(at: string): string {
  const date = new Date(at).toLocaleDateString(locale(), { day: "numeric", month: "short" });
  return `${date}, ${hour(Date.parse(at))}`;
}

/** "21:04" */
export function hour(at: number | string): string {
  return new Date(at).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** "3:07" for 187 seconds. */
export function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Whole seconds since a moment. */
export function secondsSince(at: string): number {
  return Math.max(Math.floor((Date.now() - Date.parse(at)) / 1000), 0);
}
