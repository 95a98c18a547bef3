/** The data of the staff pages as the server sends them. */

import type { Consent, Line, Money, SealedDeck, TableEvent, TableView } from "./types";

/** A session of a person, on whatever device. */
export interface HeldSession {
  id: string;
  opened: string | null;
  used: string | null;
  address: string;
  browser: string;
  locked: boolean;
  this: boolean;
}

/** A second factor that is proposed and not confirmed yet. */
export interface SecondFactor {
  secret: string;
  address: string;
  qr: string;
}

/** A person who may log in, and how many sessions they have. */
export interface Person {
  name: string;
  /** The id by which every record knows this person. */
  id: string;
  post: string;
  sessions: number;
  second_factor: boolean;
  break_glass: boolean;
  alarm: boolean;
  /** Where this person works; with neither pits nor tables, everywhere. */
  pits: string[];
  tables: string[];
}

/** A removed person whose name is still known. */
export interface RemovedPerson {
  name: string;
  id: string;
}

/** A measure that waits for a second signature. */
export interface Proposal {
  id: string;
  by: string;
  words: string;
  second: string;
  seconds: number;
}

/** A dealer's call for a supervisor. */
export interface SupervisorCall {
  table: string;
  by: string;
  seconds: number;
  coming: string;
}

/** A break-glass account that was used. */
export interface BreakGlassAlarm {
  name: string;
  post: string;
  at: string;
  address: string;
  logged_in: boolean;
}

/** A player who may not play on. The server says who lifts the bar, and whether that is the person who reads it. */
export interface Bar {
  player: string;
  table: string;
  game: string;
  operator: string;
  everywhere: boolean;
  rules: string[];
  by: string;
  may: boolean;
}

/** A round that has been played, as a search finds it. */
export interface FoundRound {
  table: string;
  game: string;
  round: number;
  at: string;
  stage: string;
  players: string[];
  bets: string[];
  hands: string[];
  staked: Money;
  won: Money;
  returned: Money;
  /** The part of `won` that the jackpot's meter paid and not the house. */
  from_meter: Money;
}

export interface RoundStep {
  seq: number;
  at: string;
  event: TableEvent;
  view: TableView;
}

/** A round step by step, as one viewer saw it. */
export interface RoundRecord {
  table: string;
  game: string;
  round: number;
  stage: string;
  at: string;
  decks: SealedDeck[];
  lines: Line[];
  awards: { box: number; player: string; hand: string; amount: Money; rules: string[] }[];
  steps: RoundStep[];
  may_export: boolean;
}

/** The chips of one player. */
export interface ChipHolder {
  player: string;
  balance: Money;
  logged_in: boolean;
  enrolled: boolean;
}

export interface Cashier {
  players: ChipHolder[];
  more: number;
  payments: Consent[];
  alone_up_to: Money | null;
}

export interface Duties {
  posts: string[];
  actions: { action: string; means: string; posts: string[]; conditions: string[] }[];
  conditions: Record<string, string>;
  bounds: { limits: Money; payments: Money; consent_seconds: string; own_account_hours: string } | null;
}

/** The amounts of a link at one moment; parts of a cent stand behind them. */
export interface LinkAmounts {
  meter: string;
  reserve: string;
  overflow: string;
  locked: string;
}

/** A link from one midnight UTC to the next. */
export interface LinkDay {
  link: string;
  since: string;
  opening: LinkAmounts;
  seeded: string;
  contributions: string;
  contributions_returned: string;
  top_ups: string;
  paid: string;
  closing: LinkAmounts;
  adds_up: boolean;
}

/** The outcome of an audit. */
export interface AuditReport {
  at: string;
  by: string;
  failed?: string;
  clean: boolean;
  events: number;
  rounds: number;
  commands: number;
  tables: number;
  entries: number;
  accounts: number;
  /** Events in archives, which this audit has not read. */
  archived: number;
  difference_count: number;
  differences: string[];
  balance: Record<string, string> & { balances: boolean };
  links: LinkDay[];
}

/** What the witness signed last. */
export interface Checkpoint {
  number: number;
  server: string;
  at: string;
  records: number;
  key: string;
  hash: string;
  qr: string;
}

export interface AuditState {
  heads: Record<string, { seq: number; hash: string }>;
  running: { done: number; total: number } | null;
  last: AuditReport | null;
  checkpoint: Checkpoint | null;
}

/** A game in the list of rulebooks. */
export interface ListedGame {
  game: string;
  title: string;
  operator: string;
}
