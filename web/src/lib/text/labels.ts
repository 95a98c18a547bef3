/** The documents' words for what the server names by stable slugs. */

import type { GameLine } from "../../api/types";
import { type Plain, t, translated } from "./language";

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

/** The slug in words: "stand_off" gives "stands off". The documents' names of bets and hands stay in English. */
export function label(slug: string): string {
  const words = SPECIAL[slug] ?? SPECIAL[slug.replaceAll(" ", "_")] ?? slug.replaceAll("_", " ");
  return translated(words) ?? words;
}

/** The same with a capital letter. */
export function title(slug: string): string {
  return capital(label(slug));
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A player as staff read it: a patron without an account, whom the server knows by table and box, is "Box 4". */
export function patronName(table: string, player: string): string {
  const box = player.startsWith(`${table} box `) ? player.slice(table.length + " box ".length) : "";
  return /^\d+$/.test(box) ? t("Box {box}", { box }) : player;
}

const STAGES: Record<string, Plain> = {
  idle: "Not open yet",
  betting: "Place your bets",
  playing: "No more bets",
  settled: "Settled",
  void: "Void: every bet goes back",
};

const named = (names: Record<string, Plain>, slug: string): string | undefined => {
  const name = names[slug];
  return name && t(name);
};

/** The stage of a round, as a player reads it. */
export const stageName = (stage: string): string => named(STAGES, stage) ?? stage;

/** The title of a game in the words that tell it from others: "Multi-Link Hold'em". */
export function shortTitle(title: string): string {
  const words = title.split(/\s+/).filter((word) => !/^(texas|poker|bonus)$/i.test(word));
  return (words.length > 2 ? words.filter((word) => word !== "Progressive") : words).join(" ");
}

/** The kind of game alone, for the smallest places: "Hold'em", "3 Card". */
export const gameKind = (title: string): string => shortTitle(title).replace(/^\S+ (?=.)/, "");

const RULINGS: Record<string, Plain> = {
  void: "The round is over: every bet goes back.",
  stand: "The round goes on as it lies.",
  return: "The bets of the boxes you select go back; the others play on.",
  fold: "The hand is folded.",
  prohibit: "The player's bets go back, and the player may not play on.",
  allow: "The player plays on.",
  card_order: "You say in which order the cards lie; then every player chooses.",
  intentional: "The player did it on purpose: the hand is out.",
  unintentional: "The player did not do it on purpose: the round goes on.",
  reconstructible: "The cards can be put back in their order.",
  not_reconstructible: "The cards cannot be put back in their order.",
  reopen: "The settlement is unwound, and the rule is applied.",
};

/** What a ruling does, for the supervisor who is about to give it; empty where its name says it. */
export const rulingEffect = (ruling: string): string => named(RULINGS, ruling) ?? "";

/** The notice for a table that this server does not run. */
export const otherServerNotice = (table: string): string =>
  t("Another server of this house runs {table}: open it there.", { table });

const PIT_PHASES: Record<string, Plain> = {
  idle: "Not open yet",
  betting: "Bets are open",
  playing: "In play",
  deciding: "Players decide",
  options: "Players choose",
  pause: "Between rounds",
  settled: "Settled",
  void: "Void",
};

/** The phase of a table, as the pit reads it. */
export const pitPhase = (phase: string): string | undefined => named(PIT_PHASES, phase);

const CLOCK_PHASES: Record<string, Plain> = {
  betting: "to bet",
  deciding: "to decide",
  options: "to choose",
  pause: "to the next round",
};

/** What the seconds of the clock are for. */
export const clockPhase = (phase: string): string | undefined => named(CLOCK_PHASES, phase);

const POSTS: Record<string, Plain> = {
  learner: "learner",
  player: "player",
  dealer: "dealer",
  pit_supervisor: "pit supervisor",
  pit_manager: "pit manager",
  shift_manager: "shift manager",
  cage: "cage",
  surveillance: "surveillance",
  auditor: "auditor",
  display: "display",
  chip_reader: "chip reader",
  examiner: "examiner",
  administrator: "administrator",
};

/** The posts of the house, from the players to the administrators. */
export const POST_ORDER = Object.keys(POSTS);

export const postName = (post: string): string => named(POSTS, post) ?? post;

/** A paragraph or a reading as the page cites it: "¶ 5.8", or words for a reading, whose id is not for sentences. */
export function citation(rule: string): string {
  return /^[a-z]/.test(rule) ? t("how we read it") : rule.includes("¶") ? rule : `¶ ${rule}`;
}

/** The placeholder of every free text that goes on record: a name in a record could never be erased. */
export const noNames = (): string => t("Without names: records stay");

/** A rule document in a list, its version before the long title. */
export function listedAs({ operator, title: name, version }: GameLine): string {
  return version === null
    ? `${operator}: ${name}`
    : t("{operator} version {version}: {name}", { operator, version, name });
}

/** The title of a rule document with its version, where the document states one. */
export function versioned({ title: name, version }: { title: string; version: number | null }): string {
  return version === null ? name : t("{name}, version {version}", { name, version });
}
