/** All that the page knows, and its one live connection to the server. */

import { failure, getList, getOne, type One, Refused, send } from "./api";
import { cents, plain } from "./money";
import { concerns, type Told } from "./telling";
import { asItLies } from "./types";
import type { Answer, Game, Line, LinkView, Lobby, LobbyTable, Me, Nobody, Seen, TableView, Terms } from "./types";

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
  /** An award of this round is not closed: its line comes later, perhaps during another round. */
  open?: boolean;
}

const netOf = (lines: Line[]): number => lines.reduce((sum, line) => sum + cents(line.won) + cents(line.returned) - cents(line.staked), 0);

/** Whether an award of these boxes in this round is not closed yet. */
const isOpen = (view: TableView, round: number, boxes: Set<number>): boolean =>
  [...(view.awards ?? []), ...(view.earlier_awards ?? [])].some(
    (a) => a.round === round && boxes.has(a.box) && (a.state === "claimed" || a.state === "locked"));

interface Listener {
  requestUpdate(): void;
}

interface Waiting {
  message: string;
  done: (answer: Answer) => void;
}

const SETTINGS = "croupier.settings";
/** Codes of a session that opens nothing but its own way out of this. */
const HELD = ["session_locked", "change_password_first", "second_factor_first"];
/** The close code of a live connection whose session is held back. */
const HELD_BACK = 4002;
/** Milliseconds between two words to the server that a person is here, at most. */
const HERE = 30_000;
const QUIET_LIMIT = 12_000;
const BEAT = 4000;
/** Milliseconds until a failed request is sent again. */
export const RETRY = 2000;

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
  /** Every link of the house, with tables or without. */
  linkNames: string[] = [];
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
  private askingMe = 0;
  private askingLobby = 0;
  /** Sentences about requests of this page that failed when they were last sent, by path. */
  private failing = new Map<string, string>();
  private asked = 0;
  private saidHere = 0;

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

  get<T extends object>(path: string): Promise<One<T>> {
    return this.open(getOne<T>(path));
  }

  list<T>(path: string): Promise<T[]> {
    return this.open(getList<T>(path));
  }

  send<T extends object>(method: "POST" | "DELETE", path: string, body?: unknown): Promise<One<T>> {
    return this.open(send<T>(method, path, this.me?.csrf ?? "", body));
  }

  /** What is asked in an open session; where the server holds it back, the page learns why. */
  private async open<T>(request: Promise<T>): Promise<T> {
    try {
      return await request;
    } catch (wrong) {
      if (wrong instanceof Refused && HELD.includes(wrong.answer.code ?? "") && !this.me?.held) void this.refreshMe();
      throw wrong;
    }
  }

  /** Refresh a part of the page. Where the request fails, the page keeps what it has, and its head says why until the same
   * request succeeds or another page is opened.
   */
  async refresh<T>(path: string, request: Promise<T>): Promise<T | undefined> {
    const failing = this.failing;
    const before = failing.get(path);
    let said: T | undefined;
    try {
      said = await request;
      failing.delete(path);
    } catch (wrong) {
      failing.set(path, failure(wrong));
    }
    if (failing.get(path) !== before) this.changed();
    return said;
  }

  /** Forget what failed on the page before. */
  forgetFailures(): void {
    this.failing = new Map();
  }

  /** Why a part of the page may be out of date, in one sentence; empty where nothing failed. */
  get trouble(): string {
    return [...this.failing.values()][0] ?? "";
  }

  async start(): Promise<void> {
    try {
      Object.assign(this.settings, JSON.parse(localStorage.getItem(SETTINGS) ?? "{}"));
    } catch {
      localStorage.removeItem(SETTINGS);
    }
    this.applySettings();
    // Without the tables and the person, whatever the page shows would be wrong.
    while (!((await this.refreshLobby()) && (await this.refreshMe()))) await new Promise((done) => window.setTimeout(done, RETRY));
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
    for (const touch of ["pointerdown", "keydown", "wheel"]) window.addEventListener(touch, () => this.here(), { capture: true, passive: true });
  }

  /** A person sits before the page: the session is not locked. */
  private here(): void {
    const idle = this.me?.idle;
    if (!idle || this.me?.held || Date.now() - this.saidHere < Math.min(HERE, 250 * idle)) return;
    this.saidHere = Date.now();
    // Where that fails, the next touch says it again.
    void this.send("POST", "/api/sessions/use").catch(() => (this.saidHere = 0));
  }

  /** Go on with a locked session. */
  async unlock(password: string): Promise<void> {
    await this.send("POST", "/api/unlock", { password });
    await this.refreshMe();
    this.saidHere = 0;
    if (!this.me?.held) this.connect();
  }

  /** What held the session back may be done: the page learns who it is, and connects again. */
  async released(): Promise<void> {
    const held = this.me?.held;
    await this.refreshMe();
    if (held && !this.me?.held) this.reconnect();
  }

  /** Read the tables of the house; where the server does not say, it is asked again. */
  async refreshLobby(): Promise<boolean> {
    const lobby = await this.refresh("/api/lobby", this.get<Lobby>("/api/lobby"));
    window.clearTimeout(this.askingLobby);
    if (!lobby && this.ready) this.askingLobby = window.setTimeout(() => void this.refreshLobby(), RETRY);
    if (!lobby) return false;
    this.demo = lobby.demo;
    this.lobby = lobby.tables;
    this.linkNames = lobby.links;
    for (const terms of lobby.tables) this.terms.set(terms.table, terms);
    this.changed();
    return true;
  }

  /** Read who is logged in; where the server does not say, it is asked again. */
  async refreshMe(): Promise<boolean> {
    const me = await this.refresh("/api/me", this.get<Me | Nobody>("/api/me"));
    window.clearTimeout(this.askingMe);
    if (me) this.meet(me);
    else if (this.ready) this.askingMe = window.setTimeout(() => void this.refreshMe(), RETRY);
    return me !== undefined;
  }

  private meet(me: Me | Nobody): void {
    if (me.name !== null && me.name !== this.me?.name) this.recall(me.name);
    this.me = me.name === null ? null : me;
    this.changed();
  }

  /** Whether another server of the house runs this table. */
  isElsewhere(table: string): boolean {
    return this.lobby.find((line) => line.table === table)?.elsewhere ?? false;
  }

  /** The tables that this server runs. */
  get own(): LobbyTable[] {
    return this.lobby.filter((table) => !table.elsewhere);
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
    await this.send("POST", path, body);
    this.meet(await this.get<Me | Nobody>("/api/me"));
    this.reconnect();
  }

  async leave(): Promise<void> {
    await this.send("POST", "/api/logout").catch((wrong: unknown) => {
      // A session that is over needs no log-out.
      if (!(wrong instanceof Refused && wrong.status === 401)) throw wrong;
    });
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
    const message = JSON.stringify({ type: `watch_${kind}`, [kind]: name });
    this.topics.set(key, message);
    if (this.online) this.socket?.send(message);
  }

  unwatch(kind: "table" | "link", name: string): void {
    if (!this.topics.delete(`${kind}/${name}`)) return;
    if (this.online) this.socket?.send(JSON.stringify({ type: `unwatch_${kind}`, [kind]: name }));
  }

  /** A command acts once, however often it has to be sent: the id stays the same over a reconnection. */
  command(table: string, command: Record<string, unknown>): Promise<Answer> {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const message = JSON.stringify({ type: "command", id, table, command: { ...this.meantFor(table, command), ...command } });
    return new Promise((done) => {
      this.waiting.set(id, { message, done });
      if (this.online) this.socket?.send(message);
    });
  }

  /** The round and the decision that this page shows: a command that comes late never hits the next one. */
  private meantFor(table: string, command: Record<string, unknown>): Record<string, number> {
    const seen = this.tables.get(table);
    if (!seen) return {};
    const box = command["do"] === "decide" ? seen.boxes.find((b) => b.box === command["box"]) : undefined;
    return { round: seen.round, ...(box ? { decided: box.choices.length } : {}) };
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
    if (this.me?.held) return;
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
    socket.onclose = (event) => {
      if (socket !== this.socket) return;
      if (event.code === HELD_BACK) void this.holdBack();
      else this.lost();
    };
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
    return seen && this.me ? JSON.stringify({ type: "watch_table", table: seen.table, after: seen.seq }) : message;
  }

  /** The server has locked the session: the page keeps what it shows, behind the lock. */
  private async holdBack(): Promise<void> {
    this.balanceBefore = this.balance;
    this.online = false;
    this.socket = null;
    await this.refreshMe();
    if (!this.me?.held) this.lost();
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
    // Another server may have taken tables meanwhile.
    void this.refreshLobby();
    if (known && !this.me) return this.toast("Your session is over: log in again.");
    const [before, now] = [this.balanceBefore, this.balance];
    this.balanceBefore = null;
    if (before === null) return;
    const moved = now === null ? 0 : now - before;
    const change = moved ? ` Your balance has changed by ${moved > 0 ? "+" : ""}${plain(moved)} meanwhile.` : "";
    this.toast(`The connection is back.${change}`);
  }

  private hurry(): void {
    if (!this.online && !this.socket && !this.me?.held) {
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
        this.sawTable(asItLies(said as unknown as TableView));
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
        // The cage has booked something meanwhile, or asks.
        if (this.me?.account) this.me = { ...this.me, account: said as unknown as NonNullable<Me["account"]> };
        break;
      case "answer": {
        const waiting = this.waiting.get(String(said["id"]));
        // Another server runs the table now.
        if (said["code"] === "table_elsewhere" && !waiting) void this.refreshLobby();
        if (said["code"] === "away" && waiting) {
          // The house waits for its database: the same command, under the same id, in a moment.
          window.setTimeout(() => this.waiting.has(String(said["id"])) && this.online && this.socket?.send(waiting.message), 1000);
          break;
        }
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
    for (const played of this.history)
      if (played.open && played.table === view.table && played.round < view.round && !isOpen(view, played.round, new Set(played.hands.map((h) => h.box))))
        void this.lookBack(played);
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
      net: netOf(lines),
      at: Date.now(),
      open: isOpen(view, view.round, boxes),
    };
    const others = this.history.filter((p) => p.table !== played.table || p.round !== played.round);
    this.history = [played, ...others].slice(0, 200);
    this.keep(this.me?.name ?? "");
  }

  /** An award was paid or denied during a later round: its line belongs to the round that won it. */
  private async lookBack(played: Played): Promise<void> {
    const path = `/api/tables/${encodeURIComponent(played.table)}/rounds/${played.round}`;
    played.open = false;
    const said = await this.refresh(path, this.get<{ lines: Line[] }>(path));
    // Where that fails, the next news of the table asks again.
    if (!said) return void (played.open = true);
    const lines = said.lines.filter((line) => line.player === this.me?.name);
    const whole = { ...played, lines, net: netOf(lines) };
    this.history = this.history.map((p) => (p.table === played.table && p.round === played.round ? whole : p));
    this.keep(this.me?.name ?? "");
    await this.refreshMe();
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
