/** What a screen reader says about a round: one sentence for each change, and no sentence twice. */

import type { BoxView } from "../../api/types";
import { cents, short, show, signed } from "../money";
import { totalNet } from "../play/results";
import { isOver, type LiveView } from "../play/table-view";
import { cardName, holeCardsName } from "./card-names";
import { title } from "./labels";
import { either, t } from "./language";
import { sentence } from "./sentences";

/** Describe a box on the felt: its player, its chips, its cards and its result. */
export function describeBox(
  box: BoxView,
  owner: string,
  total: number,
  standing: string,
  result: number | null,
): string {
  const isDown = box.cards.length > 0 && box.cards.every((card) => card === "??");
  const cards = isDown ? t("cards face down") : box.cards.map(cardName).join(", ");
  const outcome = result === null ? "" : t("result {amount}", { amount: signed(result) });
  const parts = [owner, total ? t("{amount} bet", { amount: short(total) }) : "", cards, standing, outcome];
  return t("Box {box}: {what}", { box: box.box, what: parts.filter(Boolean).join(", ") });
}

/** Describe where the round stands for this player. The seconds are left out: a timer must not be read aloud. */
export function describeRound(view: LiveView, phase: string, player: string, isPhysical: boolean): string {
  if (isOver(view)) {
    const lines = view.lines.filter((line) => line.player === player);
    const unqualified = view.dealer.qualifies === false ? ` ${t("The dealer does not qualify.")}` : "";
    const dealer = view.dealer.hand ? ` ${t("The dealer has {hand}.", { hand: sentence(view.dealer.hand) })}` : "";
    const result = lines.length ? ` ${t("Your result: {amount}.", { amount: signed(totalNet(lines)) })}` : "";
    return `${t("{phase}.", { phase })}${dealer}${unqualified}${result}`;
  }
  if (!view.choices.length) return t("{phase}.", { phase });
  const community = view.community.filter((card) => card !== "??").map(cardName);
  const questions = view.boxes
    .filter((box) => box.stakes.some((stake) => stake.player === player))
    .filter((box) => view.choices.some((choice) => choice.box === box.box))
    .map((box) => describeDecision(view, box, isPhysical));
  const cards = community.length ? [t("On the table: {cards}.", { cards: community.join(", ") })] : [];
  return [t("{phase}.", { phase }), ...cards, ...questions].join(" ");
}

function describeDecision(view: LiveView, box: BoxView, isPhysical: boolean): string {
  const known = sentence(box.hand) || holeCardsName(box.cards) || box.cards.map(cardName).join(", ");
  const choices = view.choices
    .filter((choice) => choice.box === box.box)
    .sort((a, b) => cents(b.costs) - cents(a.costs))
    .map(({ choice, costs }) => `${title(choice)}${cents(costs) ? ` ${show(costs)}` : ""}`);
  return t("Box {box}: {hand}. {choices}?", {
    box: box.box,
    hand: box.cards.includes("??") ? (isPhysical ? t("cards face down") : t("played blind")) : known,
    choices: either(choices),
  });
}
