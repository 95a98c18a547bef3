/** Requests to the server over HTTP. An answer that is not data is thrown, so a page never takes it for data. */

import type { Answer } from "./types";

/** The server refused a request, or its answer cannot be read. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly answer: Answer,
  ) {
    super(answer.message ?? `The server cannot answer at the moment (${status}).`);
  }

  /** Whether the same request may succeed in a moment. */
  get isTemporary(): boolean {
    return this.status < 400 || this.status === 429 || this.status >= 500;
  }
}

/** Whether a failed request may succeed when it is sent again. */
export function isTemporary(error: unknown): boolean {
  return !(error instanceof Refused) || error.isTemporary;
}

/** One object: a list has a request of its own, so that neither is taken for the other. */
export type One = object & { length?: never };

const isObject = (data: unknown): data is Record<string, unknown> =>
  typeof data === "object" && data !== null && !Array.isArray(data);

/** Read a refusal, as far as it has the server's form; a proxy may answer anything. */
function refusal(data: unknown): Answer {
  const { code, message, rules } = isObject(data) ? data : {};
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
async function request(
  method: string,
  path: string,
  csrf = "",
  body?: unknown,
): Promise<{ status: number; data: unknown }> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (csrf && method !== "GET") headers["x-csrf"] = csrf;
  if (body !== undefined) headers["content-type"] = "application/json";
  const response = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  // A connection that breaks in the middle of an answer leaves JSON that does not parse.
  const data: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new Refused(response.status, refusal(data));
  return { status: response.status, data };
}

/** Read an object. */
export async function getOne<T extends One>(path: string): Promise<T> {
  const { status, data } = await request("GET", path);
  if (!isObject(data)) throw unreadable(status);
  if (data.accepted === false) throw new Refused(status, refusal(data));
  return data as T;
}

/** Read a list. */
export async function getList<T>(path: string): Promise<T[]> {
  const { status, data } = await request("GET", path);
  if (!Array.isArray(data)) throw unreadable(status);
  return data as T[];
}

/** Change something; the answer is an object. */
export async function send<T extends One>(
  method: "POST" | "DELETE",
  path: string,
  csrf: string,
  body?: unknown,
): Promise<T> {
  const { status, data } = await request(method, path, csrf, body);
  if (!isObject(data)) throw unreadable(status);
  return data as T;
}
