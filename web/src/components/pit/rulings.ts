/** Decisions that a table waits for, each with its rule, its money and the round so far. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import type { Lawful } from "../../api/types";
import { inputValue } from "../../lib/forms";
import type { LiveView } from "../../lib/play/table-view";
import { perform } from "../../lib/state/live";
import { label, postName, rulingEffect } from "../../lib/text/labels";
import { citations } from "../rules/citations";
import { boxMoney, ofBox } from "../table/box-money";
import { CardOrder } from "../table/card-order";
import "../table/round-log";
import { list, t } from "../../lib/text/language";
import { answerTitle } from "../dealer/consequence";
import { served } from "../served";
import { staffTable } from "../table/staff-table";
import { isAboutCards, statedFacts } from "./felt-facts";
import { takesRuling } from "./wall";

export class Rulings {
  /** What the supervisor says for the record, by table. */
  private texts = new Map<string, string>();
  /** The boxes that a ruling names, by table. */
  private boxes = new Map<string, number[]>();
  private isBusy = false;
  private readonly cardOrder: CardOrder;

  constructor(private readonly changed: () => void) {
    this.cardOrder = new CardOrder(changed);
  }

  render(waiting: LiveView[]): TemplateResult {
    const { length } = waiting.filter(takesRuling);
    return html`<section aria-label=${t("Decisions")} class="queue">
      <h2>${t("Waiting for a decision")} <span class="count ${length ? "alarm" : ""}">${length}</span></h2>
      ${repeat(
        waiting,
        ({ table }) => table,
        (view) => this.panel(view),
      )}
      ${waiting.length ? nothing : html`<p class="quiet">${t("Nothing is waiting.")}</p>`}</section>`;
  }

  private panel(view: LiveView): TemplateResult {
    const { table, game, round, awaiting } = view;
    const { by, says, rules, incident, named } = awaiting[0]!;
    const decider = by
      ? t("For the {by} or above.", { by: postName(by) })
      : t("The boxes choose: on their own screens, or through the dealer.");
    return html`<article class="panel ask" data-ruling=${table}><h3>${table}: ${served(says)}${
      named.length ? `, ${t("Box {box}", { box: list(named.map(String)) })}` : ""
    }</h3>
      <p>${decider} ${citations(game, rules)}</p>
      <div class="beside">${staffTable(view)}<round-log .table=${table} .round=${round}></round-log></div>
      ${isAboutCards(awaiting[0]!) ? html`<felt-facts .view=${view} .incident=${incident}></felt-facts>` : nothing}
      ${
        by
          ? html`<label>${t(
              "In your words, for the record",
            )} <input maxlength="300" .value=${this.texts.get(table) ?? ""}
              @input=${(event: Event) => this.texts.set(table, inputValue(event))}></label>`
          : nothing
      }
      <div class="answers">${awaiting.map((answer) => this.answer(view, answer))}</div></article>`;
  }

  private answer(view: LiveView, lawful: Lawful): TemplateResult {
    const { answer, by, box, money } = lawful;
    const namesBoxes = answer === "return" && by !== null;
    return html`<section class="answer"><h4>${answerTitle(lawful)}</h4>
      ${by && rulingEffect(answer) ? html`<p class="quiet">${rulingEffect(answer)}</p>` : nothing}
      ${namesBoxes ? this.boxChoice(view) : boxMoney(ofBox(money, by === null ? box : null))}
      ${by && answer === "card_order" ? this.cardOrder.render(view) : nothing}
      ${by ? this.rulingButton(view, lawful, namesBoxes) : nothing}</section>`;
  }

  private rulingButton(view: LiveView, { answer, by, may }: Lawful, namesBoxes: boolean): TemplateResult {
    if (!may) return html`<p class="note">${by ? t("This takes the {by}.", { by: postName(by) }) : ""}</p>`;
    return html`<button type="button" class="button small" data-rule=${answer}
      @click=${() => this.rule(view, answer, namesBoxes)}>${t("Rule: {answer}", { answer: label(answer) })}</button>`;
  }

  private async rule(view: LiveView, decision: string, namesBoxes: boolean): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    const { table } = view;
    const order = decision === "card_order" ? this.cardOrder.text(view) : "";
    const text = [order, this.texts.get(table)].filter(Boolean).join(". ");
    const boxes = namesBoxes ? { boxes: this.boxes.get(table) ?? [] } : {};
    const felt = statedFacts.get(table);
    const said = { ...(text ? { text } : {}), ...(felt ? { felt } : {}) };
    const done = await perform(table, { do: "rule", decision, ...boxes, ...said });
    if (done) this.texts.delete(table);
    if (done) statedFacts.delete(table);
    this.isBusy = false;
  }

  private boxChoice({ table, boxes }: LiveView): TemplateResult {
    const chosen = this.boxes.get(table) ?? [];
    const toggle = (box: number): void => {
      const others = chosen.filter((other) => other !== box);
      this.boxes.set(table, chosen.includes(box) ? others : [...chosen, box]);
      this.changed();
    };
    return html`<fieldset><legend>${t("Which boxes")}</legend><div class="row">${boxes
      .filter(({ stakes }) => stakes.length)
      .map(
        ({ box }) => html`<label class="pill"><input type="checkbox" .checked=${chosen.includes(box)}
          @change=${() => toggle(box)}><span>${box}</span></label>`,
      )}</div></fieldset>`;
  }
}
