/** What chips out, the order of cards and the limit of a box say on the consoles, in one place. */

export const CONSOLE_TEXTS = {
  chipsOut: (player: string) => `Chips out or colour change${player ? ` for ${player}` : ""}`,
  chips: "Chips",
  into: "Into chips of",
  outPlaceholder: "empty: out",
  give: "Give",
  out: (player: string, left: string) => `${player} takes chips away and has ${left} left.`,
  changed: (player: string, amount: string, chip: string) => `${player}: ${amount} changed into chips of ${chip}.`,
  cardOrder: "Tap where each card goes, the first one first",
  place: (box: number) => `Box ${box}`,
  dealer: "Dealer",
  community: "Community",
  back: "Take the last one back",
  boxLimit: "Limit of one box from the next round on",
  box: "Box",
  boxMost: "Greatest Ante",
  boxFree: "as the table",
  boxSet: "Limit the box",
  boxIs: (box: string, most: string) => `Box ${box} Ante up to ${most}`,
  boxLimited: (table: string) => `${table} limits the box from its next round on.`,
  order: (places: string[]) => places.map((place, i) => `card ${i + 1} to ${place}`).join(", "),
};
