/** What makes one table look unlike another: cloth by game, rail and mark by operator. */

export interface Identity {
  /** The cloth in the light and at the edge. */
  cloth: string;
  deep: string;
  /** Lines and letters that are printed on it. */
  ink: string;
  /** The leather of the rail, and the metal of its trim. */
  rail: string;
  trim: string;
  mark: Mark;
}

/** The ornament of an operator's crest. */
export type Mark = "petals" | "waves" | "rays" | "star";

const HOUSES: Record<string, Pick<Identity, "rail" | "trim" | "mark">> = {
  RWS: { rail: "#4a2413", trim: "#e3bd6d", mark: "petals" },
  MBS: { rail: "#17181d", trim: "#e2a98f", mark: "waves" },
  "Sun International": { rail: "#6b3413", trim: "#f4c65a", mark: "rays" },
};
const OTHER_HOUSE: (typeof HOUSES)[string] = { rail: "#1d2a3d", trim: "#c9d3dd", mark: "star" };

const CLOTHS: Record<string, Pick<Identity, "cloth" | "deep" | "ink">> = {
  "rws-multilink-holdem": { cloth: "#137a4e", deep: "#07402a", ink: "#f3e3b4" },
  "rws-multilink-three-card": { cloth: "#12708f", deep: "#073a52", ink: "#e6efe0" },
  "mbs-megalink-holdem": { cloth: "#95213f", deep: "#4d0d22", ink: "#ffe1cf" },
  "rws-progressive-holdem": { cloth: "#4a3f9c", deep: "#221d55", ink: "#eadff5" },
  "sun-casino-holdem": { cloth: "#a34f1c", deep: "#4c1d08", ink: "#ffe6b5" },
};

/** Cloths for games from outside. */
const OTHER_CLOTHS = [
  { cloth: "#0f6f78", deep: "#05353c", ink: "#e9f1e4" },
  { cloth: "#6b3a8f", deep: "#2f1545", ink: "#f2e4fa" },
  { cloth: "#8a3030", deep: "#421111", ink: "#fde3d2" },
  { cloth: "#3d6b2c", deep: "#182f10", ink: "#eff0c9" },
  { cloth: "#375a94", deep: "#15284b", ink: "#e2ebfa" },
];

/** The cloth of a game from outside: always the same one for the same game. */
function clothOf(game: string): (typeof CLOTHS)[string] {
  let sum = 0;
  for (const letter of game) sum += letter.charCodeAt(0);
  return OTHER_CLOTHS[sum % OTHER_CLOTHS.length]!;
}

export function identityOf(game: string, operator: string): Identity {
  return { ...(CLOTHS[game] ?? clothOf(game)), ...(HOUSES[operator] ?? OTHER_HOUSE) };
}

/** The style that gives an element and its children the colours of a table. */
export function identityStyle({ cloth, deep, ink, rail, trim }: Identity): string {
  return `--cloth:${cloth};--cloth-deep:${deep};--cloth-ink:${ink};--rail:${rail};--trim:${trim}`;
}

/** The letters of an operator's crest: its own initials. */
export function monogram(operator: string): string {
  return /^[A-Z]{2,4}$/.test(operator)
    ? operator
    : operator
        .split(/\s+/)
        .map((word) => word.charAt(0))
        .join("")
        .slice(0, 3);
}
