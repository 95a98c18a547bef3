/** A step of a replay with every card face up, for a reader who has the whole deck. */

import type { PlayedRound, TableView } from "../../api/types";

/** Whether the reader has the decks of this round. */
export const hasDecks = ({ decks }: PlayedRound): boolean => decks.some(({ deck }) => deck);

/** The table at a step as it really lay. */
export function withAllCards({ steps, decks }: PlayedRound, index: number): TableView | undefined {
  const view = steps[index]?.view;
  if (!view) return undefined;
  let deal = 0;
  let dealt: string[] = [];
  for (const { event } of steps.slice(0, index + 1)) {
    if (event.type === "RoundOpened") dealt = [];
    if (event.type === "CardsRedealt") [deal, dealt] = [deal + 1, []];
    if (event.type === "CardsDealt") dealt = [...dealt, ...event.to];
  }
  const deck = decks.find((each) => each.deal === deal)?.deck?.split(" ") ?? [];
  const at = (place: string, shown: readonly string[]): string[] => {
    const real = dealt.flatMap((to, ordinal) => (to === place ? (deck[ordinal] ?? "??") : []));
    // Cards that were turned stay as the table showed them: a correction may have changed them.
    return Array.from({ length: Math.max(real.length, shown.length) }, (_, i) => {
      const card = shown[i];
      return card && card !== "??" ? card : (real[i] ?? card ?? "??");
    });
  };
  return {
    ...view,
    community: at("community", view.community),
    dealer: { ...view.dealer, cards: at("dealer", view.dealer.cards) },
    boxes: view.boxes.map((box) => ({ ...box, cards: at(String(box.box), box.cards) })),
  };
}
