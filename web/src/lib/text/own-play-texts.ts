/** What the pages about a player's own play say, in one place, so that a catalogue of another language can take its
 * place. */

const plural = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

export const OWN_PLAY_TEXTS = {
  // Sums.
  title: "My rounds",
  everyRound: "Every round of a table",
  period: "Period",
  periods: { all: "All", day: "Today", week: "7 days", month: "30 days" },
  game: "Game",
  everyGame: "every game",
  rounds: "Rounds",
  staked: "Staked",
  returned: "Returned",
  net: "Net",
  perGame: "By game",
  perSession: "By session",
  sessionsEnd: "A session ends after six hours without a round.",
  round: "Round",
  when: "When",
  replay: "Replay",
  receipt: "Receipt",
  inPlay: "in play",
  none: "No rounds yet.",
  noneHere: "No rounds in this period.",
  more: (count: number) => `Show more (${plural(count, "round", "rounds")} left)`,
  loading: "Loading …",
  // Limits.
  limits: "My limits",
  limitsHold:
    "The house holds your limits at every table. A stricter limit holds at once, a looser one after 24 hours.",
  loss: (currency: string) => `Loss limit, ${currency}`,
  lossHelp: "A bet counts as lost when you place it.",
  minutes: "Time limit, minutes",
  minutesHelp: "After that no new bets; you finish the round.",
  check: "Reality check, every … minutes",
  checkHelp: "You confirm how you stand before the next bet.",
  empty: "Leave a field empty for no limit. A session counts from your first bet and ends after six hours without one.",
  save: "Set my limits",
  saved: "Your limits are set.",
  later: (limit: string, at: string) => `${limit || "No limit"} from ${at} on`,
  leftToLose: (amount: string) => `You may stake ${amount} more in this session.`,
  limitLeaves: (amount: string) => `Your loss limit leaves ${amount}`,
  limitTooLittle: (left: string, needed: string) =>
    `Careful: your loss limit leaves ${left}, and playing on may take ${needed} more.`,
  // Reality check and end of time.
  realityCheck: "Reality check",
  stands: (minutes: number, net: string) => `You have played for ${plural(minutes, "minute", "minutes")}. Net: ${net}.`,
  layoutCounts: "Chips on a table count as staked until the round is over.",
  playOn: "I have seen it, play on",
  timeOver: "Your time limit is over",
  timeOverHelp: "A round in play is finished; new bets are taken after six hours without one.",
  // Demonstration chips.
  takeChips: "Take 1,000 demo chips",
  taken: "You have 1,000.00 more in demo chips.",
  // Declining to show.
  decline: "Decline to show this hand",
  declineTitle: (box: number) => `Decline to show the hand of box ${box}?`,
  declineText: (rules: string) =>
    `Your hand is not compared with the dealer's, and what the rules take for that is lost. Rules: ${rules}.`,
  declineAct: "Decline to show",
  prove: "Show this hand after all",
  // Receipts.
  receiptTitle: "Receipt",
  player: "Player",
  table: "Table",
  rulebook: "Rulebook",
  bet: "Bet",
  award: "Award",
  total: "Total",
  record: "Record in the journal",
  hash: "Hash of that record",
  checkpoint: "Checkpoint that covers it",
  noCheckpoint: "none yet",
  printed: "Made",
  print: "Print",
  back: "My rounds",
};
