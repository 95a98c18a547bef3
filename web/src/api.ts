/** Requests to the server over HTTP. A page gets data or nothing: an answer that is not data is thrown. */

import type { Answer } from "./types";

/** The server refused a request, or its answer cannot be read. */
export class Refused extends Error {
  constructor(readonly status: number, readonly answer: Answer) {
    super(answer.message ?? `The server cannot answer at the moment (${status}).`);
  }

  /** Whether the same request may succeed in a moment. */
  get isTemporary(): boolean {
    return this.status < 400 || this.status === 429 || this.status >= 500;
  }
}

/** The sentence about a request that has failed. */
export function failure(wrong: unknown): string {
  return wrong instanceof Refused ? wrong.message : "The server does not answer.";
}

/** Whether a failed request is worth asking again. */
export function isTemporary(wrong: unknown): boolean {
  return !(wrong instanceof Refused) || wrong.isTemporary;
}

/** One object: a list has a request of its own, so that neither is taken for the other. */
export type One<T> = T extends readonly unknown[] ? never : T;

const isObject = (said: unknown): said is Record<string, unknown> => typeof said === "object" && said !== null && !Array.isArray(said);

/** What a refusal says, as far as it has the server's form; a proxy may answer anything. */
function refusal(said: unknown): Answer {
  const { code, message, rules } = isObject(said) ? said : {};
  return {
    accepted: false,
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof message === "string" && message ? { message } : {}),
    rules: Array.isArray(rules) ? rules.map(String) : [],
  };
}

function unreadable(status: number): Refused {
  return new Refused(status, { accepted: false, code: "unreadable", message: "The server's answer cannot be read." });
}

/** Send a request and read its answer; `csrf` is the secret of the session, which every change carries. */
async function ask(method: string, path: string, csrf = "", body?: unknown): Promise<{ status: number; said: unknown }> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (csrf && method !== "GET") headers["x-csrf"] = csrf;
  if (body !== undefined) headers["content-type"] = "application/json";
  const response = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  // A connection that breaks in the middle of an answer leaves half of its JSON.
  const said: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new Refused(response.status, refusal(said));
  return { status: response.status, said };
}

/** Read an object. */
export async function getOne<T extends object>(path: string): Promise<One<T>> {
  const { status, said } = await ask("GET", path);
  if (!isObject(said)) throw unreadable(status);
  if (said["accepted"] === false) throw new Refused(status, refusal(said));
  return said as One<T>;
}

/** Read a list. */
export async function getList<T>(path: string): Promise<T[]> {
  const { status, said } = await ask("GET", path);
  if (!Array.isArray(said)) throw unreadable(status);
  return said as T[];
}

/** Change something; the answer is an object. */
export async function send<T extends object>(method: "POST" | "DELETE", path: string, csrf: string, body?: unknown): Promise<One<T>> {
  const { status, said } = await ask(method, path, csrf, body);
  if (!isObject(said)) throw unreadable(status);
  return said as One<T>;
}
