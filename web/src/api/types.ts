/** The data of the server as it sends them. Money is a decimal text with two places; cards are "Ah", a back is "??". */

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
  pit: string;
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
  /** Another server of the house runs it: only that one knows what happens there. */
  elsewhere: boolean;
  /** Null where another server runs it. */
  stage: Stage | null;
  round: number | null;
  seats_taken: number;
  closed: boolean;
}

export interface Lobby {
  demo: boolean;
  links: string[];
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
  /** Chips that are no longer in play and go back at the settlement. */
  returned?: Stake[];
}

export interface ChoiceView {
  box: number;
  choice: string;
  costs: Money;
  rules: string[];
  /** The bet that the choice places. */
  bet?: string | null;
}

/** A bet that the viewer may place now; `amounts` where only these may be placed. */
export interface PlaceableBet {
  box: number;
  bet: string;
  least: Money;
  most: Money;
  amounts: Money[];
  rules: string[];
}

/** A bet that the viewer may take back now; one that stays live is won or lost all the same. */
export interface Withdrawal {
  box: number;
  bet: string;
  amount: Money;
  stays_live: boolean;
  rules: string[];
}

/** What else the viewer may do: a step of a round script, with its box and option where it names them. */
export interface Move {
  do: "walk_away" | "refuse_reveal" | "prove" | "choose";
  box: number | null;
  option: string | null;
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
  /** What has happened, as a sentence without its full stop. */
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
  bets?: PlaceableBet[];
  withdrawals?: Withdrawal[];
  moves?: Move[];
  awaiting: Lawful[];
  lines: Line[];
  notice: boolean;
  /** Award cases of this round, and open ones of earlier rounds at this table. */
  awards?: AwardCase[];
  earlier_awards?: AwardCase[];
}

export interface LinkView {
  link: string;
  meter: Money;
  closed: boolean;
  reset: Money;
  hits: number;
  last_hits: { table: string; round: number; box: number; hand: string; amount: Money }[];
  /** Set aside for awards that are not paid yet. */
  locked: Money;
  awards: AwardCase[];
}

/** A major award, from the claim to its end; it belongs to the round that won it. */
export interface AwardCase {
  award: number;
  table: string;
  round: number;
  box: number;
  hand: string;
  cards: string[];
  state: "claimed" | "locked" | "paid" | "denied";
  amount: Money | null;
  /** Tables whose rounds may still go before it. */
  waits_for: string[];
  signatures: number;
  missing: number;
  signed: string[];
}

export interface Answer {
  accepted: boolean;
  code?: string;
  message?: string;
  rules?: string[];
}

/** The answer about a page on which no person is logged in. */
export interface LoggedOut {
  name: null;
}

/** A payment that the cage asked a player to confirm. */
export interface Consent {
  id: string;
  kind: "buy_in" | "cash_out";
  player: string;
  amount: Money;
  by: string;
  second: string;
  state: "waiting" | "confirmed" | "declined" | "unanswered";
  seconds: number;
}

export interface Me {
  name: string;
  post: string;
  csrf: string;
  may: string[];
  demo: boolean;
  /** What the person must do before anything else; null where the session is open. */
  held: "session_locked" | "change_password_first" | "second_factor_first" | null;
  second_factor: boolean;
  /** Seconds without use after which the session is locked; null for never. */
  idle: number | null;
  account?: { player: string; balance: Money; consents: Consent[] };
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
  decision: DueDecision | null;
  incidents: IncidentKind[];
}

export interface IncidentKind {
  incident: string;
  says: string;
  /** The facts that a report of it needs. */
  asks: string[];
  rules: string[];
}

/** The decision that boxes have to make now. */
export interface DueDecision {
  bet: string;
  times_ante: number;
  choices_of: Record<string, string[]>;
  boxes: number[];
  rules: string[];
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

/** An event of a round, with the fields of its type. */
export type TableEvent = Record<string, unknown> & { type: string };

/** What one bet pays, as it is printed on the layout. */
export interface PayTable {
  of: string;
  rows: { hand: string; pays: string }[];
  rules: string[];
}

/** A card with its salt and the neighbours on its way to the seal, the lowest first. */
export interface CardProof {
  position: number;
  card: string;
  salt: string;
  path: string[];
}

export interface SealedDeck {
  deal: number;
  commitment: string;
  /** Sealed card by card, so that a player can check the cards they have seen without the others. */
  by_card: boolean;
  deck: string | null;
  salt: string | null;
  cards: CardProof[] | null;
}

/** The value of a choice, in antes. */
export interface ChoiceValue {
  choice: string;
  value: number;
  exact: string;
  cost: number;
}

export interface PracticePosition {
  box: number;
  /** How many community cards lie open. */
  board: number;
  options?: ChoiceValue[];
  counted?: string[];
  uncounted?: string[];
  wrong?: string;
}

export interface PracticeAnswer {
  state: "ready" | "loading" | "missing";
  message?: string;
  round?: number;
  boxes: PracticePosition[];
}

export type HouseEdge =
  | { state: "ready"; edge: number; risk: number; sides: Record<string, number> }
  | { state: "loading" }
  | { state: "missing"; message: string };
