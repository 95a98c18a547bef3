/** Which motion each card of a felt has: dealt from the shoe, turned over, or none. */

import type { TableView } from "../../api/types";

type Motion = "" | "dealt" | "turned" | "dealt turned";

export class CardMotion {
  private lying = new Map<string, { code: string; motion: Motion; order: number }>();
  private round = -1;
  private isFirst = true;

  /** Notice which cards have come or have been turned since the last view; what lay there before has no motion. */
  follow(view: TableView): void {
    const places = this.places(view);
    const now = new Map<string, { code: string; motion: Motion; order: number }>();
    if (view.round !== this.round) this.lying.clear();
    this.round = view.round;
    const fresh = places.filter(({ key }) => !this.lying.has(key));
    for (const { key, code } of places) {
      const before = this.lying.get(key);
      if (before?.code === code) now.set(key, before);
      else if (before) now.set(key, { code, motion: "turned", order: 0 });
      else {
        const order = fresh.findIndex((card) => card.key === key);
        now.set(key, { code, motion: this.isFirst ? "" : code === "??" ? "dealt" : "dealt turned", order });
      }
    }
    this.lying = now;
    this.isFirst = false;
  }

  /** Every card in the order of the deal: one to each place in turn. */
  private places(view: TableView): { key: string; code: string; turn: number }[] {
    const hands = [
      ...view.boxes.map(({ box, cards }) => ({ place: String(box), cards })),
      { place: "dealer-hand", cards: view.dealer.cards },
      { place: "board", cards: view.community },
    ];
    return hands
      .flatMap(({ place, cards }) => cards.map((code, turn) => ({ key: `${place}/${turn}`, code, turn })))
      .sort((a, b) => a.turn - b.turn);
  }

  of(place: string, index: number): Motion {
    return this.lying.get(`${place.replace("seat", "")}/${index}`)?.motion ?? "";
  }

  /** The number of a card among those that come together. */
  order(place: string, index: number): number {
    return this.lying.get(`${place.replace("seat", "")}/${index}`)?.order ?? 0;
  }
}
