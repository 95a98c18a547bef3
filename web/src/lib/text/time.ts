/** Dates and times as people read them, in the time zone of the device. */

const DATE_TIME = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** "15 Nov 2026, 21:04:30" */
export function dateTime(at: string): string {
  return DATE_TIME.format(new Date(at));
}

/** "15 Nov, 21:04" */
export function dayTime(at: string): string {
  const date = new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  return `${date}, ${hour(Date.parse(at))}`;
}

/** "21:04" */
export function hour(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** "3:07" for 187 seconds. */
export function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
