/** What chips out and the order of cards say on the consoles, in one place. */

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
  order: (places: string[]) => places.map((place, i) => `card ${i + 1} to ${place}`).join(", "),
};
