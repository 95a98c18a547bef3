/** What the server says, as it says it. Money is a decimal text with two places; cards are "Ah", a back is "??". */

export type Money = string;

export interface BetKind {
  bet: string;
  kind: "entry" | "side" | "jackpot" | "decision";
  times_ante: number;
  needs_ante: boolean;
}

export interface Terms {
  table: string;
  game: string;
  title: string;
  operator: string;
  currency: string;
  boxes: number;
  dealing: string;
  limits: Record<string, [Money, Money]>;
  jackpot_bet: Money | null;
  jackpot_multiples: number;
  link: string | null;
  bets: BetKind[];
  fold: { loses: string[]; keeps: string[] };
  several_boxes: boolean;
  one_look: boolean;
  physical: boolean;
  staffed: boolean;
}

export interface LobbyTable extends Terms {
  stage: Stage;
  round: number;
  seats_taken: number;
  closed: boolean;
}

export interface Lobby {
  demo: boolean;
  tables: LobbyTable[];
}

export type Stage = "idle" | "betting" | "playing" | "settled" | "void";

export interface Stake {
  player: string;
  bet: string;
  amount: Money;
}

export interface BoxView {
  box: number;
  stakes: Stake[];
  stands: "out" | "live" | "folded" | "invalid" | "forfeited";
  choices: string[];
  cards: string[];
  hand: string;
  examined_by: string[];
  may_examine: boolean;
}

export interface ChoiceView {
  box: number;
  choice: string;
  costs: Money;
  rules: string[];
}

export interface BoxEffect {
  effect: "plays_on" | "returned" | "lost" | "option";
  returned: Money;
  lost: Money;
  in_play: Money;
}

export interface Lawful {
  incident: string;
  /** What has happened, as a sentence without its stop. */
  says: string;
  answer: string;
  by: string | null;
  box: number | null;
  rules: string[];
  money: Record<string, BoxEffect>;
}

export interface Line {
  box: number;
  player: string;
  bet: string;
  staked: Money;
  outcome: "win" | "lose" | "stand_off" | "returned";
  won: Money;
  returned: Money;
  rules: string[];
  because: string;
}

export interface Claim {
  box: number;
  player: string;
  hand: string;
  round: number;
}

export interface ServerClock {
  phase: string;
  left: number;
  of: number;
}

/** What will be different at a table from its next round on. */
export interface Coming {
  limits: Record<string, [Money, Money]>;
  jackpot_bet: Money | null;
  pay_tables: Record<string, Record<string, string>>;
}

export interface TableView {
  table: string;
  closed?: boolean;
  limits?: Record<string, [Money, Money]>;
  jackpot_bet?: Money | null;
  pay_tables?: Record<string, Record<string, string>>;
  coming?: Coming | null;
  game: string;
  seq: number;
  clock: ServerClock | null;
  commitment: string | null;
  round: number;
  stage: Stage;
  community: string[];
  dealer: { cards: string[]; hand: string };
  boxes: BoxView[];
  choices: ChoiceView[];
  awaiting: Lawful[];
  lines: Line[];
  claims: Claim[];
  notice: boolean;
}

/** A view with the moment at which it came, for its clock. */
export interface Seen extends TableView {
  arrived: number;
  /** Since when the table has been in this phase, as far as this page has seen it. */
  since: number;
}

export interface LinkView {
  link: string;
  meter: Money;
  closed: boolean;
  reset: Money;
  hits: number;
  last_hits: { table: string; round: number; box: number; hand: string; amount: Money }[];
  pending: { table: string; round: number; hands: string[]; signatures: number; signed: string[] }[];
}

export interface Answer {
  accepted: boolean;
  code?: string;
  message?: string;
  rules?: string[];
}

/** Whoever has not logged in. */
export interface Nobody {
  name: null;
}

export interface Me {
  name: string;
  post: string;
  csrf: string;
  may: string[];
  demo: boolean;
  account?: { player: string; balance: Money };
}

export interface Fact {
  dimension: string;
  about: string;
  says: string;
  rules: string[];
}

export interface Comparison {
  games: [string, string];
  differences: { dimension: string; about: string; first: Fact | null; second: Fact | null }[];
  same: Fact[];
}

export interface Game {
  game: string;
  title: string;
  operator: string;
  facts: Fact[];
  paragraphs: Record<string, { text: string; kind: string }>;
  readings: Record<string, { question: string; meaning: string }>;
}

export interface Procedure {
  table: string;
  round: number;
  dealing: string;
  rules: string[];
  steps: { says: string; rules: string[] }[];
  at: number | null;
  /** What the table's bank has won or lost since the table opened. */
  bank: Money;
  deal: boolean;
  turn: Record<string, number>;
  decision: { bet: string; times_ante: number; choices: string[]; boxes: number[]; rules: string[] } | null;
  incidents: { incident: string; says: string; asks: string[]; rules: string[] }[];
}

export type Preview =
  | { accepted: false; code: string; message: string; rules: string[] }
  | {
      accepted: true;
      rules: string[];
      stage: Stage;
      redealt: boolean;
      money: Record<string, BoxEffect>;
      awaiting: Lawful[];
    };
