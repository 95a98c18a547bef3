/** Where everything lies on a felt of a given size, in pixels. Pure arithmetic: no state, no elements. */

/** How a felt shows its boxes: every spot at its box, or small boxes with the player's own one large. */
export type Shape = "wide" | "tall" | "side" | "seats";

export interface Rect {
  /** Centre. */
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A betting position with its spots; `angle` turns it towards the dealer, in degrees. */
export interface Block extends Rect {
  box: number;
  angle: number;
  /** Diameters of the spots before the deal and of the spots for decisions. */
  spot: number;
  decision: number;
  card: number;
  /** Centres of the rows, from the middle of the block. */
  decisionsAt: number;
  spotsAt: number;
  cardsAt: number;
  plateAt: number;
  /** The hand's name stands beside the cards. */
  isBeside: boolean;
}

export interface Geometry {
  shape: Shape;
  w: number;
  h: number;
  rail: number;
  /** The lower edge of the table: its middle, and how much higher its ends are. */
  edge: { bottom: number; drop: number; half: number };
  tray: Rect;
  shoe: Rect;
  rack: Rect;
  dealer: { x: number; y: number; card: number };
  board: { x: number; y: number; card: number };
  /** The baseline of the name of the game, in the middle; zero where there is no place for it. */
  nameAt: number;
  name: number;
  /** Height of the line for the name of the dealer's hand; zero where the felt is wide. */
  handName: number;
  /** Places for the pay tables; a height of zero where there is none. */
  print: { left: Rect; right: Rect; size: number };
  blocks: Block[];
  /** Small boxes, where the felt cannot show every spot. */
  seats: (Rect & { box: number; card: number })[];
}

/** What of a game decides the places on its felt. */
export interface Layout {
  boxes: number;
  /** Community cards; zero where each hand stands alone. */
  board: number;
  dealerCards: number;
  handCards: number;
  /** Spots before the deal, and spots for decisions. */
  spots: number;
  decisions: number;
  /** Boxes that are drawn large where not every box has place for its spots. */
  focus: readonly number[];
  /** The most rows of pay tables on one side. */
  printedRows: number;
  /** Letters of the longest line of the pay tables. */
  printedLetters: number;
}

/** Height of a card for a width of one. */
export const CARD_RATIO = 1.4;
/** The smallest felt that shows every spot of every box. */
const WIDE = { w: 980, h: 400 };

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

export function geometryOf(w: number, h: number, layout: Layout): Geometry {
  if (w >= WIDE.w && h >= WIDE.h) return wide(w, h, layout);
  if (!layout.focus.length) return compact("seats", w, h, layout);
  return compact(w > h * 1.3 ? "side" : "tall", w, h, layout);
}

/** Sizes and rows of one betting position. */
function block(box: number, at: Rect & { angle: number }, layout: Layout, most: number): Block {
  const { w, h } = at;
  const gap = clamp(h * 0.025, 3, 12);
  // In a narrow block a hand's name takes two lines.
  const plate = clamp(h * 0.1, w < 220 ? 30 : 17, 40);
  const isBeside = w > h * 1.05 && w >= 280;
  const across = (count: number, size: number): number => (size - (count - 1) * gap) / Math.max(count, 1);
  const tall = h - (isBeside ? 0 : plate) - 3 * gap;
  const spot = Math.min(across(layout.spots, w), tall / 3, most);
  const decision = Math.min(across(layout.decisions, w), spot * 0.84);
  const room = tall - spot - decision;
  const card = Math.min(room / CARD_RATIO, spot * 1.15, isBeside ? w * 0.2 : w * 0.48, most * 0.9);
  const used = decision + spot + card * CARD_RATIO + 2 * gap + (isBeside ? 0 : plate);
  const top = -used / 2;
  return {
    ...at,
    box,
    spot,
    decision,
    card,
    decisionsAt: top + decision / 2,
    spotsAt: top + decision + gap + spot / 2,
    cardsAt: top + decision + spot + 2 * gap + (card * CARD_RATIO) / 2,
    plateAt: top + used - plate / 2,
    isBeside,
  };
}

function wide(w: number, h: number, layout: Layout): Geometry {
  const rail = clamp(h * 0.042, 18, 54);
  const tray = clamp(h * 0.075, 30, 96);
  const margin = rail + clamp(w * 0.018, 14, 90);
  const each = (w - 2 * margin) / layout.boxes;
  const high = Math.min(h * 0.42, each * 1.32);
  const drop = clamp(h * 0.16, 36, 340);
  const half = (w - 2 * margin - each) / 2;
  const middle = h - rail - high / 2 - h * 0.012;
  const blocks = Array.from({ length: layout.boxes }, (_, i) => {
    // The first box is at the dealer's left hand, so it is on the right for a player who faces the dealer.
    const t = layout.boxes > 1 ? 1 - (2 * i) / (layout.boxes - 1) : 0;
    const angle = ((-Math.atan((2 * drop * t) / half) * 180) / Math.PI) * 0.5;
    const place = { x: w / 2 + half * t, y: middle - drop * t * t, w: each * 0.94, h: high, angle };
    return block(i + 1, place, layout, h * 0.13);
  });
  const room = middle - high / 2 - tray - 20;
  const isStacked = layout.board > 0 && room > 250;
  // The name of the dealer's hand and the marks of its cards stand between the two rows.
  const between = clamp(h * 0.054, 36, 80);
  const name = clamp(room * 0.1, 14, 52);
  const card = Math.min(
    isStacked ? (room - name * 1.6 - between - 22) / 2 / CARD_RATIO : (room - name * 1.6 - 34) / CARD_RATIO,
    h * 0.13,
  );
  const tall = card * CARD_RATIO;
  const dealerWide = layout.dealerCards * card * 1.08;
  const boardWide = layout.board * card * 1.08;
  const first = tray + 12 + tall / 2;
  const second = first + tall + between;
  const across = (dealerWide + boardWide + card) / 2;
  const dealer = { x: layout.board && !isStacked ? w / 2 - across + dealerWide / 2 : w / 2, y: first, card };
  const board = isStacked ? { x: w / 2, y: second, card } : { x: w / 2 + across - boardWide / 2, y: first, card };
  const lowest = (isStacked ? second : first) + tall / 2;
  const printTop = 10;
  const printHigh = middle - drop - high / 2 - printTop - 4;
  const centre = isStacked || !layout.board ? Math.max(dealerWide, boardWide) : 2 * across;
  const printWide = clamp((w - centre - tray * 7) / 2 - margin, 0, h * 0.36);
  const size = Math.min(
    printHigh / (layout.printedRows * 1.32 + 1),
    printWide / Math.max(15, layout.printedLetters * 0.53),
    h * 0.0235,
  );
  const side = (x: number): Rect => ({ x, y: printTop + printHigh / 2, w: printWide, h: printHigh });
  return {
    shape: "wide",
    w,
    h,
    rail,
    edge: { bottom: h - rail / 2 - 1, drop, half },
    tray: { x: w / 2, y: tray / 2, w: tray * 6.4, h: tray },
    shoe: { x: w / 2 + tray * 4.3, y: tray * 0.62, w: tray * 1.25, h: tray * 1.2 },
    rack: { x: w / 2 - tray * 4.2, y: tray * 0.55, w: tray * 1.05, h: tray * 0.9 },
    dealer,
    board,
    nameAt: Math.max(lowest + name * 1.25 + (isStacked ? 0 : 24), (lowest + middle - high / 2 + name) / 2),
    name,
    handName: 0,
    print: {
      left: side(margin + printWide / 2),
      right: side(w - margin - printWide / 2),
      size: size >= 8.5 ? size : 0,
    },
    blocks,
    seats: [],
  };
}

function compact(shape: "tall" | "side" | "seats", w: number, h: number, layout: Layout): Geometry {
  const rail = clamp(Math.min(w, h) * 0.025, 6, 14);
  const part = shape === "side" ? w * 0.5 : w;
  const left = { x: rail, w: part - rail };
  const gap = 3;
  const cards = layout.dealerCards + layout.board;
  // Who watches has no box of their own to draw large: on a high felt the boxes stand in two rows.
  const abreast = shape === "seats" && h > w * 0.62 ? 4 : 7;
  const seats = Math.min(layout.boxes, abreast);
  const rows = Math.ceil(layout.boxes / abreast);
  const inside = h - rail;
  const label = clamp(h * 0.03, 13, 18);
  const nameHigh = clamp(h * 0.046, 17, 30);
  // The dealer's row: every card in a line, or the dealer's above the community's on a narrow, high felt.
  const byWidth = (left.w - 20 - (cards + 1) * gap) / (cards + (layout.board ? 0.5 : 0));
  const card = clamp(Math.min(byWidth, (inside * (shape === "tall" ? 0.17 : 0.27)) / CARD_RATIO, 74), 22, 74);
  const tall = card * CARD_RATIO;
  const top = label + 6 + tall / 2;
  const dealerWide = layout.dealerCards * (card + gap);
  const boardWide = layout.board * (card + gap);
  const gutter = layout.board ? card * 0.45 : 0;
  const whole = dealerWide + gutter + boardWide;
  const centre = left.x + left.w / 2 - rail / 2;
  const dealer = { x: centre - whole / 2 + dealerWide / 2, y: top, card };
  const board = { x: centre + whole / 2 - boardWide / 2, y: top, card };
  const seatsTop = top + tall / 2 + nameHigh + 4;
  const each = (left.w - rail - 4) / seats;
  const rest = inside - seatsTop - (shape === "tall" ? 4 : 18);
  const seatHigh = shape === "tall" ? clamp(rest * 0.22, 58, 96) : clamp(rest / rows, 44, 170);
  const seatCard = Math.min((each - 8) / (layout.handCards > 2 ? 1.9 : 2.1), (seatHigh - 34) / CARD_RATIO, 74);
  const arc = shape === "tall" ? Math.min(10, rest * 0.02) : 5;
  const places = Array.from({ length: layout.boxes }, (_, i) => {
    const [column, row] = [i % abreast, Math.floor(i / abreast)];
    const inRow = Math.min(abreast, layout.boxes - row * abreast);
    const t = seats > 1 ? (inRow - 1 - 2 * column) / (seats - 1) : 0;
    const x = centre + ((left.w - rail - 4 - each) / 2) * t;
    const y = seatsTop + seatHigh * (row + 0.5) + arc * (1 - t * t);
    return { box: i + 1, x, y, w: each - 3, h: seatHigh - 4, card: seatCard };
  });
  const blockTop = shape === "tall" ? seatsTop + seatHigh * rows + arc + 2 : 4;
  const area = shape === "side" ? { x: w * 0.5, w: w * 0.5 - rail - 2 } : { x: rail, w: w - 2 * rail };
  const blockHigh = inside - blockTop - 4;
  const shown = shape === "seats" ? [] : layout.focus;
  const wideEach = area.w / Math.max(shown.length, 1);
  const blocks = shown.map((box, i) =>
    block(
      box,
      { x: area.x + wideEach * (i + 0.5), y: blockTop + blockHigh / 2, w: wideEach - 8, h: blockHigh - 4, angle: 0 },
      layout,
      clamp(Math.min(w, h) * 0.25, 40, 170),
    ),
  );
  const none = { x: 0, y: 0, w: 0, h: 0 };
  return {
    shape,
    w,
    h,
    rail,
    edge: { bottom: h - rail / 2 - 1, drop: shape === "tall" ? Math.min(22, h * 0.03) : 12, half: w / 2 },
    tray: { x: centre, y: 0, w: 0, h: 0 },
    shoe: { ...none, x: left.x + left.w - 10, y: 4 },
    rack: none,
    dealer,
    board,
    nameAt: 0,
    name: 0,
    handName: nameHigh,
    print: { left: none, right: none, size: 0 },
    blocks,
    seats: places,
  };
}

/** The centres of a row of things, from the middle of the row. */
export function rowOf(count: number, size: number, wide: number): number[] {
  const step = count > 1 ? Math.min(size * 1.07, (wide - size) / (count - 1)) : 0;
  return Array.from({ length: count }, (_, i) => (i - (count - 1) / 2) * step);
}

/** A vector of the felt as an element sees it that is turned by an angle. */
export function turned(dx: number, dy: number, angle: number): [number, number] {
  const a = (-angle * Math.PI) / 180;
  return [dx * Math.cos(a) - dy * Math.sin(a), dx * Math.sin(a) + dy * Math.cos(a)];
}

/** The place on the felt of a point of a turned block. */
export function turnedBack(x: number, y: number, dx: number, dy: number, angle: number): [number, number] {
  const [ax, ay] = turned(dx, dy, -angle);
  return [x + ax, y + ay];
}
