// Written by tools/wire_types.py from the structs of the server. Do not change it by hand.

/** What the server sends and takes. Cards are texts such as Ah; a card that lies face down is ??. */

/** Money as text with two decimals. */
export type Money = string;

/** Management lets the box of an absent Player wait for its decision. */
export interface AbsenceExcused {
  type: "AbsenceExcused";
  box: number;
}

/** A command of the academy that says no more than its id. */
export interface AcademyCommand {
  id: string;
}

/** The academy as a person finds it. */
export interface AcademyView {
  games: TrainedGame[];
  /** The weakest first. */
  record: KnownClause[];
  exams: ExamLine[];
  /** Of this person, the latest first. */
  sittings: SittingLine[];
  /** Whether the person may set exams. */
  may_set: boolean;
}

/** What a player has in chips, those on tables not counted, and the payments to confirm. */
export interface Account {
  player: string;
  balance: string;
  consents: Consent[];
  limits: OwnLimits;
}

/** A player's own account: when their chips at a watched table move, the cage has booked or asks about a payment. */
export interface AccountMessage {
  type: "account";
  player: string;
  balance: string;
  consents: Consent[];
  limits: OwnLimits;
}

/** One move of chips on one bet. */
export interface ActView {
  number: number;
  box: number;
  player: string;
  bet: string;
  move: ChipMove;
  amount: string;
  /** The chips of the bet that lay there. */
  lies: string;
  rules: string[];
  because: string;
}

/** Everything that can be asked of the server. What is not in MATRIX is refused. */
export type Action =
  | "audit"
  | "bet_for_a_player"
  | "confirm_acts"
  | "countersign"
  | "deal"
  | "decide_disputes"
  | "enrol_people"
  | "follow_events"
  | "handle_disputes"
  | "open_tables"
  | "own_account"
  | "play"
  | "read_rules"
  | "report"
  | "rule"
  | "run_cashier"
  | "run_links"
  | "see_duties"
  | "see_figures"
  | "seed_links"
  | "set_exams"
  | "sign"
  | "sign_enrolments"
  | "sign_payments"
  | "take_measures"
  | "train"
  | "verify_award"
  | "watch"
  | "watch_floor"
  | "withdraw";

/** Acts of the settlement were done as they were due. */
export interface ActsConfirmed {
  type: "ActsConfirmed";
  round: number;
  acts: number[];
  who: string;
  /** None where a camera or chip reader has seen them. */
  by?: Role | null;
}

/** By how much a meter is corrected, and why. */
export interface Adjustment {
  amount: string;
  cause: string;
}

/** A break-glass account that was used. */
export interface Alarm {
  kind: "break_glass";
  name: string;
  post: Post;
  at: string;
  address: string;
  logged_in: boolean;
}

/** What the house says, after it is durable. */
export interface Answer {
  accepted: boolean;
  /** Where each stream that moved now stands. */
  heads?: Record<string, number>;
  /** Where a stream stood that was looked at without having moved. */
  stood?: Record<string, number>;
  code?: string;
  message?: string;
  rules?: string[];
  /**
   * Whether the answer is kept by its id. A refusal that is not, because the person had too many of them in a minute,
   * is given again for a while; later the same id is judged again.
   */
  kept?: boolean;
}

/** The answer to a message of the client; with `table` and no id, a table is no longer run here. */
export interface AnswerMessage {
  type: "answer";
  accepted: boolean;
  /** Where each stream that moved now stands. */
  heads?: Record<string, number>;
  /** Where a stream stood that was looked at without having moved. */
  stood?: Record<string, number>;
  code?: string;
  message?: string;
  rules?: string[];
  /**
   * Whether the answer is kept by its id. A refusal that is not, because the person had too many of them in a minute,
   * is given again for a while; later the same id is judged again.
   */
  kept?: boolean;
  id: string | null;
  table?: string;
}

/** What a learner wants to train: a game, and topics of it; all where none is named. */
export interface AskedDrill {
  id: string;
  game: string;
  topics?: Topic[];
}

/** A training round that a learner wants to deal. */
export interface AskedRound {
  id: string;
  game: string;
  /** To deal the same round again; drawn where it is null. */
  seed?: number | null;
}

/** Where a person works; with neither pits nor tables, everywhere. */
export interface Assignment {
  pits?: string[];
  tables?: string[];
}

/** An audit runs. */
export interface AuditBegun {
  running: AuditProgress | null;
}

/** How far the running audit is. */
export interface AuditProgress {
  done: number;
  total: number;
}

/** What an audit found, or why it failed. */
export interface AuditReport {
  at: string;
  by: string;
  /** Why there is no result; then all else is absent. */
  failed?: string;
  clean?: boolean;
  events?: number;
  rounds?: number;
  commands?: number;
  tables?: number;
  entries?: number;
  accounts?: number;
  archived?: number;
  difference_count?: number;
  differences?: string[];
  balance?: LedgerSums;
  links?: LinkDay[];
}

/** One line of the jackpot pay table and the cards that make it. */
export interface Award {
  hand: string;
  rank: Rank;
  pays: ToOne | ForOne | Fixed | ShareOfMeter;
  rules: string[];
  /** The Player's own cards count; otherwise the Community Cards alone make it. */
  own?: boolean;
  /** How many Community Cards count, from the first. */
  community?: number;
  /** At least one of the five must be the Player's own. */
  with_own_card?: boolean;
  /** Any five of the cards may make it, not only the best five. */
  any_five?: boolean;
  /** Equal shares for every participating Bet, each at least the same part of the base value. */
  shared?: boolean;
}

/** A major award, from the claim to its end; it belongs to the round that won it. */
export interface AwardCase {
  award: number;
  table: string;
  round: number;
  box: number;
  hand: string;
  cards: string[];
  state: CaseState;
  amount: string | null;
  /** Tables whose rounds may still go before it. */
  waits_for: string[];
  signatures: number;
  missing: number;
  /** Empty for viewers who may not know who has signed. */
  signed: string[];
  /** What the viewer may do about it now. */
  may: ("deny" | "release" | "verify")[];
  /** The lowest post that may deny the claim while it is open; empty once it has ended. */
  denied_by: string;
}

/** A box has made a hand that is paid from the meter: the link pays it in its turn. */
export interface AwardClaimed {
  type: "AwardClaimed";
  round: number;
  box: number;
  player: string;
  staked: number;
  /** What of the stake is in play; the rest goes back. */
  counts: number;
  units: number;
  /** Every line the cards meet. */
  awards: Award[];
  /** The hand, for people. */
  named: string;
  /** What keeps the Bet alive on a Hand that was folded. */
  rules?: string[];
  /** The cards that the first line looks at. */
  cards?: string[];
  /** The jackpot Bet left the layout with this claim; the first release left it there until the award was paid. */
  collected?: boolean;
}

/** An award of a round that was played, with its timeline. */
export interface AwardHistoryView {
  award: number;
  box: number;
  player: string;
  hand: string;
  cards: string[];
  state: "claimed" | "denied" | "locked" | "paid" | "unwound";
  amount: string | null;
  signatures: number;
  signed: string[];
  timeline: AwardMoment[];
}

/** Something that happened to an award. */
export interface AwardMoment {
  at: string;
  what: string;
  by: string;
  text: string;
}

/** One line of the jackpot table has been paid. */
export interface AwardPaid {
  type: "AwardPaid";
  round: number;
  box: number;
  player: string;
  hand: string;
  pays: string;
  amount: number;
  from_meter: boolean;
  rules: string[];
}

/** An award that was paid in a round. */
export interface AwardPaidView {
  box: number;
  player: string;
  hand: string;
  pays: string;
  amount: string;
  rules: string[];
  /** The jackpot's meter paid it, and not the house. */
  from_meter: boolean;
}

/** An award of a table that is signed for: it is to be paid until a person has said that it is. */
export interface AwardPayment {
  award: number;
  round: number;
  box: number;
  hand: string;
  amount: string;
  paid_out: PaidOutView | null;
}

/** Something that happened to an award, as one step of its round. */
export interface AwardStep {
  type: "AwardCase";
  what: string;
  award: number;
  box: number;
  player: string;
  hand: string;
  /** In cents. */
  amount: number | null;
  by: string;
  text: string;
}

/** What a Player staked on another Player's box is out of the Round; it goes back at the settlement. */
export interface BackingInvalidated {
  type: "BackingInvalidated";
  box: number;
  player: string;
  rules: string[];
}

/** A player who may not play on: at which table that was ruled, where it holds, and who may lift it. */
export interface Bar {
  player: string;
  table: string;
  game: string;
  operator: string;
  everywhere: boolean;
  rules: string[];
  by: string;
  /** The reader may lift it. */
  may: boolean;
}

/** A bet of the game: its kind, and how many antes a decision bet is. */
export interface BetKind {
  bet: string;
  kind: KindOfBet;
  times_ante: number;
  needs_ante: boolean;
}

/** Chips lie on a box. */
export interface BetPlaced {
  type: "BetPlaced";
  box: number;
  player: string;
  bet: string;
  amount: number;
  noticed?: boolean;
  by?: Role | null;
  rules?: string[];
  /** It is under the minimum, and another table of the house remembers the Player for that; this one did not yet. */
  remembered?: boolean;
}

/** The Dealer has paid, collected or returned one Bet of one Player on one box. */
export interface BetSettled {
  type: "BetSettled";
  round: number;
  box: number;
  player: string;
  bet: string;
  outcome: Outcome;
  staked: number;
  won: number;
  returned: number;
  rules: string[];
  because: string;
}

/** Taken off the layout; `live` where the Bet is still won or lost. */
export interface BetWithdrawn {
  type: "BetWithdrawn";
  box: number;
  player: string;
  bet: string;
  amount: number;
  live?: boolean;
  rules?: string[];
}

/** The Dealer has called "No more Bets". */
export interface BetsClosed {
  type: "BetsClosed";
  /** The boxes that are dealt a Hand. */
  hands: number[];
  jackpot_bets?: JackpotBet[];
}

/** Every Bet of this box is lost, and nothing is paid on it. */
export interface BetsForfeited {
  type: "BetsForfeited";
  box: number;
  rules: string[];
}

/** What one person may do alone, by the names of the settings. */
export interface Bounds {
  limits: string;
  payments: string;
  consent_seconds: string;
  own_account_hours: string;
  /** What bets pay is changed by two people. */
  stakeboards: boolean;
}

/** What becomes of the chips of one box. */
export interface BoxEffect {
  effect: Effect;
  returned: string;
  lost: string;
  in_play: string;
}

/** The player of a box between its bets, and the chips that they hold beside those on the table. */
export interface BoxSeat {
  box: number;
  player: string;
  balance: string;
  /** The house knows this patron by table and box alone. */
  anonymous: boolean;
}

/** A betting box; a card that lies face down is `??`. */
export interface BoxView {
  box: number;
  stakes: Stake[];
  /** Chips that are no longer in play and go back at the settlement. */
  returned: Stake[];
  stands: HandStands;
  /** What the box has decided so far. */
  choices: string[];
  cards: string[];
  /** The name of the hand, as soon as the visible cards make one. */
  hand: string;
  /** The five cards that make the hand, once it has more than five to choose from. */
  best: string[];
  examined_by: string[];
  /** The viewer may look at this hand now. */
  may_examine: boolean;
  /** Its player has declined to show the hand. */
  declined?: boolean;
}

/** A table whose dealer has called for the pit. */
export interface CallView {
  table: string;
  by: string;
  /** Since the call. */
  seconds: number;
  /** Who is on the way; empty until a person answers. */
  coming: string;
}

/** The table of a call. */
export interface CalledTable {
  table: string;
}

/** The version that waits at a table and is not put in force. */
export interface CancelledEdition {
  id: string;
  edition: string;
}

/** One card of a deck with everything that leads from it to the commitment, and nothing of any other card. */
export interface CardProof {
  /** In the dealing order, from 0. */
  position: number;
  card: string;
  salt: string;
  /** The neighbours on the way to the root, the lowest first. */
  path: string[];
}

/** Cards were entered wrongly: what was entered, and what really lies there, on the word of two people. */
export interface CardsCorrected {
  type: "CardsCorrected";
  cards: Record<string, string[]>;
  was: Record<string, string[]>;
  by: Role;
  who: string;
  second: string;
  rules: string[];
}

/** One dealing step: where each card went, in the order in which they left the shoe. */
export interface CardsDealt {
  type: "CardsDealt";
  step: number;
  to: string[];
  rules: string[];
}

/** Everything is dealt again; these decision Bets go back to their Players first. */
export interface CardsRedealt {
  type: "CardsRedealt";
  returned: [number, string, StakePart][];
  rules: string[];
}

/** Cards lie face up. */
export interface CardsTurned {
  type: "CardsTurned";
  /** Where the procedure goes on. */
  step: number;
  cards: Record<string, string[]>;
  rules: string[];
}

/** One entry of a case. */
export interface CaseNote {
  at: string;
  by: string;
  what: string;
  words: string;
}

/** How far an award has come. */
export type CaseState = "claimed" | "denied" | "locked" | "paid";

/** Players by part of a name, and the payments that players were asked to confirm. */
export interface Cashier {
  players: PlayerBalance[];
  /** How many players were found beyond those listed. */
  more: number;
  payments: Consent[];
  /** The amount that one person may pay alone; null where none is set. */
  alone_up_to: string | null;
}

/** Why a meter was corrected by hand, and the people who did it. */
export interface Cause {
  at: string;
  by: string;
  second: string;
  amount: string;
  cause: string;
}

/** Where every chain of events stands, and what the last audit found. */
export interface Chains {
  heads: Record<string, Head>;
  running: AuditProgress | null;
  last: AuditReport | null;
  checkpoint: SignedCheckpoint | null;
}

/** What is different at a table from the next round on; the rest stays as it is. */
export interface ChangedTerms {
  id: string;
  limits?: Record<string, [string, string]>;
  jackpot_bet?: string | null;
  pay_tables?: Record<string, Record<string, string>>;
  confirms?: string | null;
  /** By the number of a box: the most that may lie there as Ante; "0.00" for no limit but the table's. */
  box_limits?: Record<string, string>;
}

/** A part of an introduction. */
export interface Chapter {
  title: string;
  points: Point[];
}

/** A signed statement with its heads, as text: what is signed are the bytes of `statement`. */
export interface Checkpoint {
  statement: string;
  signature: string;
  /** The public key, in hexadecimal. */
  key: string;
  /** Empty in what is published. */
  heads?: string;
}

/** What the Dealer does with the chips of one Bet at the settlement. */
export type ChipMove = "give_back" | "leave" | "pay" | "take";

/** Chips in the round in play that the settlement will not take as they lie. */
export interface ChipNote {
  box: number;
  player: string;
  bet: string;
  /** What of them goes back. */
  back: string;
  says: string;
  rules: string[];
}

/** One choice, in units of Ante: what the round is worth with it, and how much less that is than the best. */
export interface ChoiceValue {
  choice: string;
  value: number;
  exact: string;
  cost: number;
}

/** A decision that the viewer may make now, and what it costs. */
export interface ChoiceView {
  box: number;
  choice: string;
  costs: string;
  rules: string[];
  /** The bet that the choice places. */
  bet: string | null;
  /** It is made for a player whose time is up. */
  when_late?: boolean;
  /** What the viewer loses where time is up at this box, whichever choices it has; empty for nothing. */
  loses_when_late?: string;
}

/** What the learners of an exam came to. */
export interface ClassView {
  exam: ExamLine;
  sittings: SittingLine[];
  /** The clause that most sittings got wrong first. */
  weak: WeakClause[];
}

/** A clause that decides a question, in our words. */
export interface ClauseView {
  clause: string;
  text: string;
}

/** What will be different at a table from its next round on. */
export interface Coming {
  /** The number of the last round on the present terms. */
  after: number;
  limits: Record<string, [string, string]>;
  jackpot_bet: string | null;
  pay_tables: Record<string, Record<string, string>>;
  box_limits: Record<string, string>;
}

/** Two rulebooks side by side. */
export interface Comparison {
  games: [string, string];
  /** Of two versions of one document: paragraphs that are new, changed or gone. */
  paragraphs: ParagraphChange[];
  /** Of two versions of one document: readings that are lost, new or changed. */
  readings: ReadingChange[];
  differences: FactDifference[];
  same: Fact[];
}

/** What an action takes besides the post. */
export type Condition =
  | "assigned"
  | "consent"
  | "independent accounts"
  | "two people"
  | "two people above the bound for limits"
  | "two people above the bound for payments"
  | "two people for everybody but players"
  | "two people for stakeboards";

/** A ruling that the dealer has carried out: the number of its event at the table. */
export interface ConfirmedRuling {
  id: string;
  ruling: number;
}

/** How the acts of a settlement are confirmed before the next Round. */
export type Confirming = "each" | "no" | "together";

/** A payment that a player was asked to confirm. */
export interface Consent {
  id: string;
  kind: "buy_in" | "cash_out";
  player: string;
  amount: string;
  by: string;
  second: string;
  state: "confirmed" | "declined" | "unanswered" | "waiting";
  /** How long it still waits. */
  seconds: number;
}

/** A payment that its player is asked to confirm. */
export interface ConsentAsked {
  consent: string;
  player: string;
  amount: string;
  words: string;
}

/** What really lies on the felt, place by place, as in {"community": "Ah Kd 2c"}. */
export interface Correction {
  cards: Record<string, string>;
}

/** One step of the dealing procedure. */
export interface DealStep {
  step: number;
  order: string[];
  each: number;
  times: number;
}

/** The dealer's hand. */
export interface DealerView {
  cards: string[];
  hand: string;
  /** The five cards that make the hand, once it has more than five to choose from. */
  best: string[];
  /** Null before the settlement, and where the game asks for no such hand. */
  qualifies: boolean | null;
}

/** What each choice was worth when a decision of a played round was made. */
export interface DecisionValue {
  /** Of the step that made it. */
  seq: number;
  box: number;
  choice: string;
  ante: string;
  /** The best first; empty where the lab has no answer. */
  options: ChoiceValue[];
  /** How much less than the best choice it was worth, in antes; null where that is not known. */
  cost: number | null;
}

/** The deck of a deal is fixed; its commitment is published before bets are. */
export interface DeckCommitted {
  type: "DeckCommitted";
  round: number;
  deal: number;
  commitment: string;
  /** The commitment is the root over single cards, which can be opened one by one; otherwise a hash over them all. */
  by_card?: boolean;
}

/**
 * The Round has ended, so cards of its deck may be checked against the commitment. A deck that was committed to as a
 * whole stands here. Of one that was committed to card by card, which stays in the store, each person is shown the
 * cards that they saw, and the audit checks all.
 */
export interface DeckOpened {
  type: "DeckOpened";
  round: number;
  deal: number;
  deck?: string;
  salt?: string;
}

/** Why a proposal is declined. */
export interface Declining {
  words: string;
}

/** The case of a dispute. */
export interface DisputeCase {
  id: string;
  table: string;
  round: number;
  player: string;
  status: "closed" | "decided" | "open";
  outcome: DisputeOutcome | null;
  until: string;
  overdue: boolean;
  notes: CaseNote[];
  /** Whether the reader may decide it, or close it. */
  may_decide: boolean;
}

/** The end of a case. */
export interface DisputeClosing {
  id: string;
  words?: string;
}

/** How a dispute is decided, and why. */
export interface DisputeDecision {
  id: string;
  outcome: DisputeOutcome;
  words: string;
}

/** How a dispute was decided. */
export type DisputeOutcome = "agreed" | "dismissed" | "upheld";

/** A question that waits for its answer. */
export interface DrillView {
  drill: string;
  question: QuestionView;
}

/** The decision that is due, and what each box may choose of it. */
export interface DueDecision {
  bet: string;
  times_ante: number;
  choices: string[];
  boxes: number[];
  /** By box. */
  choices_of: Record<string, string[]>;
  rules: string[];
}

/** One action: who may take it, on which conditions. */
export interface DutyLine {
  action: Action;
  means: string;
  posts: Post[];
  conditions: Condition[];
}

/** Who may do what, on which conditions, with the bounds in force. */
export interface DutyTable {
  posts: Post[];
  actions: DutyLine[];
  /** What each condition says. */
  conditions: Record<string, string>;
  bounds: Bounds | null;
}

/** What an answer means for one box. */
export type Effect = "lost" | "option" | "plays_on" | "returned";

/** A person who may log in from now on. */
export interface EnrolledPerson {
  name: string;
  post: Post;
}

/** The id that records keep of a person whose name was erased. */
export interface ErasedPerson {
  id: string;
}

/** An exam that can be sat. */
export interface ExamLine {
  exam: string;
  title: string;
  by: string;
  editions: string[];
  topics: Topic[];
  clauses: string[];
  count: number;
  minutes: number;
  pass_mark: number;
  withdrawn: boolean;
}

/** A player or a post whose view of a round can be asked for, with `as_player` or `as_post`. */
export interface Eyes {
  kind: "player" | "post";
  name: string;
}

/** One statement of a rulebook: in which dimension, about what, what it says, and by which paragraphs. */
export interface Fact {
  dimension: string;
  about: string;
  says: string;
  rules: string[];
}

/** A statement on which two rulebooks differ; null where one of them has none. */
export interface FactDifference {
  dimension: string;
  about: string;
  first: Fact | null;
  second: Fact | null;
}

/** A second factor that waits for its first code: for an authenticator program. */
export interface Factor {
  secret: string;
  address: string;
  /** SVG. */
  qr: string;
}

/** The password again, and a code of the second factor. */
export interface FactorProof {
  password: string;
  code: string;
}

/** One event. `stream` and `seq` name it for good; a consumer that sees them again has seen it before. */
export interface FeedEvent {
  /** Go on after this event by sending it. */
  cursor: string;
  stream: string;
  seq: number;
  /** What it is called in the vocabulary of the feed, as in `game.settled`. */
  name: string;
  type: string;
  version: number;
  /** Microseconds since 1970, UTC. */
  at: number;
  command: string;
  /** The event as JSON text, as it is on record. */
  data: string;
}

/** Events in order, and where to go on. */
export interface FeedPage {
  format?: string;
  cursor: string;
  events: FeedEvent[];
  /** Further events are there already. */
  more: boolean;
}

/** What is known of a deal that went wrong. */
export interface FeltBody {
  incident: string;
  /** By place: box numbers, `dealer`, `community`, `burn`. */
  piles: Record<string, PileBody>;
  /** Cards that were drawn together in an unknown order, each by its place and its number there, from 0. */
  together?: [string, number][][];
  /** The card, from 0, with which it went wrong, where that is known. */
  at?: number | null;
  slips?: number;
}

/** What is known of a deal that went wrong: the cards on the felt, and how they came there. */
export interface FeltFacts {
  incident: string;
  /** By place: box numbers, `dealer`, `community`, `burn`. */
  piles: Record<string, Pile>;
  /** Cards that were drawn together in an unknown order, each by its place and its number there, from 0. */
  together?: [string, number][][];
  /** The card, counted from the first of the shoe from 0, with which it went wrong, where that is known. */
  at?: number | null;
  /** How many things went wrong, at most. */
  slips?: number;
}

/** What follows from the facts of the felt. It decides nothing: a person rules. */
export interface Finding {
  says: string;
  /** Exactly one layout is consistent. */
  determined: boolean;
  /** By the measure of the document; null where the facts contradict each other. */
  reconstructible: boolean | null;
  count: number;
  /** At most twelve. */
  layouts: PossibleLayout[];
}

/** The first code of a new device. */
export interface FirstCode {
  code: string;
}

/** A fixed amount, whatever the stake; the House keeps the stake. */
export interface Fixed {
  type: "fixed";
  amount: number;
}

/** The last hours of all tables of this server, with one point for each step. */
export interface FloorFigures {
  since: string;
  /** Seconds of one point. */
  step: number;
  rounds: number;
  handle: string;
  win: string;
  /** Rounds an hour, all tables together. */
  pace: number;
  wins: string[];
  handles: string[];
  /** Rounds of each step. */
  paces: number[];
  /** By link: the meter at the end of each step; null before this server had started. */
  meters: Record<string, (string | null)[]>;
  tables: TableFigures[];
  /** The newest first. */
  voided?: VoidedRound[];
}

/** A table in the list for people who are logged in. */
export interface FloorTable {
  table: string;
  game: string;
  /** The game with its version, as in `mbs-megalink-holdem@9`. */
  edition: string;
  /** Of the rule document; null where the document states none. */
  version: number | null;
  /** Why the rulebook is not there, so that no round can be played; empty where it is. */
  missing: string;
  scheduled: ScheduledEdition | null;
  title: string;
  operator: string;
  pit: string;
  currency: string;
  boxes: number;
  dealing: string;
  /** Community cards that the hands are made with; 0 where each hand stands alone. */
  board: number;
  /** Cards that a box is dealt; this and the two below say which places the felt has. */
  box_cards: number;
  dealer_cards: number;
  community_cards: number;
  limits: Record<string, [string, string]>;
  jackpot_bet: string | null;
  jackpot_multiples: number;
  link: string | null;
  pay_tables: Record<string, Record<string, string>>;
  /** A ruling may bar a player who breaks the rules. */
  bars: boolean;
  /** Boxes that the pit has limited, each with the most that may lie there as Ante. */
  box_limits: Record<string, string>;
  coming: Coming | null;
  bets: BetKind[];
  fold: FoldTerms;
  showdown: ShowdownTerms;
  several_boxes: boolean;
  one_look: boolean;
  /** Real cards lie on its felt. */
  physical: boolean;
  /** A dealer runs it; otherwise it runs by itself. */
  staffed: boolean;
  /** How the dealer's acts at the settlement are confirmed. */
  confirms: Confirming;
  /** Another server of the house runs it: watch and play it there. */
  elsewhere: boolean;
  /** Null where another server runs it. */
  stage: Stage | null;
  round: number | null;
  closed: boolean;
  seats: SeatView[];
}

/** Bets that a folded hand loses, and bets that it keeps. */
export interface FoldTerms {
  loses: string[];
  keeps: string[];
}

/** "400 for 1": the House pays four hundred times the stake and keeps the stake. */
export interface ForOne {
  type: "for_one";
  odds: number;
  per?: number;
}

/** How a question is answered. */
export type Form = "amount" | "one" | "order" | "several";

/** A rulebook, dimension by dimension, and every paragraph. */
export interface Game {
  game: string;
  /** The game with its version, as in `mbs-megalink-holdem@9`; every address of a game accepts it. */
  edition: string;
  version: number | null;
  /** The day from which the document is approved, where it says one. */
  effective: string | null;
  title: string;
  operator: string;
  /** Of everything that the rulebook declares, its paragraphs, and its readings in force. */
  sha256: string;
  facts: Fact[];
  paragraphs: Record<string, ParagraphText>;
}

/** A version of a game's rule document that is installed. */
export interface GameLine {
  game: string;
  /** The game with its version, as in `mbs-megalink-holdem@9`; every address of a game accepts it. */
  edition: string;
  version: number | null;
  /** The day from which the document is approved, where it says one. */
  effective: string | null;
  title: string;
  operator: string;
}

/** What a player's rounds of one game came to. */
export interface GameSums {
  game: string;
  sums: Sums;
}

/** A step at a table, as over HTTP; what it takes depends on the step. */
export interface GiveCommand {
  type: "command";
  id: string;
  table: string;
  command: Step;
}

/** An answer: the numbers of the options from 0, or an amount. */
export interface GivenAnswer {
  id: string;
  options?: number[];
  amount?: string;
}

/** What was right, and why. */
export interface GradedView {
  right: boolean;
  /** The right options; empty where an amount is asked for. */
  options: number[];
  /** The right amount; empty where options are. */
  amount: string;
  because: string;
  clauses: ClauseView[];
}

/** A box has decided, or the rules have decided for it. */
export interface HandDecided {
  type: "HandDecided";
  box: number;
  choice: string;
  bet?: string | null;
  parts?: StakePart[];
  rules?: string[];
  /** Decided by the rules, not by the Player. */
  deemed?: boolean;
}

/** A Player has looked at a Hand; `cards` is what they saw, where the program knows it. */
export interface HandExamined {
  type: "HandExamined";
  box: number;
  player: string;
  noticed?: boolean;
  cards?: string[];
  /** Of earlier releases: it keeps the cards from being guessed from the digest of this event. */
  salt?: string;
  round?: number;
  deal?: number;
  /**
   * Where the cards lie in the committed deck of this Round and deal. A look that says so is recorded without its
   * cards: a reader who can open the deck finds them there.
   */
  at?: number[];
}

/** A Player has touched a Hand. */
export interface HandHandled {
  type: "HandHandled";
  box: number;
  player: string;
}

/** The Hand is out of the Round; its Bets go back, but those in `lost` and `settled`. */
export interface HandInvalidated {
  type: "HandInvalidated";
  box: number;
  rules: string[];
  lost?: string[];
  settled?: string[];
}

/** The count of the tray, and the dealer who takes the table over. */
export interface HandOver {
  to: string;
  count: string;
}

/** A Player who refused has shown their Hand after all. */
export interface HandProved {
  type: "HandProved";
  box: number;
}

/** How a box stands in the Round. */
export type HandStands = "folded" | "forfeited" | "invalid" | "live" | "out";

/** Staff have looked at a Hand that was not shown. */
export interface HandViewed {
  type: "HandViewed";
  box: number;
  by: Role;
}

/** A hand-over that was signed. */
export interface HandedOver {
  by: string;
  to: string;
  second: string;
  at: string;
  count: string;
  /** What the house expected in the tray then, from the count before; null where there was none. */
  expected?: string | null;
}

/** Where a chain of events stands. */
export interface Head {
  seq: number;
  hash: string;
}

/** The process is alive. */
export interface Health {
  status: "ok";
  version: string;
}

/** When a major award was paid. */
export interface HitTime {
  at: string;
  table: string;
  round: number;
  box: number;
  hand: string;
}

/** A major award that was paid. */
export interface HitView {
  table: string;
  round: number;
  box: number;
  hand: string;
  amount: string;
}

/** What the House keeps on average at a table with the best play. */
export interface HouseEdge {
  state: "loading" | "missing" | "ready";
  /** Why it is missing. */
  message?: string;
  /** Of the ante. */
  edge?: number;
  /** Of all that is staked. */
  risk?: number;
  /** Of each side bet. */
  sides?: Record<string, number>;
}

/** An incident that may be reported now, and the facts that the report asks for. */
export interface IncidentKind {
  incident: string;
  says: string;
  asks: string[];
  rules: string[];
  /** The step that reports it. */
  do?: "report" | "walk_away";
}

/** An irregularity is on the record. */
export interface IncidentReported {
  type: "IncidentReported";
  report: ReportIncident;
  rules: string[];
}

/** What may go wrong in a round: its name in a search, and the words for it. */
export interface IncidentWords {
  incident: string;
  says: string;
}

/** A published checkpoint, and the proofs of records that it covers. */
export interface Inclusion {
  checkpoint: Checkpoint;
  proofs: Proof[];
}

/** A game for someone who does not know it. */
export interface IntroductionView {
  edition: string;
  title: string;
  operator: string;
  chapters: Chapter[];
}

/** A jackpot Bet accepted at closing: what of it counts toward the meter. */
export interface JackpotBet {
  box: number;
  player: string;
  amount: number;
}

/** No jackpot Bet is accepted at this table until the House restores them. */
export interface JackpotBetsSuspended {
  type: "JackpotBetsSuspended";
  rules: string[];
}

/** The House has taken a measure after a jackpot fault. */
export interface JackpotModeSet {
  type: "JackpotModeSet";
  by: Role;
  mode: string;
  rules: string[];
  box?: number | null;
}

/** What sort of Bet it is, and so how it comes onto the layout. */
export type KindOfBet = "decision" | "entry" | "jackpot" | "payout" | "side";

/** How well a learner knows a clause. */
export interface KnownClause {
  edition: string;
  clause: string;
  asked: number;
  right: number;
  /** When it is asked again. */
  due: string;
}

/** A person who may log in, and the id by which records know them. */
export interface KnownPerson {
  name: string;
  id: string;
  post: Post;
  sessions: number;
  second_factor: boolean;
  break_glass: boolean;
  alarm: boolean;
  pits: string[];
  tables: string[];
  /** An assignment to pits and tables binds this person. */
  assignable: boolean;
  /** What the reader may do to the account. */
  may: ("remove" | "remove_second_factor" | "reset_password")[];
}

/** What one jackpot bet pays in a game of the link, in the order of its document. */
export interface Ladder {
  game: string;
  operator: string;
  title: string;
  bet: string;
  lines: LadderLine[];
}

/** A line of the jackpot pay table, with what it is worth at this moment. */
export interface LadderLine {
  hand: string;
  pays: string;
  /** For the smallest jackpot bet. */
  amount: string;
  /** Paid by the meter. */
  major: boolean;
}

/** A lawful answer to what the round waits for, with what it does to the money of every box. */
export interface Lawful {
  incident: string;
  /** What has happened, as a sentence without its full stop. */
  says: string;
  answer: string;
  /** The lowest role that may rule; null where a box chooses. */
  by: string | null;
  /** The viewer may give this answer now. */
  may: boolean;
  box: number | null;
  /** The boxes that the report named. */
  named: number[];
  rules: string[];
  /** By box. */
  money: Record<string, BoxEffect>;
}

/** The ledger by kinds of account. */
export interface LedgerSums {
  players: string;
  layouts: string;
  /** With what tables have paid wrongly and not put right yet. */
  banks: string;
  links: string;
  house: string;
  cash: string;
  sum: string;
  balances: boolean;
}

/** A mispay of a bet that stands by a ruling. */
export interface LetStandView {
  move: ChipMove;
  due: string;
  did: ChipMove;
  amount: string;
  /** What the player was overpaid; below zero what they were underpaid. */
  over: string;
  /** Who let it stand. */
  who: string;
  /** Why. */
  text: string;
}

/** A settled bet and its reason. */
export interface Line {
  box: number;
  player: string;
  bet: string;
  staked: string;
  outcome: Outcome;
  won: string;
  returned: string;
  rules: string[];
  because: string;
  /** Mispays that stand: the bet came to what was due and what each of them is over. */
  let_stand?: LetStandView[];
}

/** Today on one link. */
export interface LinkDay {
  since: string;
  until: string;
  opening: Values;
  seeded: string;
  contributions: string;
  contributions_returned: string;
  top_ups: string;
  /** What two people have added to the meter or taken from it; below zero where they took more. */
  corrections: string;
  paid: string;
  /** What went into reserve, overflow and locked awards; below zero where more came out of them. */
  aside: string;
  adjustments: Cause[];
  closing: Values;
  adds_up: boolean;
  link: string;
}

/** A link that the client watches, at most four times a second. */
export interface LinkMessage {
  type: "link";
  link: string;
  meter: string;
  /** Set aside for awards that are not paid yet. */
  locked: string;
  closed: boolean;
  reset: string;
  hits: number;
  last_hits: HitView[];
  awards: AwardCase[];
  /** Tables of the link at which no jackpot bets are taken after a fault. */
  suspended: string[];
}

/** A jackpot link: the meter, the awards that are locked or wait, the last hits. */
export interface LinkView {
  link: string;
  meter: string;
  /** Set aside for awards that are not paid yet. */
  locked: string;
  closed: boolean;
  reset: string;
  hits: number;
  last_hits: HitView[];
  awards: AwardCase[];
  /** Tables of the link at which no jackpot bets are taken after a fault. */
  suspended: string[];
}

/** The tables, their limits, how many boxes are taken; the links. */
export interface Lobby {
  demo: boolean;
  tables: LobbyTable[];
  links: string[];
}

/** A table in the public lobby: boxes taken, but not by whom. */
export interface LobbyTable {
  table: string;
  game: string;
  /** The game with its version, as in `mbs-megalink-holdem@9`. */
  edition: string;
  /** Of the rule document; null where the document states none. */
  version: number | null;
  /** Why the rulebook is not there, so that no round can be played; empty where it is. */
  missing: string;
  scheduled: ScheduledEdition | null;
  title: string;
  operator: string;
  pit: string;
  currency: string;
  boxes: number;
  dealing: string;
  /** Community cards that the hands are made with; 0 where each hand stands alone. */
  board: number;
  /** Cards that a box is dealt; this and the two below say which places the felt has. */
  box_cards: number;
  dealer_cards: number;
  community_cards: number;
  limits: Record<string, [string, string]>;
  jackpot_bet: string | null;
  jackpot_multiples: number;
  link: string | null;
  pay_tables: Record<string, Record<string, string>>;
  /** A ruling may bar a player who breaks the rules. */
  bars: boolean;
  /** Boxes that the pit has limited, each with the most that may lie there as Ante. */
  box_limits: Record<string, string>;
  coming: Coming | null;
  bets: BetKind[];
  fold: FoldTerms;
  showdown: ShowdownTerms;
  several_boxes: boolean;
  one_look: boolean;
  /** Real cards lie on its felt. */
  physical: boolean;
  /** A dealer runs it; otherwise it runs by itself. */
  staffed: boolean;
  /** How the dealer's acts at the settlement are confirmed. */
  confirms: Confirming;
  /** Another server of the house runs it: watch and play it there. */
  elsewhere: boolean;
  /** Null where another server runs it. */
  stage: Stage | null;
  round: number | null;
  closed: boolean;
  seats_taken: number;
}

/** What a page of the pit shows while its session is locked: tables, and how much waits for the reader. */
export interface LockedFloor {
  tables: LockedTable[];
  /** Tables that call for the pit, and nobody is on the way. */
  calls: number;
  /** Proposals that the reader's post may sign. */
  proposals: number;
  /** Break-glass accounts in use. */
  alarms: number;
  /** When rounds of the last hours became void, the latest first, without those that the reader made void. */
  voided: string[];
}

/** A table on a locked page: where it is in its round, and whether it needs a person. */
export interface LockedTable {
  table: string;
  game: string;
  lamp: "away" | "betting" | "closed" | "jackpot" | "mispay" | "playing" | "rest" | "ruling" | "stuck";
  stage: Stage;
  /** How long it has been in its phase. */
  seconds: number;
  boxes: number;
  /** The numbers of the boxes with chips. */
  taken: number[];
}

/** A log-in with a name and a password. */
export interface LogIn {
  name: string;
  password: string;
  /** Of the second factor, or a recovery code, where the person has one. */
  code?: string;
}

/** A new session. */
export interface LoggedIn {
  name: string;
  post: Post;
  /** A page sends it in the header `X-CSRF` with every change. */
  csrf: string;
  /** A program sends it as `Authorization: Bearer TOKEN`. */
  token: string;
}

/** The session is over. */
export interface LoggedOut {
  ok: boolean;
}

/** Who is logged in, and what they may do. */
export interface Me {
  name: string;
  post: Post;
  csrf: string;
  may: Action[];
  demo: boolean;
  /** Why the session opens nothing for now; null where it is open. */
  held: "change_password_first" | "second_factor_first" | "session_locked" | null;
  second_factor: boolean;
  /** The page on which this person begins. */
  home: "academy" | "cage" | "display" | "people" | "pit" | "rounds" | "tables";
  /** The pages that this person may open, besides those that need no log-in. */
  pages: Page[];
  /** A guest of a demonstration: without a password, so that nobody can log in to the account again. */
  guest: boolean;
  /** Seconds without use after which the session is locked; null for never. */
  idle: number | null;
  /** When the session began, in ISO 8601. */
  since: string;
  /** A player's. */
  account?: Account;
}

/** A measure at a table or a link. */
export interface Measure {
  id: string;
}

/** Awards of this Round are paid from the meter as registered now. */
export interface MeterFrozen {
  type: "MeterFrozen";
  suspends_jackpot_bets: boolean;
  rules: string[];
}

/** The mispays of some hours, the newest first, and their sums, the dearest first. */
export interface MispayFigures {
  since: string;
  until: string;
  mispays: MispayLine[];
  total: MispaySum;
  by_dealer: MispaySum[];
  by_table: MispaySum[];
  by_bet: MispaySum[];
  by_shift: MispaySum[];
}

/** A Bet was paid or taken wrongly: the table stops until it is put right, or stands by a ruling. */
export interface MispayFound {
  type: "MispayFound";
  round: number;
  act: number;
  box: number;
  player: string;
  bet: string;
  move: ChipMove;
  due: number;
  did: ChipMove;
  amount: number;
  /** What the Player was overpaid; below zero what they were underpaid. */
  over: number;
  who: string;
  /** What decided the Bet. */
  rules: string[];
  by?: Role | null;
}

/** One mispay. */
export interface MispayLine {
  at: string;
  table: string;
  game: string;
  round: number;
  box: number;
  player: string;
  bet: string;
  /** What the player was overpaid; below zero what they were underpaid. */
  over: string;
  /** Who settled the round; empty where the journal does not say. */
  dealer: string;
  found_by: string;
  state: MispayState;
  /** Who put it right or let it stand. */
  by: string;
  text: string;
  rules: string[];
  shift: string;
}

/** A mispay of an earlier Round was noticed too late: it stands, and the ledger says so. */
export interface MispayNoted {
  type: "MispayNoted";
  /** The earlier one. */
  round: number;
  box: number;
  player: string;
  bet: string;
  over: number;
  by: Role;
  who: string;
  rules: string[];
  text: string;
}

/** The chips were put right, or the mispay stands by a ruling. */
export interface MispayResolved {
  type: "MispayResolved";
  round: number;
  act: number;
  player: string;
  over: number;
  put_right: boolean;
  by: Role;
  who: string;
  rules: string[];
  text?: string;
}

/** What became of a mispay. */
export type MispayState = "late" | "open" | "put_right" | "stands" | "unwound";

/** Mispays of one dealer, table, bet or shift. */
export interface MispaySum {
  of: string;
  count: number;
  overpaid: string;
  underpaid: string;
  /** What the House has lost by those that were not put right; below zero what it has kept. */
  cost: string;
}

/** The difference that stops the table, and what follows from it. */
export interface MispayView {
  act: number;
  box: number;
  player: string;
  bet: string;
  /** What the player was overpaid; below zero what they were underpaid. */
  over: string;
  says: string;
  who: string;
  /** What decided the bet. */
  rules: string[];
  resolutions: ResolutionView[];
  /** What decides once the next round has begun: it stands. */
  late_rules: string[];
}

/** The events since the one that the client saw last. */
export interface MissedMessage {
  type: "missed";
  table: string;
  after: number;
  events: TableEvent[];
  /** False where they are too many, or the house has been put back to a moment before. */
  all: boolean;
}

/** A question that was not answered right, with its answer. */
export interface MistakeView {
  number: number;
  question: QuestionView;
  graded: GradedView;
}

/** Anything else that the viewer may do: the command `do`, with its box and option where it names them. */
export interface Move {
  /** `walk_away`, `refuse_reveal`, `prove` or `choose`. */
  do: string;
  box: number | null;
  option: string | null;
  rules: string[];
  /** What it loses, where the rules name the bets; empty for nothing. */
  loses?: string;
}

/** Chips of a player, and the value of those that they are changed into. */
export interface NewColour {
  id: string;
  player: string;
  amount: string;
  chip: string;
}

/** A round that is disputed, why, and within how many days it has to be decided. */
export interface NewDispute {
  id: string;
  table: string;
  round: number;
  words: string;
  player?: string;
  days?: number;
}

/** A note for the case of a dispute. */
export interface NewDisputeNote {
  id: string;
  words: string;
}

/** Another version of a table's rule document, and the moment from which rounds begin by it. */
export interface NewEdition {
  edition: string;
  /** As in 2026-12-01T06:00:00Z. */
  at: string;
}

/** What an examiner sets. */
export interface NewExam {
  id: string;
  title: string;
  games: string[];
  topics: Topic[];
  clauses?: string[];
  count?: number;
  minutes?: number;
  pass_mark?: number;
}

/** Limits that a player sets for their own play; 0 for none. Stricter ones hold at once, looser ones after a day. */
export interface NewLimits {
  loss?: string;
  /** The longest session of play. */
  minutes?: number;
  /** Minutes between two reality checks. */
  check?: number;
}

/** A link to open: what its meter starts from, and how it grows. */
export interface NewLink {
  reset: string;
  contribution: string;
  reserve?: string;
  cap?: string | null;
  id: string;
  name: string;
  meter: string;
}

/** How the jackpot grows from now on. */
export interface NewParameters {
  reset: string;
  contribution: string;
  reserve?: string;
  cap?: string | null;
}

/** Another password for the person who is logged in. */
export interface NewPassword {
  old: string;
  new: string;
}

/** A person to enrol. */
export interface NewPerson {
  name: string;
  post: Post;
  password: string;
}

/** A table to open: its name, and its terms as in the settings file. */
export interface NewTable {
  id: string;
  name: string;
  terms: NewTerms;
}

/** The terms of a table to open, as in the settings file. */
export interface NewTerms {
  game: string;
  dealing?: string | null;
  boxes?: number | null;
  limits?: Record<string, [string, string]>;
  jackpot_bet?: string;
  pay_tables?: Record<string, Record<string, string>>;
  rulings?: Record<string, string>;
  link?: string | null;
  currency?: string | null;
  physical?: boolean;
  staffed?: boolean;
  betting_seconds?: number;
  deciding_seconds?: number;
  pause_seconds?: number;
  confirms?: string;
  pit?: string;
}

/** A visitor who is not logged in. */
export interface Nobody {
  name: null;
  post: null;
  csrf: string;
  may: Action[];
  demo: boolean;
}

/** Commands are not accepted. */
export interface NotReady {
  status: "away" | "stopped";
  problem: string;
}

/** A notice is shown at the table. */
export interface NoticeGiven {
  type: "NoticeGiven";
  text: string;
  rules: string[];
}

/** A password that works once, told only here. */
export interface OneTimePassword {
  name: string;
  password: string;
}

/** A box has answered its option. */
export interface OptionChosen {
  type: "OptionChosen";
  box: number;
  option: string;
  rules: string[];
}

/** The Round holds until each of these boxes has chosen. */
export interface OptionsOffered {
  type: "OptionsOffered";
  report: ReportIncident;
  boxes: number[];
  options: string[];
  rules: string[];
  withdraws_all?: boolean;
}

/** How a Bet came out. */
export type Outcome = "lose" | "returned" | "stand_off" | "win";

/** A limit of a player's own: an amount, or minutes; empty for none. */
export interface OwnLimit {
  now: string;
  /** The looser limit that waits; null in `since` where none does. */
  later: string;
  /** When it takes the place of `now`. */
  since: string | null;
}

/** Limits that a player has set for their own play, and the session that runs. */
export interface OwnLimits {
  loss: OwnLimit;
  minutes: OwnLimit;
  check: OwnLimit;
  session: SessionOfPlay | null;
}

/** One round of a player. */
export interface OwnRound {
  table: string;
  game: string;
  round: number;
  at: string;
  /** It is not over, so it counts in no sum. */
  in_play: boolean;
  staked: string;
  returned: string;
  net: string;
}

/** A page of a player's rounds, the newest first, and what all rounds of the search came to. */
export interface OwnRounds {
  rounds: OwnRound[];
  /** How many rounds there are beyond this page. */
  more: number;
  total: Sums;
  games: GameSums[];
  /** The newest first. */
  sessions: SessionSums[];
}

/** A page of the browser client that needs a log-in, by its address. */
export type Page =
  | "academy"
  | "account"
  | "audit"
  | "cage"
  | "dealer"
  | "disputes"
  | "duties"
  | "my-rounds"
  | "people"
  | "pit"
  | "receipt"
  | "replay"
  | "rounds"
  | "table";

/** An award that the dealer has paid out: its number on the link. */
export interface PaidAward {
  id: string;
  award: number;
  /** Chips of the table's own tray were given; else the cage paid, or the pit brought the chips. */
  from_tray?: boolean;
}

/** Who said that an award is paid out, and when. */
export interface PaidOutView {
  by: string;
  at: string;
}

/** A paragraph in two versions of a document; null where one of them does not have it. */
export interface ParagraphChange {
  paragraph: string;
  first: string | null;
  second: string | null;
}

/** A paragraph in our words. */
export interface ParagraphText {
  text: string;
  kind: string;
}

/** The password again. */
export interface PasswordProof {
  password: string;
}

/** A pay table as it is printed on the felt. */
export interface PayTable {
  of: string;
  rows: PrintedRow[];
  rules: string[];
}

/** Money for chips, or chips for money. */
export interface PaymentRequest {
  id: string;
  player: string;
  amount: string;
}

/** The person to whom it was done. */
export interface PersonName {
  name: string;
}

/** How long a table has been in its present phase, by the house's own clock. */
export interface PhaseTime {
  seconds: number;
  /** Seconds after which the pit looks at it; null where the table may rest. */
  alarm_after: number | null;
  /** When the server began again in the middle of this round; null where it did not, and once the round is over. */
  restarted?: string | null;
}

/** The cards that lie at one place after a dealing error. */
export interface Pile {
  /** In the order in which they came there, where that is known; FACE_DOWN for those that were not seen. */
  cards: string[];
  ordered?: boolean;
}

/** The cards that lie at one place after a dealing error, as in `As ??`. */
export interface PileBody {
  cards: string;
  /** They are written in the order in which they came there. */
  ordered?: boolean;
}

/** Which rules a table plays by: the edition, the content of its rulebook, and what the table sets itself. */
export interface Pin {
  edition: string;
  /** Of the rulebook under the table's readings. */
  sha256: string;
  /** SHA-256 over dealing procedure, boxes, limits, jackpot Bet, stakeboard and currency. */
  overrides: string;
}

/** Ask whether the server is there. */
export interface Ping {
  type: "ping";
  id?: string | null;
}

/** One line of the floor, for staff. */
export interface PitMessage {
  type: "pit";
  table: string;
  game: string;
  /** The game with its version, as in `mbs-megalink-holdem@9`. */
  edition: string;
  /** Of the rule document; null where the document states none. */
  version: number | null;
  /** Why the rulebook is not there, so that no round can be played; empty where it is. */
  missing: string;
  scheduled: ScheduledEdition | null;
  title: string;
  operator: string;
  pit: string;
  currency: string;
  boxes: number;
  dealing: string;
  /** Community cards that the hands are made with; 0 where each hand stands alone. */
  board: number;
  /** Cards that a box is dealt; this and the two below say which places the felt has. */
  box_cards: number;
  dealer_cards: number;
  community_cards: number;
  limits: Record<string, [string, string]>;
  jackpot_bet: string | null;
  jackpot_multiples: number;
  link: string | null;
  pay_tables: Record<string, Record<string, string>>;
  /** A ruling may bar a player who breaks the rules. */
  bars: boolean;
  /** Boxes that the pit has limited, each with the most that may lie there as Ante. */
  box_limits: Record<string, string>;
  coming: Coming | null;
  bets: BetKind[];
  fold: FoldTerms;
  showdown: ShowdownTerms;
  several_boxes: boolean;
  one_look: boolean;
  /** Real cards lie on its felt. */
  physical: boolean;
  /** A dealer runs it; otherwise it runs by itself. */
  staffed: boolean;
  /** How the dealer's acts at the settlement are confirmed. */
  confirms: Confirming;
  /** Another server of the house runs it: watch and play it there. */
  elsewhere: boolean;
  /** Null where another server runs it. */
  stage: Stage | null;
  round: number | null;
  closed: boolean;
  seats: SeatView[];
  clock: ServerClock | null;
}

/** A bet that the viewer may place now, and how much of it. */
export interface PlaceableBet {
  box: number;
  bet: string;
  least: string;
  most: string;
  /** The only amounts that are accepted, where the rules prescribe them. */
  amounts: string[];
  rules: string[];
}

/** A round step by step. */
export interface PlayedRound {
  table: string;
  game: string;
  edition: string;
  /** Why the round can be shown and not judged again: its rulebook is not installed as it was; empty where it is. */
  missing: string;
  round: number;
  stage: Stage;
  at: string;
  decks: SealedDeck[];
  lines: Line[];
  awards: AwardPaidView[];
  cases: AwardHistoryView[];
  steps: RoundStep[];
  /** The viewer may have the record of the round. */
  may_export: boolean;
  /** People and posts whose view of the round the reader may take. */
  viewers: Eyes[];
}

/** A player and what they hold in chips. */
export interface PlayerBalance {
  player: string;
  balance: string;
  logged_in: boolean;
  enrolled: boolean;
}

/** A Player who was barred may play again. */
export interface PlayerReadmitted {
  type: "PlayerReadmitted";
  player: string;
  by: Role;
  rules: string[];
}

/** A Player may bet on one position only. */
export interface PlayerRestricted {
  type: "PlayerRestricted";
  player: string;
  by: Role;
  rules: string[];
}

/** A Player may not play on. */
export interface PlayerStopped {
  type: "PlayerStopped";
  player: string;
  by: Role;
  rules: string[];
}

/** One thing to know. */
export interface Point {
  says: string;
  /** What it is about, where that is not in the words. */
  about?: string;
  rules?: string[];
  cards?: string[];
}

/** The answer to a ping. */
export interface Pong {
  type: "pong";
  id: string | null;
}

/** One layout that the facts allow. */
export interface PossibleLayout {
  /** By place the cards that it was to receive: the face, or where the card lies now. */
  places: Record<string, string[]>;
  /** What the Dealer does to put the cards there. */
  moves: string[];
  /** By box what its bets win or lose as they lie; null where a card that decides it was not seen. */
  money: Record<string, string> | null;
}

/** What a person is in the house. */
export type Post =
  | "administrator"
  | "auditor"
  | "cage"
  | "chip_reader"
  | "dealer"
  | "display"
  | "examiner"
  | "learner"
  | "pit_manager"
  | "pit_supervisor"
  | "player"
  | "shift_manager"
  | "surveillance";

/** A post in which the reader may enrol a person. */
export interface PostLine {
  post: Post;
  /** Posts that may give the second signature; empty where the reader enrols alone. */
  signed_by: Post[];
}

/** The value of each choice that the player has to make now. */
export interface PracticeAnswer {
  state: "loading" | "missing" | "ready";
  message?: string;
  round?: number;
  boxes: PracticePosition[];
}

/** The value of each choice of one box. */
export interface PracticePosition {
  box: number;
  /** How many community cards lie face up. */
  board: number;
  /** Bets of the box that the values do not count. */
  uncounted: string[];
  /** The best first. */
  options?: ChoiceValue[];
  counted?: string[];
  /** Why the lab has no answer. */
  wrong?: string;
}

/** What a report would lead to. */
export interface Preview {
  accepted: true;
  rules: string[];
  stage: Stage;
  redealt: boolean;
  /** By box. */
  money: Record<string, BoxEffect>;
  awaiting: Lawful[];
}

/** What one hand pays. */
export interface PrintedRow {
  hand: string;
  pays: string;
}

/** The Dealer's procedure at a table, and what is asked of the Dealer now. */
export interface Procedure {
  table: string;
  round: number;
  dealing: string;
  rules: string[];
  steps: ProcedureStep[];
  /** The index of the step where the round stands; null where none is in play. */
  at: number | null;
  /** The Dealer deals now. */
  deal: boolean;
  /** The indexes of the steps that the Dealer deals now, one after the other, before they are put on record. */
  deals: number[];
  /** How many cards the Dealer turns now, by place. */
  turn: Record<string, number>;
  decision: DueDecision | null;
  incidents: IncidentKind[];
  chip_notes: ChipNote[];
  /** What the table's bank has won or lost since the table opened. */
  bank: string;
  corrections: WaitingCorrection[];
  hand_overs: WaitingHandOver[];
  /** The last hand-over that was signed. */
  handed_over?: HandedOver | null;
  /** Other tables whose round in play the reader deals. */
  deals_at?: string[];
  /** Awards of the table that are signed for: those to be paid, and the last ones that are. */
  payments?: AwardPayment[];
  /** Rulings that were given in this round, the oldest first. */
  rulings?: RulingNote[];
  /** Why the reader takes no steps here: they have handed the table over. */
  left?: string;
  /** The house has a count of the tray, so that it knows what to expect there. */
  counted?: boolean;
  /** Cards of this deal that are burnt, as the procedure has it. */
  burnt?: number;
  /** Who sits where at a table with real cards, also before they bet. */
  seats?: BoxSeat[];
}

/** One step of the dealing procedure in words. */
export interface ProcedureStep {
  says: string;
  rules: string[];
}

/** The proof that a record stands in the tree of a checkpoint. */
export interface Proof {
  stream: string;
  seq: number;
  blinding: string;
  index: number;
  path: string[];
}

/** A measure that waits for its second person. */
export interface Proposal {
  id: string;
  by: string;
  words: string;
  /** The action that the second person needs. */
  second: Action;
  /** How long it still waits; 0 in the answer to the proposal itself. */
  seconds: number;
  /** The reader may give the second signature, or decline. */
  may_sign: boolean;
  /** The reader proposed it, and may withdraw it while it waits. */
  mine: boolean;
  /** Another person has declined it; empty while it waits. */
  declined_by: string;
  /** The words of the person who declined it. */
  why: string;
  /** The count of the tray beside what the house expects there, where a table is handed over. */
  hand_over?: WaitingHandOver | null;
  /** Nobody signed it in time; only its proposer reads it then, for an hour. */
  lapsed?: boolean;
}

/** A question as the learner sees it before the answer. */
export interface QuestionView {
  edition: string;
  topic: Topic;
  asks: string;
  situation: string[];
  /** Cards that lie face up, by place. */
  cards: Record<string, string[]>;
  form: Form;
  options: string[];
  picks: number;
}

/** The ranking list of Five-card Hands, lowest first. */
export type Rank = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** What became of a reading. */
export interface ReadingChange {
  reading: string;
  says: string;
}

/** Where the document is silent: the question, and the answer in force. */
export interface ReadingText {
  question: string;
  meaning: string;
}

/** Commands are accepted. */
export interface Ready {
  status: "ready";
  tables: number;
  /** Tables whose clock has failed, and why. */
  alarms: Record<string, string>;
}

/** What a round came to for one player, and where the journal has it. */
export interface Receipt {
  house: string;
  player: string;
  table: string;
  game: string;
  edition: string;
  /** Content hash of the rulebook by which the round was played. */
  rulebook: string;
  round: number;
  at: string;
  stage: Stage;
  lines: Line[];
  awards: AwardPaidView[];
  staked: string;
  returned: string;
  net: string;
  /** The place in the journal of the round's last record, as in `table/T1 120`. */
  record: string;
  /** Of that record: it covers every record before it. */
  hash: string;
  /** The signed checkpoint that covers it, by its number and root; empty where none does yet. */
  checkpoint: string;
  /** When the receipt was made. */
  printed: string;
}

/** What the bets of a round were settled by: limits in cents, pay tables and readings. */
export interface RecordRules {
  limits: Record<string, [number, number]>;
  jackpot_bet: number | null;
  pay_tables: Record<string, Record<string, string>>;
  readings: Record<string, string>;
}

/** How an award of the round stands. */
export interface RecordedAward {
  award: number;
  box: number;
  state: string;
}

/** A deck that was committed to card by card: whole, or single cards with their proofs. */
export interface RecordedDeck {
  deal: number;
  deck?: string;
  salt?: string;
  cards?: CardProof[];
}

/** A record of the journal; its hash is over its content and the hash before. */
export interface RecordedEvent {
  stream: string;
  seq: number;
  type: string;
  version: number;
  /** Microseconds since 1970, UTC. */
  at: number;
  command: string;
  data?: string;
  hash: string;
  /** In place of `data`, where another player saw the cards in private. */
  digest?: string;
  /** The hash that the record is chained to; on records of a link. */
  before?: string;
}

/** Recovery codes, told this once. */
export interface RecoveryCodes {
  recovery: string[];
}

/** Nothing was changed: a stable code, one sentence, and the paragraphs that say so. */
export interface Refusal {
  accepted: false;
  code: string;
  message: string;
  /** Left out where the house itself refuses and no paragraph says so. */
  rules?: string[];
}

/** A person who may no longer log in and whose name is still known. */
export interface RemovedPerson {
  name: string;
  id: string;
}

/** A report that is not made yet. */
export interface ReportDraft {
  /** Whom a person of the staff acts for; a player acts for themselves. */
  player?: string | null;
  box?: number | null;
  boxes?: number[] | number | null;
  bet?: string;
  amount?: string;
  noticed?: boolean;
  choice?: string;
  option?: string;
  decision?: string;
  incident?: string;
  count?: number | null;
  dealer?: boolean;
  community?: boolean;
  reconstructible?: boolean | null;
  correct?: boolean;
  affected?: number[] | number | null;
  mode?: string;
  tables?: string[];
  /** By place, as in {"1": "Ah Kh"}. */
  cards?: Record<string, string> | null;
  text?: string | null;
  /** With `rule`: the facts of the cards that were in front of the person who rules. */
  felt?: FeltBody | null;
  /** The number of the award, as the link shows it. */
  award?: number;
  limits?: Record<string, [string, string]> | null;
  jackpot_bet?: string | null;
  pay_tables?: Record<string, Record<string, string>> | null;
  confirms?: string | null;
  /** Numbers of the acts of a settlement that were done as due. */
  acts?: number[];
  act?: number;
  /** `take` or `pay`: what was really done in an act. */
  did?: string;
  /** With `resolve_mispay`: whether the chips were put right, or the mispay stands. */
  put_right?: boolean;
  /** With `note_mispay`: the round that was mispaid. */
  earlier?: number;
  /** With `note_mispay`: whether the player had too much, or too little. */
  overpaid?: boolean;
  link?: boolean;
  /** Ignored: the server says who asks. */
  by?: string | null;
  /** Ignored, like `by`. */
  who?: string | null;
  note?: string;
  comment?: string;
  do?: "report";
  /** Boxes whose players have looked at their cards, where no person has entered it yet. */
  looked?: number[];
}

/** An irregularity is noticed now; the fields are the facts that its paragraphs ask for. */
export interface ReportIncident {
  type: "ReportIncident";
  incident: string;
  by?: Role;
  boxes?: number[];
  /** Other boxes that staff mark as affected. */
  affected?: number[];
  player?: string | null;
  count?: number | null;
  dealer?: boolean;
  community?: boolean;
  reconstructible?: boolean | null;
  correct?: boolean;
  text?: string;
  /** The link has paid an award of this Round; the caller says so. */
  award_paid?: boolean;
}

/** A way out of a mispay: who may take it, by which paragraphs. */
export interface ResolutionView {
  put_right: boolean;
  says: string;
  by: string;
  rules: string[];
  /** The viewer may take it now. */
  may: boolean;
}

/** A Player refuses to show their Hand. */
export interface RevealRefused {
  type: "RevealRefused";
  box: number;
}

/** Who may rule; a higher one may always act for a lower one, so roles compare. */
export type Role = 1 | 2 | 3 | 4;

/** A round in one line of a list. */
export interface RoundLine {
  table: string;
  game: string;
  edition: string;
  round: number;
  at: string;
  stage: Stage;
  players: string[];
  bets: string[];
  /** Of the players, as far as they were shown. */
  hands: string[];
  staked: string;
  won: string;
  returned: string;
  /** Of what was won, the part that the jackpot's meter paid. */
  from_meter: string;
  /** What mispays that stand left with the players beyond what was due; below zero what the players lack. */
  mispaid: string;
}

/** The Dealer has called for Bets. */
export interface RoundOpened {
  type: "RoundOpened";
  number: number;
  /** The gaming day, where a game remembers anything for a day. */
  day?: number;
  /** The rules by which it is judged; None in records of releases that knew one version of each document. */
  rulebook?: Pin | null;
  /** How the acts of its settlement are confirmed before the next Round. */
  confirms?: Confirming;
}

/** A round that is over, as a file that `verify.py` checks with Python alone. */
export interface RoundRecord {
  format: string;
  table: string;
  game: string;
  /** The edition by which it was played, with the content hash of its rulebook and of the table's own settings. */
  rulebook: Pin;
  round: number;
  physical: boolean;
  dealing: string;
  procedure: DealStep[];
  rules: RecordRules;
  before: string;
  records: RecordedEvent[];
  decks: RecordedDeck[];
  awards: RecordedAward[];
  on_the_link: RecordedEvent[];
  /** Proofs against signed checkpoints, where the house has a witness. */
  witness?: Inclusion[];
}

/** Noticed before the next Round: the settlement is unwound, its lines and awards are as if they had not been. */
export interface RoundReopened {
  type: "RoundReopened";
  number: number;
  rules: string[];
}

/** Every Bet is settled; awards of the meter may still wait. */
export interface RoundSettled {
  type: "RoundSettled";
  number: number;
}

/** One step of a round: what happened, and the table as the viewer saw it then. */
export interface RoundStep {
  /** 0 for what happened to an award. */
  seq: number;
  at: string;
  event: StepEvent;
  view: TableView;
}

/** The value of each decision of a played round whose hand the reader may know. */
export interface RoundValues {
  state: "loading" | "missing" | "ready";
  message?: string;
  decisions: DecisionValue[];
}

/** The Round has no result. */
export interface RoundVoided {
  type: "RoundVoided";
  number: number;
  rules: string[];
  because: string;
}

/** The Round holds until a person of this role or above decides. */
export interface RulingAwaited {
  type: "RulingAwaited";
  report: ReportIncident;
  role: Role;
  decisions: string[];
  rules: string[];
}

/** A person has decided: who, what, by which paragraph, in which words. */
export interface RulingGiven {
  type: "RulingGiven";
  by: Role;
  decision: string;
  rules: string[];
  boxes?: number[];
  player?: string | null;
  who?: string;
  text?: string;
  /** What of the cards was in front of the person who ruled. */
  facts?: FeltFacts | null;
}

/** A ruling of the round, as the person at the table carries it out. */
export interface RulingNote {
  /** Of its event at the table. */
  number: number;
  decision: string;
  /** The role in which it was given. */
  by: string;
  who: string;
  /** In the words of the person who ruled; of cards drawn together, where each of them goes. */
  text: string;
  boxes: number[];
  at: string;
  /** Who has said that it is carried out; empty before. */
  carried_out_by?: string;
}

/** Another version of the rule document, by which rounds begin from a moment on. */
export interface ScheduledEdition {
  edition: string;
  at: string;
}

/** A deal's commitment and, once the round is over, as much of its deck as the viewer may see. */
export interface SealedDeck {
  deal: number;
  commitment: string;
  by_card: boolean;
  /** The whole deck, for people who may audit. */
  deck: string | null;
  salt: string | null;
  /** Single cards, each with its proof. */
  cards: CardProof[] | null;
}

/** A player at a box. */
export interface SeatView {
  box: number;
  player: string;
}

/** The player of a box, and what they hold in chips. */
export interface SeatedPlayer {
  player: string;
  balance: string;
}

/** The clock of a table that runs by itself, in seconds. */
export interface ServerClock {
  phase: string;
  left: number;
  of: number;
}

/** The session that was ended. */
export interface SessionId {
  id: string;
}

/** The session of play of a player with limits. */
export interface SessionOfPlay {
  since: string;
  minutes: number;
  /** Won or lost so far; chips on tables count as lost. */
  net: string;
  /** What may still be staked; null without a loss limit. */
  left: string | null;
  /** Seconds until the time limit, 0 where it is over; null without one. */
  ends: number | null;
  /** Seconds until the next reality check, 0 where it is due; null without one. */
  check: number | null;
}

/** What a session of play came to: rounds with less than six hours between them. */
export interface SessionSums {
  since: string;
  until: string;
  sums: Sums;
}

/** The use of the session was noted. */
export interface SessionUsed {
  used: boolean;
}

/** A session of a person; moments are in UTC, null where an earlier release did not keep them. */
export interface SessionView {
  id: string;
  opened: string | null;
  used: string | null;
  address: string;
  browser: string;
  locked: boolean;
  /** It is the session of this request. */
  this: boolean;
}

/** The acts of a settlement in their order, and how far they are confirmed. */
export interface SettlingView {
  confirms: Confirming;
  acts: ActView[];
  done: number;
  mispay: MispayView | null;
}

/** A share of the Progressive Jackpot as a fraction, so that 2.5% is exact; the House keeps the stake. */
export interface ShareOfMeter {
  type: "share_of_meter";
  numerator: number;
  denominator: number;
}

/** What the bets against the Dealer's hand pay, and what the Dealer needs. */
export interface ShowdownTerms {
  /** Bets that a better hand is paid 1 to 1 on. */
  even: string[];
  /** On a win below this hand the Ante only comes back; empty where every win pays it. */
  ante_from: string;
  /** The least hand with which the Dealer plays, as in "a pair of 4s"; empty where every hand does. */
  dealer_needs: string;
}

/** The last checkpoint that the witness has signed. */
export interface SignedCheckpoint {
  number: number;
  server: string;
  at: string;
  records: number;
  key: string;
  hash: string;
  /** SVG, for the printed report. */
  qr: string;
}

/** How many sessions of a person were ended. */
export interface SignedOut {
  name: string;
  sessions: number;
}

/** An answer to a question of a sitting. */
export interface SittingAnswer {
  /** Of the question, from 0. */
  number: number;
  id: string;
  options?: number[];
  amount?: string;
}

/** One sitting in a list. */
export interface SittingLine {
  sitting: string;
  exam: string;
  title: string;
  person: string;
  begun: string;
  over: boolean;
  right: number;
  asked: number;
  points: number;
  passed: boolean;
}

/** A sitting as its learner sees it: the next question, or the result. */
export interface SittingView {
  sitting: string;
  title: string;
  /** Of the next question, from 0. */
  number: number;
  count: number;
  seconds_left: number;
  /** Null where the sitting is over. */
  question: QuestionView | null;
  /** Null before it is over. */
  result: SittingLine | null;
  /** What was wrong, after it is over. */
  mistakes: MistakeView[];
}

/** How far the Round has come. */
export type Stage = "betting" | "idle" | "playing" | "settled" | "void";

/** Chips of a player on one bet of a box. */
export interface Stake {
  player: string;
  bet: string;
  amount: string;
}

/** A Player's part of a decision Bet; on a shared area each Player funds it as they funded the Ante. */
export interface StakePart {
  player: string;
  amount: number;
}

/** A step at a table. */
export interface Step {
  /** Whom a person of the staff acts for; a player acts for themselves. */
  player?: string | null;
  box?: number | null;
  boxes?: number[] | number | null;
  bet?: string;
  amount?: string;
  noticed?: boolean;
  choice?: string;
  option?: string;
  decision?: string;
  incident?: string;
  count?: number | null;
  dealer?: boolean;
  community?: boolean;
  reconstructible?: boolean | null;
  correct?: boolean;
  affected?: number[] | number | null;
  mode?: string;
  tables?: string[];
  /** By place, as in {"1": "Ah Kh"}. */
  cards?: Record<string, string> | null;
  text?: string | null;
  /** With `rule`: the facts of the cards that were in front of the person who rules. */
  felt?: FeltBody | null;
  /** The number of the award, as the link shows it. */
  award?: number;
  limits?: Record<string, [string, string]> | null;
  jackpot_bet?: string | null;
  pay_tables?: Record<string, Record<string, string>> | null;
  confirms?: string | null;
  /** Numbers of the acts of a settlement that were done as due. */
  acts?: number[];
  act?: number;
  /** `take` or `pay`: what was really done in an act. */
  did?: string;
  /** With `resolve_mispay`: whether the chips were put right, or the mispay stands. */
  put_right?: boolean;
  /** With `note_mispay`: the round that was mispaid. */
  earlier?: number;
  /** With `note_mispay`: whether the player had too much, or too little. */
  overpaid?: boolean;
  link?: boolean;
  /** Ignored: the server says who asks. */
  by?: string | null;
  /** Ignored, like `by`. */
  who?: string | null;
  note?: string;
  comment?: string;
  do:
    | "bet"
    | "change_terms"
    | "choose"
    | "close_bets"
    | "close_table"
    | "confirm_acts"
    | "deal"
    | "decide"
    | "deny_award"
    | "enter_act"
    | "examine"
    | "handle"
    | "jackpot_mode"
    | "note_mispay"
    | "open"
    | "prove"
    | "refuse_reveal"
    | "reopen_table"
    | "report"
    | "resolve_mispay"
    | "restrict"
    | "rule"
    | "turn"
    | "verify_award"
    | "view_hand"
    | "walk_away"
    | "withdraw";
  /** The round that the sender saw; at another round the step is refused. */
  round?: number | null;
  /** With `decide`: how many decisions the box had made. */
  decided?: number | null;
}

/** What some rounds came to. */
export interface Sums {
  rounds: number;
  staked: string;
  /** All that came back: stakes, winnings and awards. */
  returned: string;
  net: string;
}

/** Money that a dealer takes at a table for chips. */
export interface TableBuyIn {
  id: string;
  box: number;
  amount: string;
  /** A player who is known by name; empty for a patron without an account, who is known by table and box. */
  player?: string;
}

/** Chips that a player takes away from a table. */
export interface TableChips {
  id: string;
  player: string;
  amount: string;
  /** Where they sit; a player who takes all their chips away no longer does. */
  box?: number;
}

/** A step at a table, over HTTP; the same id is carried out once. */
export interface TableCommand {
  /** Whom a person of the staff acts for; a player acts for themselves. */
  player?: string | null;
  box?: number | null;
  boxes?: number[] | number | null;
  bet?: string;
  amount?: string;
  noticed?: boolean;
  choice?: string;
  option?: string;
  decision?: string;
  incident?: string;
  count?: number | null;
  dealer?: boolean;
  community?: boolean;
  reconstructible?: boolean | null;
  correct?: boolean;
  affected?: number[] | number | null;
  mode?: string;
  tables?: string[];
  /** By place, as in {"1": "Ah Kh"}. */
  cards?: Record<string, string> | null;
  text?: string | null;
  /** With `rule`: the facts of the cards that were in front of the person who rules. */
  felt?: FeltBody | null;
  /** The number of the award, as the link shows it. */
  award?: number;
  limits?: Record<string, [string, string]> | null;
  jackpot_bet?: string | null;
  pay_tables?: Record<string, Record<string, string>> | null;
  confirms?: string | null;
  /** Numbers of the acts of a settlement that were done as due. */
  acts?: number[];
  act?: number;
  /** `take` or `pay`: what was really done in an act. */
  did?: string;
  /** With `resolve_mispay`: whether the chips were put right, or the mispay stands. */
  put_right?: boolean;
  /** With `note_mispay`: the round that was mispaid. */
  earlier?: number;
  /** With `note_mispay`: whether the player had too much, or too little. */
  overpaid?: boolean;
  link?: boolean;
  /** Ignored: the server says who asks. */
  by?: string | null;
  /** Ignored, like `by`. */
  who?: string | null;
  note?: string;
  comment?: string;
  do:
    | "bet"
    | "change_terms"
    | "choose"
    | "close_bets"
    | "close_table"
    | "confirm_acts"
    | "deal"
    | "decide"
    | "deny_award"
    | "enter_act"
    | "examine"
    | "handle"
    | "jackpot_mode"
    | "note_mispay"
    | "open"
    | "prove"
    | "refuse_reveal"
    | "reopen_table"
    | "report"
    | "resolve_mispay"
    | "restrict"
    | "rule"
    | "turn"
    | "verify_award"
    | "view_hand"
    | "walk_away"
    | "withdraw";
  /** The round that the sender saw; at another round the step is refused. */
  round?: number | null;
  /** With `decide`: how many decisions the box had made. */
  decided?: number | null;
  id: string;
}

/** An event of a table by its number, as the viewer may see it. */
export interface TableEvent {
  seq: number;
  at: string;
  event: TableFact;
}

/** The last hours of one table. */
export interface TableFigures {
  table: string;
  rounds: number;
  /** All that was staked in rounds that were not void. */
  handle: string;
  /** What of it the House kept; what a meter paid was not the House's. */
  win: string;
  /** Rounds an hour, over the newest rounds; 0 where there are too few. */
  pace: number;
  /** The win of each step, the oldest first. */
  wins: string[];
  /** Who deals the round in play; empty between rounds, and where no dealer runs the table. */
  dealer?: string;
  /** Awards that are signed for: those to be paid, and the last ones that are. */
  payments?: AwardPayment[];
}

/** A table that the client watches: the whole view, at first and where the client could not follow its changes. */
export interface TableMessage {
  type: "table";
  table: string;
  game: string;
  /** The game with its version; its rulebook is found by it. */
  edition: string;
  /** The commitment to the deck in play. */
  commitment: string | null;
  /** No further round begins. */
  closed: boolean;
  limits: Record<string, [string, string]>;
  jackpot_bet: string | null;
  pay_tables: Record<string, Record<string, string>>;
  /** Boxes that the pit has limited, each with the most that may lie there as Ante. */
  box_limits: Record<string, string>;
  coming: Coming | null;
  round: number;
  stage: Stage;
  community: string[];
  dealer: DealerView;
  boxes: BoxView[];
  /** This and the three lists below are a player's; for others they are empty. */
  choices: ChoiceView[];
  bets: PlaceableBet[];
  withdrawals: Withdrawal[];
  moves: Move[];
  awaiting: Lawful[];
  lines: Line[];
  /** A notice at the table says that no jackpot bets are taken. */
  notice: boolean;
  /** Steps that staff may take at this table, by post, assignment and role; empty in a replay. */
  may?: string[];
  /** The acts of the settlement, where they are confirmed; for those who confirm or watch them. */
  settling?: SettlingView | null;
  /** Award cases of this round; in a replay they stand beside the steps. */
  awards?: AwardCase[];
  /** Open award cases of earlier rounds at this table. */
  earlier_awards?: AwardCase[];
  /** Only in the answer of `GET /api/tables/NAME`. */
  terms?: Terms;
  /** The number of the table's last event; not in replays. */
  seq: number;
  /** In live messages; null where nothing is counted down. */
  clock: ServerClock | null;
  /** In live messages. */
  phase: PhaseTime;
  /** Of this view; the next patch names it. */
  version: number;
}

/** What has changed in the view of a table: fields that are there replace those of the view that the client has. */
export interface TablePatch {
  type: "patch";
  table: string;
  /** The version of the view that this changes. A client with another version watches the table again. */
  after: number;
  /** The version of the view with this change. */
  version: number;
  game?: string;
  edition?: string;
  commitment?: string | null;
  closed?: boolean;
  limits?: Record<string, [string, string]>;
  jackpot_bet?: string | null;
  pay_tables?: Record<string, Record<string, string>>;
  box_limits?: Record<string, string>;
  coming?: Coming | null;
  round?: number;
  stage?: Stage;
  community?: string[];
  dealer?: DealerView;
  /** Only the boxes that have changed; each replaces the one with its number. */
  boxes?: BoxView[];
  choices?: ChoiceView[];
  bets?: PlaceableBet[];
  withdrawals?: Withdrawal[];
  moves?: Move[];
  awaiting?: Lawful[];
  lines?: Line[];
  notice?: boolean;
  may?: string[];
  settling?: SettlingView | null;
  awards?: AwardCase[];
  earlier_awards?: AwardCase[];
  seq?: number;
  /** Only when another time is counted down; until then the client counts on by itself. */
  clock?: ServerClock | null;
  /** Only when the table has entered another phase; until then the client counts on by itself. */
  phase?: PhaseTime;
}

/** A table and its round as the viewer may see them. What depends on where the view is shown stands at the end. */
export interface TableView {
  table: string;
  game: string;
  /** The game with its version; its rulebook is found by it. */
  edition: string;
  /** The commitment to the deck in play. */
  commitment: string | null;
  /** No further round begins. */
  closed: boolean;
  limits: Record<string, [string, string]>;
  jackpot_bet: string | null;
  pay_tables: Record<string, Record<string, string>>;
  /** Boxes that the pit has limited, each with the most that may lie there as Ante. */
  box_limits: Record<string, string>;
  coming: Coming | null;
  round: number;
  stage: Stage;
  community: string[];
  dealer: DealerView;
  boxes: BoxView[];
  /** This and the three lists below are a player's; for others they are empty. */
  choices: ChoiceView[];
  bets: PlaceableBet[];
  withdrawals: Withdrawal[];
  moves: Move[];
  awaiting: Lawful[];
  lines: Line[];
  /** A notice at the table says that no jackpot bets are taken. */
  notice: boolean;
  /** Steps that staff may take at this table, by post, assignment and role; empty in a replay. */
  may?: string[];
  /** The acts of the settlement, where they are confirmed; for those who confirm or watch them. */
  settling?: SettlingView | null;
  /** Award cases of this round; in a replay they stand beside the steps. */
  awards?: AwardCase[];
  /** Open award cases of earlier rounds at this table. */
  earlier_awards?: AwardCase[];
  /** Only in the answer of `GET /api/tables/NAME`. */
  terms?: Terms;
  /** The number of the table's last event; not in replays. */
  seq?: number;
  /** In live messages; null where nothing is counted down. */
  clock?: ServerClock | null;
  /** In live messages. */
  phase?: PhaseTime;
}

/** What is displayed at a table: game, limits, jackpot bet, procedure, how it runs. */
export interface Terms {
  table: string;
  game: string;
  /** The game with its version, as in `mbs-megalink-holdem@9`. */
  edition: string;
  /** Of the rule document; null where the document states none. */
  version: number | null;
  /** Why the rulebook is not there, so that no round can be played; empty where it is. */
  missing: string;
  scheduled: ScheduledEdition | null;
  title: string;
  operator: string;
  pit: string;
  currency: string;
  boxes: number;
  dealing: string;
  /** Community cards that the hands are made with; 0 where each hand stands alone. */
  board: number;
  /** Cards that a box is dealt; this and the two below say which places the felt has. */
  box_cards: number;
  dealer_cards: number;
  community_cards: number;
  limits: Record<string, [string, string]>;
  jackpot_bet: string | null;
  jackpot_multiples: number;
  link: string | null;
  pay_tables: Record<string, Record<string, string>>;
  /** A ruling may bar a player who breaks the rules. */
  bars: boolean;
  /** Boxes that the pit has limited, each with the most that may lie there as Ante. */
  box_limits: Record<string, string>;
  coming: Coming | null;
  bets: BetKind[];
  fold: FoldTerms;
  showdown: ShowdownTerms;
  several_boxes: boolean;
  one_look: boolean;
  /** Real cards lie on its felt. */
  physical: boolean;
  /** A dealer runs it; otherwise it runs by itself. */
  staffed: boolean;
  /** How the dealer's acts at the settlement are confirmed. */
  confirms: Confirming;
}

/** "30 to 1": the House pays thirty times the stake and returns the stake. */
export interface ToOne {
  type: "to_one";
  odds: number;
  per?: number;
}

/** What a question trains. The first ones are a dealer's, the others a supervisor's. */
export type Topic =
  | "acts"
  | "authority"
  | "bets"
  | "consequence"
  | "five_cards"
  | "hand"
  | "other_house"
  | "outcome"
  | "payout"
  | "procedure"
  | "reading"
  | "reconstruction"
  | "ruling_money"
  | "winner";

/** A game of which the academy asks, and its topics. */
export interface TrainedGame {
  edition: string;
  title: string;
  operator: string;
  topics: Topic[];
}

/** One step of a training round, with the table as it lies; or its end. */
export interface TrainingView {
  edition: string;
  seed: number;
  /** Of the step, from 0. */
  number: number;
  count: number;
  /** Steps that were answered right so far. */
  right: number;
  /** To answer by; empty at the end. */
  drill: string;
  /** Null at the end. */
  question: QuestionView | null;
  terms: Terms;
  table: TableView;
  printed: PayTable[];
}

/** The chips in the tray at the beginning of a shift. */
export interface TrayCount {
  id: string;
  count: string;
}

/** This Player's one round of Bets under the minimum has been settled. */
export interface UnderMinimumNoted {
  type: "UnderMinimumNoted";
  player: string;
  rules: string[];
}

/** Follow a link no longer. */
export interface UnwatchLink {
  type: "unwatch_link";
  link: string;
  id?: string | null;
}

/** Follow the floor no longer. */
export interface UnwatchPit {
  type: "unwatch_pit";
  id?: string | null;
}

/** Follow a table no longer. */
export interface UnwatchTable {
  type: "unwatch_table";
  table: string;
  id?: string | null;
}

/** What a link holds at a moment, in cents and exact parts of a cent. */
export interface Values {
  meter: string;
  reserve: string;
  overflow: string;
  locked: string;
}

/** A round of the last hours without a result: every bet went back. */
export interface VoidedRound {
  table: string;
  edition: string;
  round: number;
  at: string;
  /** Who reported or ruled what made it void; empty where the journal does not say. */
  by: string;
  because: string;
  rules: string[];
  returned: string;
}

/** Players for whom a deal still waits. */
export interface Waiting {
  players: number;
}

/** A correction of cards at this table that waits for its second signature. */
export interface WaitingCorrection {
  id: string;
  says: string;
}

/** A hand-over of this table that waits for a signature by the pit. */
export interface WaitingHandOver {
  to: string;
  count: string;
  /** What the house expects in the tray, from the last count and what the table has won since; null without one. */
  expected?: string | null;
}

/** A Player has left the table. */
export interface WalkedAway {
  type: "WalkedAway";
  player: string;
}

/** Follow a link: its meter and its awards. */
export interface WatchLink {
  type: "watch_link";
  link: string;
  id?: string | null;
}

/** Follow every table of the floor, one line each. */
export interface WatchPit {
  type: "watch_pit";
  id?: string | null;
}

/** Follow a table: its state comes at once, then whenever it moves. `after` is the last event that was seen. */
export interface WatchTable {
  type: "watch_table";
  table: string;
  after?: number | null;
  id?: string | null;
}

/** A clause that learners of a class got wrong. */
export interface WeakClause {
  edition: string;
  clause: string;
  text: string;
  /** In how many sittings. */
  sittings: number;
}

/** A bet that the viewer may take back now. */
export interface Withdrawal {
  box: number;
  bet: string;
  amount: string;
  /** It is won or lost all the same. */
  stays_live: boolean;
  rules: string[];
}

export type StepEvent =
  | RoundOpened
  | BetPlaced
  | BetWithdrawn
  | BetsClosed
  | CardsDealt
  | CardsTurned
  | CardsCorrected
  | HandExamined
  | HandHandled
  | HandDecided
  | WalkedAway
  | AbsenceExcused
  | RevealRefused
  | HandProved
  | HandViewed
  | PlayerRestricted
  | HandInvalidated
  | BackingInvalidated
  | BetsForfeited
  | BetSettled
  | AwardClaimed
  | AwardPaid
  | UnderMinimumNoted
  | RoundSettled
  | RoundVoided
  | IncidentReported
  | RulingAwaited
  | OptionsOffered
  | OptionChosen
  | RulingGiven
  | RoundReopened
  | CardsRedealt
  | MeterFrozen
  | JackpotBetsSuspended
  | JackpotModeSet
  | PlayerStopped
  | PlayerReadmitted
  | NoticeGiven
  | ActsConfirmed
  | MispayFound
  | MispayResolved
  | MispayNoted
  | DeckCommitted
  | DeckOpened
  | AwardStep;

export type TableFact =
  | RoundOpened
  | BetPlaced
  | BetWithdrawn
  | BetsClosed
  | CardsDealt
  | CardsTurned
  | CardsCorrected
  | HandExamined
  | HandHandled
  | HandDecided
  | WalkedAway
  | AbsenceExcused
  | RevealRefused
  | HandProved
  | HandViewed
  | PlayerRestricted
  | HandInvalidated
  | BackingInvalidated
  | BetsForfeited
  | BetSettled
  | AwardClaimed
  | AwardPaid
  | UnderMinimumNoted
  | RoundSettled
  | RoundVoided
  | IncidentReported
  | RulingAwaited
  | OptionsOffered
  | OptionChosen
  | RulingGiven
  | RoundReopened
  | CardsRedealt
  | MeterFrozen
  | JackpotBetsSuspended
  | JackpotModeSet
  | PlayerStopped
  | PlayerReadmitted
  | NoticeGiven
  | ActsConfirmed
  | MispayFound
  | MispayResolved
  | MispayNoted
  | DeckCommitted
  | DeckOpened;

export type ClientMessage =
  | WatchTable
  | WatchPit
  | WatchLink
  | UnwatchTable
  | UnwatchPit
  | UnwatchLink
  | GiveCommand
  | Ping;

export type ServerMessage =
  | TableMessage
  | TablePatch
  | PitMessage
  | LinkMessage
  | AccountMessage
  | MissedMessage
  | AnswerMessage
  | Pong;

/** The slug of each role, by the number that an event has for it. */
export const ROLE_SLUGS = { 1: "dealer", 2: "pit_supervisor", 3: "pit_manager", 4: "shift_manager" } as const;
