/** The language of the interface: its messages, and the locale of its numbers, lists and dates. */

import { type Catalogue, loadMessages } from "../../api/messages";
import type { Message } from "../../messages/catalogue";
import { changed } from "../state/changes";

/** The languages by the names that their readers know. */
export const LANGUAGES = { en: "English", zh: "中文", ms: "Bahasa Melayu", af: "Afrikaans" } as const;
export type Language = keyof typeof LANGUAGES;

/** The locale of numbers and dates, and what the page declares as its language. */
const LOCALES: Record<Language, [locale: string, tag: string]> = {
  en: ["en-GB", "en"],
  zh: ["zh-CN", "zh-Hans"],
  ms: ["ms-MY", "ms"],
  af: ["af-ZA", "af"],
};
const KEY = "croupier.language";

/** The names between braces in a message: "Box {box}" has "box". */
type Names<M extends string> = M extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<M extends string, V> = [Names<M>] extends [never] ? [] : [values: Record<Names<M>, V>];
/** A message without names between braces. */
export type Plain = { [M in Message]: [Names<M>] extends [never] ? M : never }[Message];

const NONE: Catalogue = { messages: {}, sentences: {} };

let current: Language = "en";
let messages: Record<string, string> = {};
let sentences: Record<string, string> = {};
/** Whether the page knows its language and has its messages. */
export let hasLanguage = false;

export const language = (): Language => current;
export const locale = (): string => LOCALES[current][0];

const isLanguage = (name: string | null): name is Language => name !== null && name in LANGUAGES;

/** The language that this device was set to, else the first of the browser's that the house speaks. */
function preferred(): Language {
  const kept = localStorage.getItem(KEY);
  if (isLanguage(kept)) return kept;
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

/** Load the messages of the preferred language; where that fails, the page is in English. */
export async function startLanguage(): Promise<void> {
  await use(preferred()).catch(() => use("en"));
}

/** Change the language of the whole page and remember it on this device. */
export async function setLanguage(chosen: Language): Promise<void> {
  await use(chosen);
  localStorage.setItem(KEY, chosen);
}

async function use(chosen: Language): Promise<void> {
  ({ messages, sentences } = chosen === "en" ? NONE : await loadMessages(chosen));
  [current, hasLanguage] = [chosen, true];
  document.documentElement.lang = LOCALES[chosen][1];
  changed();
}

/** What a message says in the language of the page. What stands after a bar tells two meanings of one word apart. */
function say(message: string): string {
  return messages[message] ?? message.split("|")[0]!;
}

/** A message in the language of the page, with its values. */
export function t<M extends Message>(message: M, ...[values]: Values<M, string | number>): string {
  return fill(say(message), values);
}

function fill(text: string, values: Record<string, string | number> = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A message whose values are parts of a template: links, figures in bold. */
export function rich<M extends Message>(message: M, values: Record<Names<M>, unknown>): unknown[] {
  return say(message)
    .split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 ? values[part as Names<M>] : part));
}

/** The message for this count, by the plural rules of the language; both may name {count}. */
export function plural<One extends Message, Other extends Message>(
  count: number,
  one: One,
  other: Other,
  values: Partial<Record<Names<One> | Names<Other>, string | number>> = {},
): string {
  const isOne = new Intl.PluralRules(locale()).select(count) === "one";
  return fill(say(isOne ? one : other), { count: number(count), ...values });
}

/** What the catalogue says for words that the server has named; undefined where it does not know them. */
export function translated(words: string): string | undefined {
  return messages[words];
}

/** The sentences of the server that the catalogue knows, by their English. */
export const phrases = (): Record<string, string> => sentences;

/** Words as a list: "Ante, Bonus and Jackpot". */
export const list = (parts: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: "conjunction" }).format(parts);

/** Words of which one is meant: "check or fold". */
export const either = (parts: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: "disjunction" }).format(parts);

/** A number with as many decimals as asked for. */
export const number = (value: number, decimals = 0): string =>
  value
    .toLocaleString(locale(), { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
    .replace("-", "−");

export const percent = (part: number, decimals = 2): string => `${number(100 * part, decimals)}%`;
