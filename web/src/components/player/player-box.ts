/** A box of this player: cards, spots for bets, and the decision that is due. */

import { html, nothing, type TemplateResult } from "lit";

import type { BoxView, ChoiceView } from "../../api/types";
import { cents, show, totalOf } from "../../lib/money";
import { ownBoxes, ownStakes, placeableKinds } from "../../lib/play/own-bets";
import { holeCardsName } from "../../lib/text/card-names";
import { title } from "../../lib/text/labels";
import { openRule } from "../rules/citations";
import { hand } from "../table/cards";
import { betSpot } from "./bet-spot";
import type { PlayerTable } from "./player-table";
import { choiceValue, practiceNote } from "./practice";

export function playerBox(table: PlayerTable, box: BoxView): TemplateResult {
  const { view, terms, betting } = table;
  const isPlaying = view.stage === "playing";
  const isBlind = isPlaying && box.cards.includes("??") && !box.may_examine && ownBoxes(view).length > 1;
  const kept = keptBets(table, box);
  const spots = [...placeableKinds(terms), ...terms.bets.filter(({ kind }) => kind === "decision")];
  const choices = view.choices.filter((choice) => choice.box === box.box);
  const folded = box.stands === "folded" ? "Folded. " : "";
  return html`<article class="box ${box.box === betting.active ? "active" : ""}" aria-label="Box ${box.box}"
      data-mine=${box.box}>
    <div class="lie"><div class="held">${hand(box.cards, `Your cards at box ${box.box}`)}
        <header><h2>Box ${box.box}</h2>
          <p class="hand-name" data-test="hand">${folded}${isBlind ? "Played blind" : handName(box)}</p></header></div>
      <div class="spots">${spots.map((bet) => betSpot(table, box, bet))}</div></div>
    ${choices.length ? decision(table, box, choices) : nothing}
    ${
      box.stands === "folded" && isPlaying && kept.length
        ? html`<p class="note">${kept.join(" and ")} ${kept.length > 1 ? "bets stay" : "bet stays"} alive.</p>`
        : nothing
    }
    ${
      box.stands === "invalid" && isPlaying
        ? html`<p class="note">Out of this round: ${show(totalOf(ownStakes(box)))} comes back when it is settled.</p>`
        : nothing
    }
  </article>`;
}

const handName = (box: BoxView): string => box.hand || holeCardsName(box.cards);

/** The bets of a box that a fold does not lose. */
function keptBets({ terms }: PlayerTable, box: BoxView): string[] {
  return ownStakes(box)
    .filter(({ bet }) => terms.fold.keeps.includes(bet))
    .map(({ bet }) => title(bet));
}

function decision(table: PlayerTable, box: BoxView, choices: ChoiceView[]): TemplateResult {
  const { view, terms, decisions, coach } = table;
  const decide = (choice: ChoiceView): void => void decisions.decide(choice, () => coach.keep(view, choice));
  const [rule] = choices[0]?.rules ?? [];
  return html`<div class="choices" role="group" aria-label="Decide for box ${box.box}" tabindex="-1">
      ${[...choices]
        .sort((a, b) => cents(b.costs) - cents(a.costs))
        .map(
          (choice) => html`<button type="button" class="button ${cents(choice.costs) ? "" : "ghost"}"
            data-choice=${choice.choice} ?disabled=${!decisions.isOpen} @click=${() => decide(choice)}
            >${choiceText(table, box, choice)}${choiceValue(coach, view, choice)}</button>`,
        )}
    </div>${
      rule
        ? html`<button type="button" class="rule of-choice"
            @click=${() => openRule(terms.edition, rule)}>The rule for this decision</button>`
        : nothing
    }${practiceNote(coach, view, box.box)}`;
}

function choiceText(table: PlayerTable, box: BoxView, { choice, costs }: ChoiceView): TemplateResult {
  if (choice !== "fold") return html`${title(choice)}${cents(costs) ? ` ${show(costs)}` : ", costs nothing"}`;
  const lost = totalOf(ownStakes(box).filter(({ bet }) => table.terms.fold.loses.includes(bet)));
  const kept = keptBets(table, box);
  const alive = html`<small>${kept.join(" and ")} ${kept.length > 1 ? "stay" : "stays"} alive</small>`;
  return html`Fold, lose ${show(lost)}${kept.length ? alive : nothing}`;
}
