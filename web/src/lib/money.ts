/** Money in whole cents, and as people read it. */

import { locale } from "./text/language";

/** The whole cents of "1234.50". */
export function cents(text: string): number {
  const minus = text.startsWith("-");
  const [whole = "0", part = "0"] = text.replace("-", "").replaceAll(",", "").split(".");
  const value = Number(whole) * 100 + Number(part.padEnd(2, "0").slice(0, 2));
  return minus ? -value : value;
}

/** The sum of what lies in these stakes, in cents. */
export function totalOf(stakes: readonly { amount: string }[]): number {
  return stakes.reduce((sum, { amount }) => sum + cents(amount), 0);
}

/** "1234.50", as the server reads an amount. */
export function plain(value: number): string {
  const size = Math.abs(value);
  return `${value < 0 ? "-" : ""}${Math.floor(size / 100)}.${String(size % 100).padStart(2, "0")}`;
}

/** The signs between thousands and before cents, by the locale that they were read for. */
let signs = { of: "", group: ",", point: "." };

function signsOf(asked: string): typeof signs {
  if (signs.of !== asked) {
    const parts = new Intl.NumberFormat(asked, { useGrouping: true }).formatToParts(12345.6);
    const sign = (type: string): string => parts.find((part) => part.type === type)?.value ?? "";
    signs = { of: asked, group: sign("group"), point: sign("decimal") };
  }
  return signs;
}

/** "1,234.50", as people read it in the language of the page. */
export function show(value: number | string): string {
  const size = typeof value === "string" ? cents(value) : value;
  const [whole = "0", part = "00"] = plain(Math.abs(size)).split(".");
  const { group, point } = signsOf(locale());
  return `${size < 0 ? "−" : ""}${whole.replace(/\B(?=(\d{3})+$)/g, group)}${point}${part}`;
}

/** "+50.00", "−25.00", "0.00". */
export function signed(value: number): string {
  return value > 0 ? `+${show(value)}` : show(value);
}

/** "25" where the amount has no cents, for a chip. */
export function short(value: number): string {
  return value % 100 ? show(value) : show(value).slice(0, -3);
}

/** The values of chips, in cents. */
export const CHIPS = [100, 500, 1000, 2500, 10000, 50000, 100000];

/** "1 × 100 + 2 × 25": the chips that make the amount. */
export function chipCount(value: number): string {
  return breakdown(value)
    .map(([size, count]) => `${count} × ${short(size)}`)
    .join(" + ");
}

/** The fewest chips that make the amount, the greatest first. */
export function breakdown(value: number): [chip: number, count: number][] {
  const found: [number, number][] = [];
  let left = value;
  for (const chip of [...CHIPS].reverse()) {
    const count = Math.floor(left / chip);
    if (count) found.push([chip, count]);
    left -= count * chip;
  }
  if (left) found.push([left, 1]);
  return found;
}
