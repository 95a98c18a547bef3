/** The live connection: one WebSocket for watched tables and links, and for commands. It reconnects by itself. */

import { commandId } from "./command-id";
import type { Answer, ServerMessage } from "./types";

/** What the owner of the connection decides, and what it learns. */
export interface LiveOwner {
  /** Whether the session may connect: a session that is held back may not. */
  mayConnect(): boolean;
  /** The message that watches a topic again after a reconnection. */
  resume(topic: string, message: string): string;
  opened(again: boolean): void;
  /** The open connection is about to count as lost. */
  lost(): void;
  /** The server closed the connection because it holds the session back; false where that is not so any more. */
  heldBack(): Promise<boolean>;
  received(message: ServerMessage): void;
  /** An answer has come; `expected` where a command of this page waited for it. */
  answered(answer: Answer, expected: boolean): void;
  /** The state of the connection has changed. */
  changed(): void;
}

/** What is watched: the message that asks for it, and the parts of the page that want it. */
interface Topic {
  message: string;
  by: Set<string>;
}

interface Pending {
  message: string;
  done: (answer: Answer) => void;
}

/** The close code of a connection whose session is held back. */
const HELD_BACK = 4002;
/** Milliseconds of silence after which the connection counts as lost. */
const SILENCE_LIMIT = 12_000;
/** Milliseconds between two pings. */
const PING_INTERVAL = 4000;
/** Milliseconds after which a connection that is not open yet counts as slow. */
const SLOW = 2000;
/** Milliseconds until a command is sent again to a server that waits for its database. */
const AWAY_RETRY = 1000;

export class LiveConnection {
  online = false;
  everOnline = false;
  /** The connection takes so long to open that the page should say so. */
  slow = false;

  private socket: WebSocket | null = null;
  private topics = new Map<string, Topic>();
  private pending = new Map<string, Pending>();
  private attempts = 0;
  private lastHeard = 0;
  private lastPing = 0;
  private retryTimer = 0;

  constructor(private readonly owner: LiveOwner) {}

  /** Connect, and keep the connection alive from now on. */
  start(): void {
    this.connect();
    window.addEventListener("online", () => this.hurry());
    // Where the device itself reports the loss, the page does not wait for the silence limit.
    window.addEventListener("offline", () => this.online && this.cut());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "visible") return;
      this.ping();
      this.hurry();
    });
    window.setInterval(() => this.ping(), PING_INTERVAL);
  }

  /** Watch a table or a link, until every part of the page that wants it has said that it does not any more. */
  watch(kind: "table" | "link", name: string, by = "page"): void {
    const topic = `${kind}/${name}`;
    if (this.topics.get(topic)?.by.add(by)) return;
    const message = JSON.stringify({ type: `watch_${kind}`, [kind]: name });
    this.topics.set(topic, { message, by: new Set([by]) });
    if (this.online) this.socket?.send(message);
  }

  unwatch(kind: "table" | "link", name: string, by = "page"): void {
    const topic = `${kind}/${name}`;
    const watched = this.topics.get(topic);
    if (!watched?.by.delete(by) || watched.by.size) return;
    this.topics.delete(topic);
    if (this.online) this.socket?.send(JSON.stringify({ type: `unwatch_${kind}`, [kind]: name }));
  }

  /** Ask for the state of a watched topic again, where something of it was missed. */
  watchAgain(topic: string): void {
    const message = this.topics.get(topic)?.message;
    if (message !== undefined && this.online) this.socket?.send(this.owner.resume(topic, message));
  }

  /** Send a command. Its id stays the same over a reconnection, so it acts once. */
  command(table: string, command: Record<string, unknown>): Promise<Answer> {
    const id = commandId();
    const message = JSON.stringify({ type: "command", id, table, command });
    return new Promise((done) => {
      this.pending.set(id, { message, done });
      if (this.online) this.socket?.send(message);
    });
  }

  connect(): void {
    if (!this.owner.mayConnect()) return;
    window.setTimeout(() => {
      this.slow = !this.online;
      if (this.slow) this.owner.changed();
    }, SLOW);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/live`);
    this.socket = socket;
    this.lastHeard = Date.now();
    socket.onopen = () => this.opened(socket);
    socket.onmessage = (event) => {
      this.lastHeard = Date.now();
      this.receive(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = (event) => {
      if (socket !== this.socket) return;
      if (event.code === HELD_BACK) void this.holdBack();
      else this.lost();
    };
  }

  /** Connect again as another person. */
  reconnect(): void {
    const socket = this.socket;
    this.socket = null;
    this.online = false;
    window.clearTimeout(this.retryTimer);
    socket?.close();
    this.everOnline = false;
    this.connect();
    this.owner.changed();
  }

  private opened(socket: WebSocket): void {
    const again = this.everOnline;
    this.online = true;
    this.everOnline = true;
    this.attempts = 0;
    for (const [topic, { message }] of this.topics) socket.send(again ? this.owner.resume(topic, message) : message);
    for (const { message } of this.pending.values()) socket.send(message);
    this.owner.opened(again);
    this.owner.changed();
  }

  private async holdBack(): Promise<void> {
    this.online = false;
    this.socket = null;
    if (!(await this.owner.heldBack())) this.lost();
  }

  private lost(): void {
    if (this.online) this.owner.lost();
    this.online = false;
    this.socket = null;
    const wait = Math.min(500 * 1.6 ** this.attempts++, 5000) * (0.8 + 0.4 * Math.random());
    window.clearTimeout(this.retryTimer);
    this.retryTimer = window.setTimeout(() => this.connect(), wait);
    this.owner.changed();
  }

  /** Reconnect now instead of at the next attempt. */
  private hurry(): void {
    if (this.online || this.socket || !this.owner.mayConnect()) return;
    window.clearTimeout(this.retryTimer);
    this.connect();
  }

  private ping(): void {
    const [now, before] = [Date.now(), this.lastPing];
    this.lastPing = now;
    // A page that the browser had suspended heard nothing because it did not run: it pings first, and waits for a beat.
    if (now - before > 2 * PING_INTERVAL)
      this.lastHeard = Math.max(this.lastHeard, now - SILENCE_LIMIT + PING_INTERVAL - 1000);
    if (!this.online) return;
    if (now - this.lastHeard > SILENCE_LIMIT) this.cut();
    else this.socket?.send(JSON.stringify({ type: "ping" }));
  }

  private cut(): void {
    const socket = this.socket;
    this.lost();
    socket?.close();
  }

  private receive(message: ServerMessage): void {
    if (message.type === "answer") this.answer(message.id ?? "", message);
    else this.owner.received(message);
  }

  private answer(id: string, answer: Answer): void {
    const pending = this.pending.get(id);
    if (answer.code === "away" && pending) {
      // The server waits for its database: send the same command, under the same id, in a moment.
      const again = (): void => {
        if (this.pending.has(id) && this.online) this.socket?.send(pending.message);
      };
      window.setTimeout(again, AWAY_RETRY);
      return;
    }
    this.pending.delete(id);
    pending?.done(answer);
    this.owner.answered(answer, pending !== undefined);
  }
}
