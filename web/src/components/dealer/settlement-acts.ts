import { html, nothing, type TemplateResult } from "lit";

import type { ActView, SettlingView } from "../../api/types";
import { StateElement } from "../../lib/element";
import { AMOUNT, amount, readForm } from "../../lib/forms";
import { cents, chipCount, show } from "../../lib/money";
import { patronName, title } from "../../lib/text/labels";
import { type Plain, t } from "../../lib/text/language";
import { citations } from "../rules/citations";
import { stack } from "../table/chips";
import { mispayPanel } from "../table/mispay-panel";
import type { DealerTable } from "./dealer-table";
import { reason } from "./reason";

const MOVES: Record<string, Plain> = {
  give_back: "Give back",
  take: "Take|chips",
  pay: "Pay|chips",
  leave: "Leave|chips",
};

/** The settlement as the dealer's hands move: one act at a time, confirmed, or entered as it was really done. */
export class SettlementActs extends StateElement {
  static override properties = { table: { attribute: false } };
  table!: DealerTable;
  /** The number of the act for which the dealer enters something else. */
  private entering = -1;
  /** The act that the page showed last; the focus follows the next one. */
  private shown = -1;

  /** The number of the act that is due; -2 while a mispay stops the table. */
  private get due(): number {
    const { settling } = this.table.view;
    return settling?.mispay ? -2 : (settling?.done ?? -1);
  }

  /** An entry is about the act for which it was opened. */
  protected override willUpdate(): void {
    if (this.due !== this.shown) this.entering = -1;
  }

  protected override updated(): void {
    if (this.due === this.shown) return;
    const isFirst = this.shown === -1;
    this.shown = this.due;
    this.showLine();
    if (isFirst && !document.activeElement?.matches("body, main")) return;
    this.querySelector<HTMLElement>("[data-focus]")?.focus({ preventScroll: true });
  }

  /** Bring the line of the act into the list's own window; the page itself does not move. */
  private showLine(): void {
    const line =
      this.querySelector<HTMLElement>(".acts .now") ?? this.querySelector<HTMLElement>(".acts li:last-child");
    const list = line?.parentElement;
    if (list) list.scrollTop = line.offsetTop - list.offsetTop - (list.clientHeight - line.offsetHeight) / 2;
  }

  override render(): TemplateResult {
    const { view } = this.table;
    const { settling } = view;
    if (!settling) return html``;
    const { acts, done, mispay } = settling;
    const act = acts[done];
    const number = mispay ? mispay.act + 1 : done + 1;
    const progress =
      act || mispay ? t("Act {number} of {count}", { number, count: acts.length }) : t("Every act is confirmed.");
    const wrong = this.entering < done ? acts[this.entering] : undefined;
    return html`<div class="current"><p class="progress" role="status">${progress}</p>
      ${mispay ? mispayPanel(view, mispay) : wrong ? this.entry(wrong) : act ? this.act(act, settling) : nothing}</div>
    <ol class="acts">${acts.map((each) => this.line(each, settling))}</ol>`;
  }

  private act(act: ActView, settling: SettlingView): TemplateResult {
    return html`<article class="act" data-move=${act.move} data-act=${act.number}>
      ${stack(cents(act.amount))}
      <div><h3>${t("Box {box}, {bet}", { box: act.box, bet: title(act.bet) })}</h3>
        <p class="say">${t(MOVES[act.move]!)} ${show(act.amount)}</p>
        <p class="quiet">${patronName(this.table.name, act.player)} · ${chipCount(cents(act.amount))}</p></div>
      ${this.entering === act.number ? this.entry(act) : this.buttons(act, settling)}
      <p class="because">${this.because(act, settling)} ${citations(this.table.view.edition, act.rules)}</p>
      </article>`;
  }

  /** The reason on record, led by what it leaves unsaid: the hand may have a name, and a bet is taken that wins. */
  private because({ box, bet, player, move, because }: ActView, { acts }: SettlingView): TemplateResult {
    const wins = acts.some((act) => act.box === box && act.bet === bet && act.player === player && act.move === "pay");
    return html`${move === "take" && wins ? t("The bet itself is taken, the win is paid after it:") : nothing}
      ${reason(because)}`;
  }

  // The buttons stay enabled while a command waits, so that they keep the focus; a second one is not sent meanwhile.
  private buttons(act: ActView, { acts, done, confirms }: SettlingView): TemplateResult {
    const left = acts.slice(done).map(({ number }) => number);
    const ofBox = left.filter((number) => acts[number]!.box === act.box);
    const isTogether = confirms === "together";
    const button = (numbers: number[], text: string, isFirst = false): TemplateResult =>
      html`<button type="button" class="button ${isFirst ? "" : "ghost"}" data-once ?data-focus=${isFirst}
        @click=${() => this.table.perform({ do: "confirm_acts", acts: numbers })}>${text}</button>`;
    return html`<div class="row">${button([act.number], t("Done"), true)}
      ${
        isTogether && ofBox.length > 1 && ofBox.length < left.length
          ? button(ofBox, t("Box {box} done", { box: act.box }))
          : nothing
      }
      <button type="button" class="button ghost" @click=${() => this.toggle(act.number)}
        >${t("Something else was done")}</button>
      ${isTogether && left.length > 1 ? button(left, t("All {count} are done", { count: left.length })) : nothing}
      </div>`;
  }

  private toggle(number: number): void {
    this.entering = this.entering === number ? -1 : number;
    this.requestUpdate();
    const field = this.entering === -1 ? "[data-focus]" : "[name=amount]";
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(field)?.focus({ preventScroll: true }));
  }

  /** What was really done with the chips of an act. */
  private entry({ number, box, bet, move, amount: due }: ActView): TemplateResult {
    const { isHeld, perform } = this.table;
    const enter = async (event: SubmitEvent): Promise<void> => {
      const { field } = readForm(event);
      const sent = { do: "enter_act", act: number, did: field("did"), amount: amount(field("amount")) };
      await perform(sent);
    };
    const option = (did: string, text: string): TemplateResult => html`<label class="pill"><input type="radio"
      name="did" value=${did} .checked=${(move === "pay") === (did === "pay")}><span>${text}</span></label>`;
    return html`<form class="bets-form" @submit=${enter}>
      <fieldset><legend>${t("What was done: box {box}, {bet}", { box, bet: title(bet) })}</legend>
        <div class="row">${option("take", t("Taken"))} ${option("pay", t("Paid"))}</div></fieldset>
      <label>${t("Amount, 0 for none")} <input name="amount" inputmode="decimal" required pattern=${AMOUNT}
        placeholder=${due}></label>
      <div class="row"><button class="button small" ?disabled=${isHeld}>${t("Enter it")}</button>
        <button type="button" class="button small ghost" @click=${() => this.toggle(number)}>${t("Cancel")}</button>
        </div></form>`;
  }

  private line(act: ActView, { done, mispay }: SettlingView): TemplateResult {
    const isWrong = mispay?.act === act.number;
    const state = isWrong ? "wrong" : act.number < done ? "past" : act.number === done && !mispay ? "now" : "";
    const reopen = html`<button type="button" class="button small ghost" @click=${() => this.toggle(act.number)}
      >${t("That was wrong")}</button>`;
    return html`<li class=${state} aria-current=${state === "now" ? "step" : "false"}>${t("Box {box} {bet}:", {
      box: act.box,
      bet: title(act.bet),
    })} <b>${t(MOVES[act.move]!)} ${show(act.amount)}</b>
      ${act.number < done && !mispay ? reopen : nothing}</li>`;
  }
}
customElements.define("settlement-acts", SettlementActs);
