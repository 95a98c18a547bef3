/** The documents' words for what the server names by stable words. */

const SPECIAL: Record<string, string> = {
  pair_plus: "Pair Plus",
  ante_bonus: "Ante Bonus",
  jackpot: "Jackpot",
  stand_off: "stands off",
  win: "wins",
  lose: "loses",
  returned: "returned",
  aces_both: "Aces against Aces",
  ace_king_suited: "A-K, suited",
  ace_queen_or_jack_suited: "A-Q or A-J, suited",
  ace_king: "A-K",
  ace_queen_or_jack: "A-Q or A-J",
  high_pair: "pair, Jacks to Kings",
  low_pair: "pair, 2s to 10s",
};

export function words(slug: string): string {
  return SPECIAL[slug] ?? SPECIAL[slug.replaceAll(" ", "_")] ?? slug.replaceAll("_", " ");
}

export function title(slug: string): string {
  const said = words(slug);
  return said.charAt(0).toUpperCase() + said.slice(1);
}

const RANKS: Record<string, string> = {
  A: "Ace", K: "King", Q: "Queen", J: "Jack", T: "Ten", "9": "Nine", "8": "Eight", "7": "Seven",
  "6": "Six", "5": "Five", "4": "Four", "3": "Three", "2": "Two",
};
const SUITS: Record<string, string> = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };

export function cardName(card: string): string {
  return card === "??" ? "face down" : `${RANKS[card[0]!]} of ${SUITS[card[1]!]}`;
}

const ORDER = "23456789TJQKA";

/** Two hole cards by name, before the board makes a hand of them. */
export function holeName(cards: string[]): string {
  const [one, two] = [...cards].sort((a, b) => ORDER.indexOf(b[0]!) - ORDER.indexOf(a[0]!));
  if (cards.length !== 2 || !one || !two || one === "??" || two === "??") return "";
  if (one[0] === two[0]) return `Pair of ${RANKS[one[0]!]}${one[0] === "6" ? "es" : "s"}`;
  return `${RANKS[one[0]!]} and ${RANKS[two[0]!]}${one[1] === two[1] ? ", suited" : ""}`;
}

export const STAGES: Record<string, string> = {
  idle: "Not open yet",
  betting: "Place your bets",
  playing: "No more bets",
  settled: "Settled",
  void: "Void: every bet goes back",
};

/** What a ruling does, for whoever is about to give it. */
export const RULINGS: Record<string, string> = {
  void: "The round is over: every bet goes back.",
  stand: "The round goes on as it lies.",
  return: "The bets of the boxes you name go back; the others play on.",
  fold: "The hand is folded.",
  prohibit: "The player's bets go back, and the player may not play on.",
  allow: "The player plays on.",
  card_order: "You say in which order the cards lie; then every player chooses.",
  intentional: "It was meant: the hand is out.",
  unintentional: "It was not meant: the round goes on.",
  reconstructible: "The cards can be put back in their order.",
  not_reconstructible: "The cards cannot be put back in their order.",
  reopen: "The settlement is unwound, and the rule carried out.",
};

/** What is said of a table that this server does not run. */
export const elsewhere = (table: string): string => `Another server of this house runs ${table}: open it there.`;

/** A moment of a table as the pit says it. */
export const MOMENTS: Record<string, string> = {
  idle: "Not open yet",
  betting: "Bets are open",
  playing: "In play",
  deciding: "Players decide",
  options: "Players choose",
  pause: "Between rounds",
  settled: "Settled",
  void: "Void",
};

export const PHASES: Record<string, string> = {
  betting: "to bet",
  deciding: "to decide",
  options: "to choose",
  pause: "to the next round",
};

export const POSTS: Record<string, string> = {
  player: "player", dealer: "dealer", pit_supervisor: "pit supervisor", pit_manager: "pit manager",
  shift_manager: "shift manager", cage: "cage", surveillance: "surveillance", auditor: "auditor", display: "display",
  administrator: "administrator",
};

export function citation(rule: string): string {
  return /^[a-z]/.test(rule) ? `reading ${rule}` : rule.includes("¶") ? rule : `¶ ${rule}`;
}

const CLOCK = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** "15 Nov 2026, 21:04:30": the time on this person's wall. */
export function moment(at: string): string {
  return CLOCK.format(new Date(at));
}

/** "21:04" */
export function hour(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** Beside every free text that goes on record: a name in it could never be erased. */
export const NO_NAMES = "Without names: records stay";
