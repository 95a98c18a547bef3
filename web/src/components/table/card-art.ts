/** The drawings of the cards: pips, court figures and the back, as symbols that every card of the page uses. */

/** The suits in a square of 50, drawn by hand. */
export const PIPS: Record<string, string> = {
  s: [
    "M25 3C33 13.500 44 20.500 44 31a10 10 0 0 1-17 7.200c.5 4.800 2.200 7.600 5.400 9.800H17.600",
    "c3.200-2.200 4.900-5 5.400-9.800A10 10 0 0 1 6 31C6 20.500 17 13.500 25 3z",
  ].join(""),
  h: "M25 47C14 36 5 28 5 18A10.500 10.500 0 0 1 25 13a10.500 10.500 0 0 1 20 5c0 10-9 18-20 29z",
  d: "M25 2Q32 14 43 25 32 36 25 48 18 36 7 25 18 14 25 2z",
  c: [
    "M25 4a10.500 10.500 0 0 1 8.500 16.700A10.500 10.500 0 1 1 27 37.500c.4 5 2 8.300 5 11H18",
    "c3-2.700 4.600-6 5-11a10.500 10.500 0 1 1-6.500-16.800A10.500 10.500 0 0 1 25 4z",
  ].join(""),
};

/** Where the pips of a rank lie: column of -1, 0 or 1, and height from -1 to 1; the lower half stands on its head. */
const ROWS: Record<string, [number, number][]> = {
  A: [[0, 0]],
  "2": [
    [0, -1],
    [0, 1],
  ],
  "3": [
    [0, -1],
    [0, 0],
    [0, 1],
  ],
  "4": [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  "5": [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  "6": [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
  "7": [
    [-1, -1],
    [1, -1],
    [0, -0.5],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
  "8": [
    [-1, -1],
    [1, -1],
    [0, -0.5],
    [-1, 0],
    [1, 0],
    [0, 0.5],
    [-1, 1],
    [1, 1],
  ],
  "9": [
    [-1, -1],
    [1, -1],
    [-1, -0.34],
    [1, -0.34],
    [0, 0],
    [-1, 0.34],
    [1, 0.34],
    [-1, 1],
    [1, 1],
  ],
  T: [
    [-1, -1],
    [1, -1],
    [0, -0.67],
    [-1, -0.34],
    [1, -0.34],
    [-1, 0.34],
    [1, 0.34],
    [0, 0.67],
    [-1, 1],
    [1, 1],
  ],
};

/** Half of a figure above the middle of the card; the lower half is the same, turned. */
const FIGURES: Record<string, string> = {
  K: `<path class="robe" d="M22 70 24 52Q30 44 41 41L59 41Q70 44 76 52L78 70z"/>
    <path class="sash" d="M33 70 50 45 67 70H58L50 57 42 70z"/>
    <path class="hair" d="M36 25Q34 40 39 44H61Q66 40 64 25z"/>
    <path class="skin" d="M40 24H60V35Q60 43 50 46 40 43 40 35z"/>
    <path class="hair" d="M40 35Q45 33 50 35 55 33 60 35 61 44 50 49 39 44 40 35z"/>
    <path class="gold" d="M36 25 33 11 41 17 50 8 59 17 67 11 64 25z"/><path class="line" d="M37 22H63"/>
    <circle class="jewel" cx="50" cy="16" r="2.200"/>
    <path class="line" d="M44 30h3M53 30h3M50 31v3"/><path class="gold" d="M77 70V28l-2-4 3.500-9 3.500 9-2 4V70z"/>`,
  Q: `<path class="robe" d="M22 70 25 54Q31 46 42 43H58Q69 46 75 54L78 70z"/>
    <path class="sash" d="M40 43Q50 54 60 43L64 46Q50 64 36 46z"/>
    <path class="hair" d="M36 24Q30 40 36 51 41 50 42 43H58Q59 50 64 51 70 40 64 24z"/>
    
    <path class="skin" d="M41 24H59V34Q59 42 50 45 41 42 41 34z"/>
    <path class="gold" d="M37 25 35 14 42 19 46 11 50 17 54 11 58 19 65 14 63 25z"/>
    <circle class="jewel" cx="46" cy="11" r="1.800"/><circle class="jewel" cx="54" cy="11" r="1.800"/>
    <path class="line" d="M44 30h3M53 30h3M50 31v3M47.500 38.500h5"/>
    <path class="line stem" d="M28 66Q26 52 29 42"/><path class="jewel" d="M29 42q-5-1-4-6 4 0 4 6 0-6 4-6 1 5-4 6z"/>`,
  J: `<path class="robe" d="M23 70 26 54Q32 46 42 43H58Q68 46 74 54L77 70z"/>
    <path class="sash" d="M42 43 50 52 58 43 66 47 52 70H48L34 47z"/>
    <path class="hair" d="M37 26Q34 40 40 44H60Q66 40 63 26z"/>
    <path class="skin" d="M41 25H59V35Q59 42 50 45 41 42 41 35z"/>
    <path class="gold" d="M34 26Q35 13 51 13 65 13 66 26z"/><path class="robe" d="M34 26h32v-4H34z"/>
    <path class="feather" d="M60 20Q70 17 73 8 62 8 57 17z"/>
    <path class="line" d="M44 31h3M53 31h3M50 32v3M47.500 39h5"/>
    <path class="gold" d="M24 70 27 30l-3-4 5-8 4 8-4 4-3 40z"/>`,
};

/** Draw the pips of a number card between the corners. */
function pips(rank: string): string {
  const size = rank === "A" ? 42 : 20;
  const at = ([column, height]: [number, number]): string => {
    const [x, y] = [50 + column * 19, 70 + height * 45];
    const turn = height > 0 ? ` rotate(180 ${x} ${y})` : "";
    const place = `x="${x - size / 2}" y="${y - size / 2}" width="${size}" height="${size}"`;
    return `<use href="#pip-SUIT" ${place} transform="${turn.trim()}"/>`;
  };
  return ROWS[rank]!.map(at).join("");
}

function court(rank: string): string {
  const half = `${FIGURES[rank]!}<use href="#pip-SUIT" x="25" y="16" width="13" height="13"/>`;
  return `<rect class="frame" x="20" y="13" width="60" height="114" rx="3"/>
    <g>${half}</g><g transform="rotate(180 50 70)">${half}</g><path class="line" d="M20 70H80"/>`;
}

const BACK = `<rect class="paper" x="1" y="1" width="98" height="138" rx="9"/>
  <rect class="back" x="6" y="6" width="88" height="128" rx="5"/>
  <rect fill="url(#card-lattice)" x="6" y="6" width="88" height="128" rx="5"/>
  <rect class="weave" x="11" y="11" width="78" height="118" rx="3"/>
  <g class="weave medal"><circle cx="50" cy="70" r="19"/><circle cx="50" cy="70" r="15.500"/></g>
  <path class="medal-pip" d="${PIPS.s!}" transform="translate(39.500 59) scale(.42)"/>`;

/** Put the symbols into the page, once. */
function define(): void {
  const drawn = (id: string, box: string, content: string): string =>
    `<symbol id="${id}" viewBox="${box}">${content}</symbol>`;
  const suits = Object.entries(PIPS).map(([suit, path]) => drawn(`pip-${suit}`, "0 0 50 50", `<path d="${path}"/>`));
  const ranks = [...Object.keys(ROWS), ...Object.keys(FIGURES)];
  const middles = Object.keys(PIPS).flatMap((suit) =>
    ranks.map((rank) => {
      const content = FIGURES[rank] ? court(rank) : pips(rank);
      return drawn(`face-${rank}${suit}`, "0 0 100 140", content.replaceAll("SUIT", suit));
    }),
  );
  const lattice = `<pattern id="card-lattice" width="9" height="9" patternUnits="userSpaceOnUse"
    patternTransform="rotate(45)"><path d="M0 0H9M0 0V9" stroke="#fff" stroke-opacity=".28" fill="none"/></pattern>`;
  const holder = document.createElement("div");
  holder.innerHTML = `<svg class="card-art" width="0" height="0" aria-hidden="true"><defs>${lattice}${suits.join("")}
    ${middles.join("")}${drawn("card-back", "0 0 100 140", BACK)}</defs></svg>`;
  document.body.append(holder.firstElementChild!);
}

define();
