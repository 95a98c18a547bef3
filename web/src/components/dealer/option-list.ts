/** What each box chooses of the options that the rules give it after an irregularity, as the dealer enters it. */

import { html, nothing, type TemplateResult } from "lit";

import type { Lawful } from "../../api/types";
import { label, title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { optionEffect } from "../table/box-money";
import type { DealerTable } from "./dealer-table";
import { TappedChoices } from "./tapped-choices";

export class OptionList extends TappedChoices {
  /** What was confirmed, by box: a row stays where it is until every box has chosen. */
  private chosen: Record<number, string> = {};

  render(table: DealerTable, options: Lawful[]): TemplateResult {
    const { view, isHeld } = table;
    if (this.begin(`${view.round} ${options[0]!.says}`)) this.chosen = {};
    const due = [...new Set(options.map(({ box }) => box!))];
    const row = (box: number): TemplateResult => {
      const own = options.filter((option) => option.box === box);
      return html`<li class=${this.tapped[box] ? "tapped" : ""}><b>${t("Box {box}", { box })}</b>
        ${
          own.length
            ? own.map((option) =>
                option.may
                  ? this.button(box, option.answer, buttonText(option), isHeld, () =>
                      this.tap(box, option.answer, { do: "choose", box, option: option.answer }),
                    )
                  : html`<span class="quiet">${label(option.answer)}</span>`,
              )
            : html`<span class="quiet">${label(this.chosen[box]!)}</span>`
        } ${this.tapped[box] ? this.undoButton(box) : nothing}</li>`;
    };
    const boxes = [...due, ...Object.keys(this.chosen).map(Number)].sort((a, b) => a - b);
    const done = (box: number, choice: string): void => {
      this.chosen[box] = choice;
    };
    return html`<ul class="due" tabindex="-1">${[...new Set(boxes)].map(row)}</ul>
      ${
        options.some(({ may }) => may)
          ? this.confirmation(table, due, nothing, done)
          : html`<p class="note">${t("You may not answer this yourself.")}</p>`
      }`;
  }
}

function buttonText({ box, answer, money }: Lawful): TemplateResult {
  return html`${title(answer)} <small>${optionEffect(money[String(box)])}</small>`;
}
