/** What a screen reader says of a round: each turn of it in one sentence, and nothing twice. */

import { cents, short, show, signed } from "./money";
import { net } from "./results";
import type { BoxView, Seen } from "./types";
import { cardName, holeName, title } from "./words";

const list = (parts: string[]): string => parts.join(", ").replace(/, ([^,]*)$/, " or $1");

/** A box on the felt: whose it is, what lies on it, its cards, how it stands. */
export function boxAloud(box: BoxView, whose: string, total: number, stands: string, result: number | null): string {
  const down = box.cards.length > 0 && box.cards.every((card) => card === "??");
  const cards = down ? "cards face down" : box.cards.map(cardName).join(", ");
  const parts = [whose, total ? `${short(total)} bet` : "", cards, stands, result === null ? "" : `result ${signed(result)}`];
  return `Box ${box.box}: ${parts.filter(Boolean).join(", ")}`;
}

/** Where the round stands for this player. Seconds are not in it: they are asked for, not read out. */
export function aloud(view: Seen, moment: string, me: string): string {
  const own = view.boxes.filter((box) => box.stakes.some((stake) => stake.player === me));
  const board = view.community.filter((card) => card !== "??");
  if (view.stage === "settled" || view.stage === "void") {
    const lines = view.lines.filter((line) => line.player === me);
    const dealer = view.dealer.hand ? ` The dealer has ${view.dealer.hand}.` : "";
    if (!lines.length) return `${moment}.${dealer}`;
    const total = lines.reduce((sum, line) => sum + net(line), 0);
    return `${moment}.${dealer} Your result: ${signed(total)}.`;
  }
  if (!view.choices.length) return `${moment}.`;
  const hands = own.filter((box) => view.choices.some((choice) => choice.box === box.box)).map((box) => {
    const named = box.cards.includes("??") ? "played blind" : box.hand || holeName(box.cards) || box.cards.map(cardName).join(", ");
    const choices = view.choices.filter((choice) => choice.box === box.box).sort((a, b) => cents(b.costs) - cents(a.costs))
      .map((choice) => `${title(choice.choice)}${cents(choice.costs) ? ` ${show(choice.costs)}` : ""}`);
    return `Box ${box.box}: ${named}. ${list(choices)}?`;
  });
  return `${moment}. ${board.length ? `On the table: ${board.map(cardName).join(", ")}. ` : ""}${hands.join(" ")}`;
}
