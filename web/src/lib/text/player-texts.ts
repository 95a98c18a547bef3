/** What the player's page says, in one place, so that a catalogue of another language can take its place. */

const plural = (count: number, one: string, more: string): string => (count === 1 ? one : more);
const list = (parts: string[]): string => parts.join(" and ");

/** What becomes of a hand by a choice that is made for its player. */
const AFTER: Record<string, string> = { check: "checks", fold: "is folded" };

export const PLAYER_TEXTS = {
  // Boxes.
  you: "you",
  taken: "taken",
  free: "free",
  box: (box: number) => `Box ${box}`,
  yourCards: (box: number) => `Your cards at box ${box}`,
  folded: "Folded. ",
  blind: "Played blind",
  outOfRound: (amount: string) => `Out of this round: ${amount} comes back when it is settled.`,
  staysAlive: (bets: string[]) => `${list(bets)} ${plural(bets.length, "bet stays", "bets stay")} alive.`,
  // Spots.
  notTaken: "not taken",
  timesAnte: (times: number) => `${times}× Ante`,
  put: (amount: string, isMore: boolean) => `put ${amount}${isMore ? " more" : ""}`,
  takeBack: "take it back",
  // The dock.
  dock: "Your bets and decisions",
  onTable: "On the table",
  tapAChip: "Tap a chip, tap a spot",
  noChips: "You have no chips left. Buy chips at the cashier.",
  oneLook: "With several boxes you may look at one hand; the others are played blind.",
  tooLittle: (left: string, needed: string) =>
    `Careful: this leaves you ${left}, and playing on may take ${needed} more.`,
  undo: "Undo",
  clear: "Clear",
  rebet: "Rebet",
  double: "Double",
  dealNow: "Deal now",
  waitingFor: (players: number) => `Waiting for ${players} ${plural(players, "player", "players")}`,
  full: "Every box of this table is taken. Wait for one, or",
  otherTable: "choose another table",
  inPlay: "Your hand is in play.",
  underWay: "This round is under way. Place your bets when it is settled.",
  closed: "The table is closed.",
  noDealer: "This table waits for its dealer.",
  dealerOpens: "The dealer opens the next round.",
  opens: "The table opens in a moment.",
  nextRound: "The next round begins in a moment.",
  watching: (post: string) => `You watch this table as ${post}.`,
  // Decisions.
  decideFor: (box: number) => `Decide for box ${box}`,
  costsNothing: ", costs nothing",
  foldLoses: (amount: string) => `Fold, lose ${amount}`,
  keptAlive: (bets: string[]) => `${list(bets)} ${plural(bets.length, "stays", "stay")} alive`,
  youHave: (amount: string) => `You have only ${amount}`,
  ruleOfDecision: "The rule for this decision",
  // The clock.
  whenLate: (choice: string) => `No decision in time: ${choice || "your hand is out"}.`,
  offline: (seconds: number, choice: string) =>
    `Your clock runs on: back within ${seconds} s, or your hand ${AFTER[choice] ?? "is out"}.`,
  // Results.
  youWin: (amount: string) => `You win ${amount}`,
  youLose: (amount: string) => `You lose ${amount}`,
  even: "You are even",
  void: "The round is void. Your bets are back.",
  betByBet: "Bet by bet",
  why: "Why?",
  bigWin: "Big win",
  jackpot: "Jackpot!",
  // Sound.
  sound: "Table sound",
};
