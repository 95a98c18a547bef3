/** All that the page knows, and its one live connection to the server. */

import { cents, plain } from "./money";
import { concerns, type Told } from "./telling";
import type { Answer, Game, Line, LinkView, Lobby, Me, Nobody, Seen, TableView, Terms } from "./types";

export interface Settings {
  fourColour: boolean;
  motion: boolean;
  keys: boolean;
  practice: boolean;
  sound: boolean;
}

export interface Toast {
  id: number;
  text: string;
  kind: "refusal" | "notice";
}

/** A round of this player's session, as it was settled. */
export interface Played {
  table: string;
  game: string;
  currency: string;
  round: number;
  stage: string;
  dealer: TableView["dealer"];
  community: string[];
  hands: { box: number; cards: string[]; hand: string }[];
  lines: Line[];
  net: number;
  at: number;
}

interface Listener {
  requestUpdate(): void;
}

interface Waiting {
  message: string;
  done: (answer: Answer) => void;
}

const SETTINGS = "croupier.settings";
const QUIET_LIMIT = 12_000;
const BEAT = 4000;

export class Refused extends Error {
  constructor(readonly status: number, readonly answer: Answer) {
    super(answer.message ?? "The server did not answer.");
  }
}

/** Seconds for which a phase has been running already: a page may come to a table in the middle of it. */
const passed = (clock: TableView["clock"]): number => (clock ? Math.max(clock.of - clock.left, 0) : 0);

class Store {
  me: Me | null = null;
  ready = false;
  demo = false;
  online = false;
  everOnline = false;
  /** The first connection takes so long that it is worth a word. */
  slow = false;
  /** What happened at a table while the connection was down, once it is back. */
  missed = new Map<string, { events: Told[]; all: boolean }>();
  lobby: Lobby["tables"] = [];
  terms = new Map<string, Terms>();
  tables = new Map<string, Seen>();
  links = new Map<string, LinkView>();
  games = new Map<string, Game>();
  /** The seals of decks as this page saw them while bets were open, by table and round. */
  seals = new Map<string, string>();
  toasts: Toast[] = [];
  history: Played[] = [];
  since = Date.now();
  settings: Settings = { fourColour: false, motion: true, keys: true, practice: false, sound: true };

  private listeners = new Set<Listener>();
  private socket: WebSocket | null = null;
  private topics = new Map<string, string>();
  private waiting = new Map<string, Waiting>();
  private tries = 0;
  private heard = 0;
  private beaten = 0;
  private retry = 0;
  private balanceBefore: number | null = null;
  private asked = 0;

  // ------------------------------------------------------------ telling the page

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.listeners) listener.requestUpdate();
  }

  toast(text: string, kind: Toast["kind"] = "notice"): void {
    const toast = { id: ++this.asked, text, kind };
    this.toasts = [...this.toasts.filter((other) => other.text !== text).slice(-2), toast];
    this.changed();
    window.setTimeout(() => {
      this.toasts = this.toasts.filter((other) => other !== toast);
      this.changed();
    }, 7000);
  }

  set(settings: Partial<Settings>): void {
    this.settings = { ...this.settings, ...settings };
    localStorage.setItem(SETTINGS, JSON.stringify(this.settings));
    this.applySettings();
    this.changed();
  }

  private applySettings(): void {
    document.documentElement.classList.toggle("four-colour", this.settings.fourColour);
    document.documentElement.classList.toggle("still", !this.settings.motion);
  }

  // ------------------------------------------------------------ HTTP

  async get<T>(path: string): Promise<T> {
    return this.http<T>("GET", path);
  }

  async http<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers: Record<string, string> = { accept: "application/json" };
    if (this.me && method !== "GET") headers["x-csrf"] = this.me.csrf;
    if (body !== undefined) headers["content-type"] = "application/json";
    const response = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    const said: unknown = await response.json().catch(() => ({}));
    if (!response.ok) throw new Refused(response.status, said as Answer);
    return said as T;
  }

  async start(): Promise<void> {
    try {
      Object.assign(this.settings, JSON.parse(localStorage.getItem(SETTINGS) ?? "{}"));
    } catch {
      localStorage.removeItem(SETTINGS);
    }
    this.applySettings();
    await this.refreshLobby();
    await this.refreshMe();
    this.ready = true;
    this.connect();
    this.changed();
    window.addEventListener("online", () => this.hurry());
    // Where the device itself knows, nobody has to wait for silence; a server on the same machine is back at once.
    window.addEventListener("offline", () => this.online && this.cut());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "visible") return;
      this.beat();
      this.hurry();
    });
    window.setInterval(() => this.beat(), BEAT);
  }

  async refreshLobby(): Promise<void> {
    try {
      const lobby = await this.get<Lobby>("/api/lobby");
      this.demo = lobby.demo;
      this.lobby = lobby.tables;
      for (const terms of lobby.tables) this.terms.set(terms.table, terms);
      this.changed();
    } catch {
      // The connection's own message says that the server is away.
    }
  }

  async refreshMe(): Promise<void> {
    try {
      const me = await this.get<Me | Nobody>("/api/me");
      if (me.name !== null && me.name !== this.me?.name) this.recall(me.name);
      this.me = me.name === null ? null : me;
    } catch {
      // The connection's own message says that the server is away.
    }
    this.changed();
  }

  get balance(): number | null {
    return this.me?.account ? cents(this.me.account.balance) : null;
  }

  /** Of the house, where all its tables play in one. */
  get currency(): string {
    const all = new Set(this.lobby.map((table) => table.currency));
    return all.size === 1 ? [...all][0]! : "";
  }

  async enter(path: "/api/login" | "/api/guest", body?: unknown): Promise<void> {
    await this.http("POST", path, body);
    await this.refreshMe();
    this.reconnect();
  }

  async leave(): Promise<void> {
    await this.http("POST", "/api/logout").catch(() => undefined);
    this.me = null;
    this.tables.clear();
    this.reconnect();
  }

  async game(name: string): Promise<Game> {
    let found = this.games.get(name);
    if (!found) {
      const address = `/api/games/${encodeURIComponent(name)}`;
      const [book, readings] = await Promise.all([
        this.get<Omit<Game, "readings">>(address),
        this.get<Game["readings"]>(`${address}/readings`),
      ]);
      found = { ...book, readings };
      this.games.set(name, found);
      this.changed();
    }
    return found;
  }

  // ------------------------------------------------------------ the live connection

  watch(kind: "table" | "link", name: string): void {
    const key = `${kind}/${name}`;
    if (this.topics.has(key)) return;
    const message = JSON.stringify({ type: "watch", [kind]: name });
    this.topics.set(key, message);
    if (this.online) this.socket?.send(message);
  }

  unwatch(kind: "table" | "link", name: string): void {
    if (!this.topics.delete(`${kind}/${name}`)) return;
    if (this.online) this.socket?.send(JSON.stringify({ type: "unwatch", [kind]: name }));
  }

  /** A command acts once, however often it has to be sent: the id stays the same over a reconnection. */
  command(table: string, command: Record<string, unknown>): Promise<Answer> {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const message = JSON.stringify({ type: "command", id, table, command });
    return new Promise((done) => {
      this.waiting.set(id, { message, done });
      if (this.online) this.socket?.send(message);
    });
  }

  /** Ask, and say a refusal in the server's own words. */
  async ask(table: string, command: Record<string, unknown>): Promise<boolean> {
    const answer = await this.command(table, command);
    if (!answer.accepted) {
      const cited = answer.rules?.length ? ` (${answer.rules.join(", ")})` : "";
      this.toast(`${answer.message ?? "Refused."}${cited}`, "refusal");
    }
    return answer.accepted;
  }

  private connect(): void {
    window.setTimeout(() => {
      this.slow = !this.online;
      if (this.slow) this.changed();
    }, 2000);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/live`);
    this.socket = socket;
    this.heard = Date.now();
    socket.onopen = () => this.opened(socket);
    socket.onmessage = (event) => {
      this.heard = Date.now();
      this.hear(JSON.parse(String(event.data)) as Record<string, unknown>);
    };
    socket.onclose = () => socket === this.socket && this.lost();
  }

  private opened(socket: WebSocket): void {
    const again = this.everOnline;
    this.online = this.everOnline = true;
    this.tries = 0;
    for (const [topic, message] of this.topics) socket.send(again ? this.after(topic, message) : message);
    for (const { message } of this.waiting.values()) socket.send(message);
    if (again) void this.comeBack();
    this.changed();
  }

  /** A table is followed again from the last event that this page has seen. */
  private after(topic: string, message: string): string {
    const seen = topic.startsWith("table/") ? this.tables.get(topic.slice(6)) : undefined;
    return seen && this.me ? JSON.stringify({ type: "watch", table: seen.table, after: seen.seq }) : message;
  }

  private lost(): void {
    if (this.online) this.balanceBefore = this.balance;
    this.online = false;
    this.socket = null;
    const wait = Math.min(500 * 1.6 ** this.tries++, 5000) * (0.8 + 0.4 * Math.random());
    window.clearTimeout(this.retry);
    this.retry = window.setTimeout(() => this.connect(), wait);
    this.changed();
  }

  private async comeBack(): Promise<void> {
    const known = this.me !== null;
    await this.refreshMe();
    if (known && !this.me) return this.toast("Your session is over: log in again.");
    const [before, now] = [this.balanceBefore, this.balance];
    this.balanceBefore = null;
    if (before === null) return;
    const moved = now === null ? 0 : now - before;
    const change = moved ? ` Your balance has changed by ${moved > 0 ? "+" : ""}${plain(moved)} meanwhile.` : "";
    this.toast(`The connection is back.${change}`);
  }

  private hurry(): void {
    if (!this.online && !this.socket) {
      window.clearTimeout(this.retry);
      this.connect();
    }
  }

  private reconnect(): void {
    const socket = this.socket;
    this.socket = null;
    this.online = false;
    window.clearTimeout(this.retry);
    socket?.close();
    this.balanceBefore = null;
    this.everOnline = false;
    this.connect();
    this.changed();
  }

  private beat(): void {
    const [now, before] = [Date.now(), this.beaten];
    this.beaten = now;
    // A page that has slept has heard nothing because it did not listen: it asks first, and waits for one beat.
    if (now - before > 2 * BEAT) this.heard = Math.max(this.heard, now - QUIET_LIMIT + BEAT - 1000);
    if (!this.online) return;
    if (now - this.heard > QUIET_LIMIT) {
      this.cut();
    } else {
      this.socket?.send(JSON.stringify({ type: "ping" }));
    }
  }

  private cut(): void {
    const socket = this.socket;
    this.lost();
    socket?.close();
  }

  private hear(said: Record<string, unknown>): void {
    switch (said["type"]) {
      case "table":
        this.sawTable(said as unknown as TableView);
        break;
      case "missed": {
        const all = said["all"] === true;
        const events = (said["events"] as { event: Told }[]).map((e) => e.event).filter((e) => concerns(e, this.me?.name ?? ""));
        if (events.length || !all) this.missed.set(String(said["table"]), { events: events.slice(-40), all });
        break;
      }
      case "link": {
        const link = said as unknown as LinkView;
        this.links.set(link.link, link);
        break;
      }
      case "account":
        // The cashier has booked something meanwhile.
        if (this.me?.account) this.me = { ...this.me, account: { player: String(said["player"]), balance: String(said["balance"]) } };
        break;
      case "answer": {
        const waiting = this.waiting.get(String(said["id"]));
        this.waiting.delete(String(said["id"]));
        waiting?.done(said as unknown as Answer);
        if (waiting && this.me?.account) void this.refreshMe();
        break;
      }
      default:
        return;
    }
    this.changed();
  }

  private sawTable(view: TableView): void {
    const before = this.tables.get(view.table);
    if (before && before.seq > view.seq && before.round > view.round) return;
    const same = before && before.stage === view.stage && before.round === view.round;
    const since = same && before.clock?.phase === view.clock?.phase ? before.since : Date.now() - 1000 * passed(view.clock);
    this.tables.set(view.table, { ...view, arrived: performance.now(), since });
    const terms = this.terms.get(view.table);
    // Limits may be other ones than when the lobby was read.
    if (terms && view.limits) this.terms.set(view.table, { ...terms, limits: view.limits, jackpot_bet: view.jackpot_bet ?? null });
    if (view.stage === "betting" && view.commitment) this.seals.set(`${view.table} ${view.round}`, view.commitment);
    // Somebody may play on two screens: chips that were laid on the other one have left the balance here, too.
    if (before && this.me?.account && !this.waiting.size && this.laid(before) !== this.laid(view)) void this.refreshMe();
    if (view.stage === "settled" || view.stage === "void") {
      this.remember(view);
      if (!same && this.me?.account) void this.refreshMe();
    }
  }

  private laid(view: TableView): number {
    const own = view.boxes.flatMap((box) => box.stakes).filter((stake) => stake.player === this.me?.name);
    return own.reduce((sum, stake) => sum + cents(stake.amount), 0);
  }

  // ------------------------------------------------------------ the session of a player

  private remember(view: TableView): void {
    const lines = view.lines.filter((line) => line.player === this.me?.name);
    if (!lines.length) return;
    const terms = this.terms.get(view.table);
    const boxes = new Set(lines.map((line) => line.box));
    const played: Played = {
      table: view.table,
      game: view.game,
      currency: terms?.currency ?? "",
      round: view.round,
      stage: view.stage,
      dealer: view.dealer,
      community: view.community,
      hands: view.boxes.filter((b) => boxes.has(b.box)).map((b) => ({ box: b.box, cards: b.cards, hand: b.hand })),
      lines,
      net: lines.reduce((sum, line) => sum + cents(line.won) + cents(line.returned) - cents(line.staked), 0),
      at: Date.now(),
    };
    const others = this.history.filter((p) => p.table !== played.table || p.round !== played.round);
    this.history = [played, ...others].slice(0, 200);
    this.keep(this.me?.name ?? "");
  }

  private keep(name: string): void {
    sessionStorage.setItem(`croupier.history.${name}`, JSON.stringify({ since: this.since, played: this.history }));
  }

  private recall(name: string): void {
    try {
      const kept = JSON.parse(sessionStorage.getItem(`croupier.history.${name}`) ?? "null");
      this.history = kept?.played ?? [];
      this.since = kept?.since ?? Date.now();
    } catch {
      this.history = [];
    }
    this.keep(name);
  }

  lastAt(table: string): Played | undefined {
    return this.history.find((played) => played.table === table);
  }
}

export const store = new Store();
