/** HTTP requests in the session of this page, and which of them fail at the moment. */

import { getList, getOne, type One, Refused, send } from "../../api/http";
import { disarmed } from "../pressed-button";
import { failure } from "../text/sentences";
import { changed } from "./changes";

/** Milliseconds until a failed request is sent again. */
export const RETRY = 2000;

/** Codes of the refusals of a session that is held back until its person has done something first. */
const HELD = ["session_locked", "change_password_first", "second_factor_first"];

class Requests {
  /** The secret of the session, which every change carries. */
  csrf = "";
  /** Called when the server refuses a request because it holds the session back. */
  onHeld: () => void = () => {};

  /** Sentences about requests that failed when they were last sent, by path. */
  private failing = new Map<string, string>();

  get<T extends One>(path: string): Promise<T> {
    return this.reportHeld(getOne<T>(path));
  }

  list<T>(path: string): Promise<T[]> {
    return this.reportHeld(getList<T>(path));
  }

  send<T extends One>(method: "POST" | "DELETE", path: string, body?: unknown): Promise<T> {
    return disarmed(() => this.reportHeld(send<T>(method, path, this.csrf, body)));
  }

  private async reportHeld<T>(request: Promise<T>): Promise<T> {
    try {
      return await request;
    } catch (error) {
      if (error instanceof Refused && HELD.includes(error.answer.code ?? "")) this.onHeld();
      throw error;
    }
  }

  /**
   * Refresh a part of the page. Where the request fails, the page keeps what it has, and its head says why until the
   * same request succeeds or the person opens another page.
   */
  async refresh<T>(path: string, request: Promise<T>): Promise<T | undefined> {
    const failing = this.failing;
    const before = failing.get(path);
    let result: T | undefined;
    try {
      result = await request;
      failing.delete(path);
    } catch (error) {
      failing.set(path, failure(error));
    }
    if (failing.get(path) !== before) changed();
    return result;
  }

  /** Forget what failed on the previous page. */
  forgetFailures(): void {
    this.failing = new Map();
  }

  /** Why a part of the page may be out of date, in one sentence; empty where every request succeeded. */
  get trouble(): string {
    return [...this.failing.values()][0] ?? "";
  }
}

export const requests = new Requests();
