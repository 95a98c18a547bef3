/** Who is logged in on this page, and what the server lets them do. */

import { Refused } from "../../api/http";
import type { Action, Me, Nobody } from "../../api/types";
import { cents } from "../money";
import { addressTo } from "../text/sentences";
import { changed } from "./changes";
import { RETRY, requests } from "./requests";

/** Milliseconds between two reports that a person uses the page, at most. */
const USE_INTERVAL = 30_000;

class Session {
  me: Me | null = null;
  /** Called with the name of a person who was not logged in on this page before. */
  onPerson: (name: string) => void = () => {};
  /** Called when the live connection has to begin again, as another person or after a lock. */
  onConnect: (how: "connect" | "reconnect") => void = () => {};
  /** Called when the person has logged out. */
  onLeave: () => void = () => {};

  private retryTimer = 0;
  private lastUse = 0;

  /** Whether the server lets this person do the action. */
  may(action: Action): boolean {
    return this.me?.may.includes(action) ?? false;
  }

  /** Whether the server lets this person open the page. */
  opens(page: string): boolean {
    return this.me?.pages.some((open) => open === page) ?? false;
  }

  /** Chips of a player, in cents; null for a person without an account. */
  get balance(): number | null {
    return this.me?.account ? cents(this.me.account.balance) : null;
  }

  /** What a player's own loss limit leaves to stake, in cents; null without one. */
  get limitLeft(): number | null {
    const limits = this.me?.account?.limits;
    // A session of play begins with the first bet.
    const left = limits?.session ? limits.session.left : limits?.loss.now;
    return left ? cents(left) : null;
  }

  /** What a player may stake, in cents: their chips, or less where their loss limit leaves less. */
  get purse(): number | null {
    return this.balance === null ? null : Math.min(this.balance, this.limitLeft ?? this.balance);
  }

  /** Read who is logged in; true where the server has answered. */
  async load(): Promise<boolean> {
    const me = await requests.refresh("/api/me", requests.get<Me | Nobody>("/api/me"));
    if (me) this.meet(me);
    return me !== undefined;
  }

  /** Read who is logged in, and try again until the server answers. */
  async refresh(): Promise<void> {
    const read = await this.load();
    window.clearTimeout(this.retryTimer);
    if (!read) this.retryTimer = window.setTimeout(() => void this.refresh(), RETRY);
  }

  private meet(me: Me | Nobody): void {
    if (me.name !== null && me.name !== this.me?.name) this.onPerson(me.name);
    this.setMe(me.name === null ? null : me);
  }

  private setMe(me: Me | null): void {
    this.me = me;
    requests.csrf = me?.csrf ?? "";
    addressTo(me?.name ?? "");
    changed();
  }

  /** Take the account as the live connection reports it. */
  receiveAccount(account: NonNullable<Me["account"]>): void {
    if (this.me?.account) this.me = { ...this.me, account };
  }

  async enter(path: "/api/login" | "/api/guest", body?: unknown): Promise<void> {
    await requests.send("POST", path, body);
    this.meet(await requests.get<Me | Nobody>("/api/me"));
    this.onConnect("reconnect");
  }

  async leave(): Promise<void> {
    await requests.send("POST", "/api/logout").catch((error: unknown) => {
      // A session that has ended needs no log-out.
      if (!(error instanceof Refused && error.status === 401)) throw error;
    });
    this.setMe(null);
    this.onLeave();
    this.onConnect("reconnect");
  }

  /** Unlock the session and go on with it. */
  async unlock(password: string): Promise<void> {
    await requests.send("POST", "/api/unlock", { password });
    await this.refresh();
    this.lastUse = 0;
    if (!this.me?.held) this.onConnect("connect");
  }

  /** Read the session again after its person may have done what held it back. */
  async release(): Promise<void> {
    const held = this.me?.held;
    await this.refresh();
    if (held && !this.me?.held) this.onConnect("reconnect");
  }

  /** Tell the server that a person uses the page, so that it does not lock the session. */
  reportUse(): void {
    const idle = this.me?.idle;
    if (!idle || this.me?.held || Date.now() - this.lastUse < Math.min(USE_INTERVAL, 250 * idle)) return;
    this.lastUse = Date.now();
    // Where that fails, the next touch reports it again.
    void requests.send("POST", "/api/sessions/use").catch(() => {
      this.lastUse = 0;
    });
  }
}

export const session = new Session();
requests.onHeld = () => {
  if (!session.me?.held) void session.refresh();
};
