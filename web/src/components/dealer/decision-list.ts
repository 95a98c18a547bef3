/** The decisions of the boxes, as the dealer enters them. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import type { BoxView, DueDecision } from "../../api/types";
import { enterToNext } from "../../lib/focus";
import { inputValue } from "../../lib/forms";
import { cents, plain, show, totalOf } from "../../lib/money";
import { label, title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import type { DealerTable } from "./dealer-table";
import { TappedChoices } from "./tapped-choices";

const AMOUNT = /^\d{1,9}([.]\d\d)?$/;

export class DecisionList extends TappedChoices {
  /** The chips that the dealer has counted, as typed, by box. */
  private counted: Record<number, string> = {};

  /** The rows stay where they are while boxes decide, so that no button moves under a finger meant for another. */
  render(table: DealerTable, due: DueDecision): TemplateResult {
    const boxes = table.view.boxes.filter(({ stakes }) => stakes.length);
    this.begin(`${table.view.round} ${due.bet}`);
    const isFirst = due.boxes.some((box) => !table.view.boxes[box - 1]?.choices.length);
    const looked = table.terms.physical && isFirst ? t("“Has looked”: this player has seen their cards.") : nothing;
    return html`<ul class="due" tabindex="-1" @keydown=${enterToNext}>${repeat(
      boxes,
      ({ box }) => box,
      (box) => (due.boxes.includes(box.box) ? this.dueRow(table, due, box) : decidedRow(box)),
    )}</ul>${this.confirmation(table, due.boxes, looked, (box) => delete this.counted[box])}
      ${
        table.terms.physical ? nothing : html`<p class="quiet">${t("Players at their own screens decide there.")}</p>`
      }`;
  }

  private dueRow(table: DealerTable, due: DueDecision, view: BoxView): TemplateResult {
    const { box } = view;
    const required = totalOf(view.stakes.filter(({ bet }) => bet === "ante")) * due.times_ante;
    const typed = this.counted[box] || plain(required);
    const isAmount = AMOUNT.test(typed);
    const amount = isAmount ? cents(typed) : required;
    const tapped = this.tapped[box];
    const button = (choice: string): TemplateResult => {
      const isBet = choice === due.bet;
      // Chips that are not what the rules require are entered as they lie; the settlement says what goes back.
      const other = isBet && amount !== required ? { amount: plain(amount), noticed: false } : {};
      const text = `${title(choice)}${isBet ? ` ${show(amount)}` : ""}`;
      return this.button(box, choice, text, table.isHeld || (isBet && !isAmount), () =>
        this.tap(box, choice, { do: "decide", box, choice, ...other }),
      );
    };
    const error = !isAmount
      ? t("not an amount")
      : amount === required
        ? ""
        : t("not {amount}", { amount: show(required) });
    return html`<li class=${tapped ? "tapped" : ""}><b>${t("Box {box}", { box })}</b>
      ${(due.choices_of[box] ?? []).map(button)}
      ${
        tapped ? this.undoButton(box) : table.terms.physical ? this.realCards(table, view, required, error) : nothing
      }</li>`;
  }

  /** What only the dealer can see at a table with real cards: the chips, and whether the player has looked. */
  private realCards(table: DealerTable, view: BoxView, required: number, error: string): TemplateResult {
    const { box } = view;
    const type = (event: Event): void => {
      this.counted = { ...this.counted, [box]: inputValue(event) };
      this.changed();
    };
    const examine = (): Promise<boolean> => table.perform({ do: "examine", player: view.stakes[0]?.player, box });
    return html`<label class="lies"><span>${t("chips there")}</span> <input inputmode="decimal" data-lies=${box}
        .value=${this.counted[box] ?? ""} placeholder=${plain(required)} @input=${type}></label>
      ${
        // Whether a player has looked matters until they have decided something.
        view.choices.length
          ? nothing
          : view.examined_by.length
            ? html`<span class="quiet">${t("has looked")}</span>`
            : html`<button type="button" class="button small ghost" data-looked=${box} ?disabled=${table.isHeld}
              @click=${examine}>${t("Has looked")}</button>`
      }
      ${error ? html`<span class="wrong">${error}</span>` : nothing}`;
  }
}

function decidedRow({ box, choices, stands }: BoxView): TemplateResult {
  const text = label(choices.at(-1) ?? stands);
  return html`<li><b>${t("Box {box}", { box })}</b> <span class="quiet">${text}</span></li>`;
}
