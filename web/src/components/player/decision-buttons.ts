/** The decisions that are due at the boxes of this player, each with its price. */

import { html, nothing, type TemplateResult } from "lit";

import type { BoxView, ChoiceView } from "../../api/types";
import { cents, show, totalOf } from "../../lib/money";
import { ownBoxes, ownStakes } from "../../lib/play/own-bets";
import { whenLate } from "../../lib/play/own-clock";
import { perform } from "../../lib/state/live";
import { session } from "../../lib/state/session";
import { title } from "../../lib/text/labels";
import { list, plural, t } from "../../lib/text/language";
import "../confirm-dialog";
import { citation } from "../../lib/text/labels";
import type { ConfirmDialog } from "../confirm-dialog";
import { openRule } from "../rules/citations";
import { keptBets } from "./own-felt";
import type { PlayerTable } from "./player-table";
import { choiceValue, isBest, practiceNote } from "./practice";

/** One group of buttons for each box that has to decide, from left to right as the boxes lie. */
export function decisionButtons(table: PlayerTable): TemplateResult {
  const due = table.view.boxes.filter(({ box }) => table.view.choices.some((choice) => choice.box === box)).reverse();
  const several = ownBoxes(table.view).length > 1;
  return html`<div class="due-boxes">${due.map((box) => decision(table, box, several))}</div>`;
}

function decision(table: PlayerTable, box: BoxView, isOneOfSeveral: boolean): TemplateResult {
  const { view, terms, decisions, coach } = table;
  const choices = view.choices.filter((choice) => choice.box === box.box);
  const decide = (choice: ChoiceView): void => void decisions.decide(choice, () => coach.keep(view, choice));
  const [rule] = choices[0]?.rules ?? [];
  return html`<div class="due" data-for=${box.box}>
    ${isOneOfSeveral ? html`<h3>${t("Box {box}", { box: box.box })}</h3>` : nothing}
    <div class="choices" role="group" aria-label=${t("Decide for box {box}", { box: box.box })} tabindex="-1">
      ${[...choices]
        .sort((a, b) => cents(b.costs) - cents(a.costs))
        .map((choice) => {
          const isUnpaid = cents(choice.costs) > (session.purse ?? Number.POSITIVE_INFINITY);
          const weight = isBest(coach, view, choice) ? "" : "even";
          return html`<button type="button" class="button ${weight} ${cents(choice.costs) ? "bets" : choice.choice}"
            data-choice=${choice.choice} ?disabled=${!decisions.isOpen || isUnpaid} @click=${() => decide(choice)}
            >${choiceText(table, box, choice)}${
              isUnpaid ? html`<small class="unpaid">${unpaidText()}</small>` : choiceValue(coach, view, choice)
            }</button>`;
        })}
    </div>
    <div class="about"><b class="late">${whenLate(view, box.box)}</b>${
      rule
        ? html`<button type="button" class="rule of-choice"
            @click=${() => openRule(terms.edition, rule)}>${t("The rule for this decision")}</button>`
        : nothing
    }${practiceNote(coach, view, box.box)}${showing(table, box)}</div></div>`;
}

/** Why a choice cannot be paid: too few chips, or the player's own limit. */
function unpaidText(): string {
  const [purse, balance] = [session.purse ?? 0, session.balance ?? 0];
  return purse < balance
    ? t("Your loss limit leaves {amount}", { amount: show(purse) })
    : t("You have only {amount}", { amount: show(balance) });
}

/** Declining to show the hand, or showing it after all, where the rules allow it now. */
function showing({ name, view }: PlayerTable, { box }: BoxView): TemplateResult | typeof nothing {
  const move = view.moves?.find((each) => each.box === box && (each.do === "refuse_reveal" || each.do === "prove"));
  if (!move) return nothing;
  const amount = move.loses ? show(move.loses) : "";
  const send = async (): Promise<void> => void (await perform(name, { do: move.do, box }));
  const ask = (): void =>
    document.querySelector<ConfirmDialog>("confirm-dialog")?.open({
      kind: "decline",
      title: t("Decline to show the hand of box {box}?", { box }),
      text: [
        amount
          ? t("Your hand is not compared with the dealer's: you lose {amount}.", { amount })
          : t("Your hand is not compared with the dealer's, and what the rules take for that is lost."),
        t("Rules: {rules}.", { rules: [...new Set(move.rules.map(citation))].join(", ") }),
      ].join(" "),
      action: amount ? t("Decline to show, lose {amount}", { amount }) : t("Decline to show"),
      confirm: send,
    });
  const isDeclining = move.do === "refuse_reveal";
  return html`<button type="button" class="rule" data-move=${move.do} @click=${isDeclining ? ask : send}
    >${
      isDeclining
        ? amount
          ? t("Decline to show, lose {amount} …", { amount })
          : t("Decline to show this hand …")
        : t("Show this hand after all")
    }</button>`;
}

function choiceText(table: PlayerTable, box: BoxView, { choice, costs }: ChoiceView): TemplateResult {
  if (choice !== "fold")
    return html`${
      cents(costs) ? `${title(choice)} ${show(costs)}` : t("{choice}, costs nothing", { choice: title(choice) })
    }`;
  const lost = totalOf(ownStakes(box).filter(({ bet }) => table.terms.fold.loses.includes(bet)));
  const kept = keptBets(table, box);
  const alive = html`<small>${plural(kept.length, "{bets} stays alive", "{bets} stay alive", {
    bets: list(kept),
  })}</small>`;
  return html`${t("Fold, lose {amount}", { amount: show(lost) })}${kept.length ? alive : nothing}`;
}
