/** Sentences of the server, which come in English: the catalogue knows the common ones, with their figures. */

import { Refused } from "../../api/http";
import { show } from "../money";
import { either, language, phrases, t } from "./language";
import { payText } from "./odds";

/** A sentence of the catalogue as a pattern, the names of its figures, and what it says in the page's language. */
interface Pattern {
  form: RegExp;
  names: string[];
  says: string;
}

let compiled: { of: Record<string, string>; patterns: Pattern[] } = { of: {}, patterns: [] };
/** Sentences that the catalogue did not know, so that the page marks them as English. */
const unknown = new Set<string>();
const KEPT = 300;

function patterns(): Pattern[] {
  const known = phrases();
  if (compiled.of !== known) compiled = { of: known, patterns: Object.entries(known).map(compile) };
  return compiled.patterns;
}

function compile([english, says]: [string, string]): Pattern {
  const parts = english.split(/\{(\w+)\}/);
  const form = parts.map((part, i) => (i % 2 ? "(.+?)" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))).join("");
  return { form: new RegExp(`^${form}$`), names: parts.filter((_, i) => i % 2), says };
}

/** One sentence or one name; undefined where the catalogue does not know it. */
function known(text: string): string | undefined {
  const whole = phrases()[text];
  if (whole) return whole;
  for (const { form, names, says } of patterns()) {
    const found = names.length ? form.exec(text) : null;
    if (!found) continue;
    const values = Object.fromEntries(names.map((name, i) => [name, found[i + 1] ?? ""]));
    return says.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? "";
      if (name === "pays") return payText(value);
      if (value.includes(" or ")) return either(value.split(" or "));
      // A player may be called King.
      return (name === "player" ? undefined : known(value)) ?? value;
    });
  }
  return undefined;
}

/** The amounts of a text as people read them. */
const grouped = (text: string): string => text.replace(/\b\d{4,}\.\d\d\b/g, (amount) => show(amount));

/** The person who reads this page: a sentence about what they hold or do says "you". */
let reader = "";

export const addressTo = (name: string): void => {
  reader = name;
};

const TO_READER: Record<string, string> = { has: "have", plays: "play", holds: "hold", may: "may" };

/** A sentence about the reader as one to them. A verb must follow the name: a player may be called King. */
function toReader(text: string): string {
  if (!reader || !text.includes(reader)) return text;
  const name = reader.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const told = text
    .replace(new RegExp(`(?<![\\w-])${name} (has|plays|holds|may)\\b`), (_, verb: string) => `you ${TO_READER[verb]}`)
    .replace(/^(you play .*) is restricted/, "$1 are restricted");
  return told.charAt(0).toUpperCase() + told.slice(1);
}

/** What the server said, in the language of the page; in English where one of its sentences is not in the catalogue. */
export function sentence(of: string): string {
  const text = toReader(of);
  if (language() === "en" || !text) return grouped(text);
  const parts = text.split(/(?<=[.?!”]) (?=[\p{Lu}“])/u).map(known);
  if (parts.every((part) => part !== undefined)) return grouped(parts.join(language() === "zh" ? "" : " "));
  const english = grouped(text);
  if (unknown.size >= KEPT) unknown.clear();
  unknown.add(english);
  return english;
}

/** Whether this text is a sentence of the server that stayed in English. */
export const isEnglish = (text: string): boolean => language() !== "en" && unknown.has(text);

/** The sentence that tells a person why a request has failed. */
export function failure(error: unknown): string {
  if (!(error instanceof Refused)) return t("The server does not answer.");
  const { message, code } = error.answer;
  if (code === "unreadable") return t("The server's answer cannot be read.");
  if (message) return sentence(message);
  if (error.status < 400) return t("Refused.");
  return t("The server cannot answer at the moment ({status}).", { status: error.status });
}
