/** What a screen reader says about a round: one sentence for each change, and no sentence twice. */

import type { BoxView } from "../../api/types";
import { cents, short, show, signed } from "../money";
import { totalNet } from "../play/results";
import { isOver, type LiveView } from "../play/table-view";
import { cardName, holeCardsName } from "./card-names";
import { title } from "./labels";

const alternatives = (parts: string[]): string => parts.join(", ").replace(/, ([^,]*)$/, " or $1");

/** Describe a box on the felt: its player, its chips, its cards and its result. */
export function describeBox(
  box: BoxView,
  owner: string,
  total: number,
  standing: string,
  result: number | null,
): string {
  const isDown = box.cards.length > 0 && box.cards.every((card) => card === "??");
  const cards = isDown ? "cards face down" : box.cards.map(cardName).join(", ");
  const outcome = result === null ? "" : `result ${signed(result)}`;
  const parts = [owner, total ? `${short(total)} bet` : "", cards, standing, outcome];
  return `Box ${box.box}: ${parts.filter(Boolean).join(", ")}`;
}

/** Describe where the round stands for this player. The seconds are left out: a timer must not be read aloud. */
export function describeRound(view: LiveView, phase: string, player: string): string {
  if (isOver(view)) {
    const lines = view.lines.filter((line) => line.player === player);
    const dealer = view.dealer.hand ? ` The dealer has ${view.dealer.hand}.` : "";
    return `${phase}.${dealer}${lines.length ? ` Your result: ${signed(totalNet(lines))}.` : ""}`;
  }
  if (!view.choices.length) return `${phase}.`;
  const community = view.community.filter((card) => card !== "??").map(cardName);
  const questions = view.boxes
    .filter((box) => box.stakes.some((stake) => stake.player === player))
    .filter((box) => view.choices.some((choice) => choice.box === box.box))
    .map((box) => describeDecision(view, box));
  return `${phase}. ${community.length ? `On the table: ${community.join(", ")}. ` : ""}${questions.join(" ")}`;
}

function describeDecision(view: LiveView, box: BoxView): string {
  const known = box.hand || holeCardsName(box.cards) || box.cards.map(cardName).join(", ");
  const choices = view.choices
    .filter((choice) => choice.box === box.box)
    .sort((a, b) => cents(b.costs) - cents(a.costs))
    .map(({ choice, costs }) => `${title(choice)}${cents(costs) ? ` ${show(costs)}` : ""}`);
  return `Box ${box.box}: ${box.cards.includes("??") ? "played blind" : known}. ${alternatives(choices)}?`;
}
