import { html, nothing, type TemplateResult } from "lit";

import { commandId } from "../api/command-id";
import type { Cashier, Consent, PlayerBalance } from "../api/types";
import { PAYMENTS } from "../components/payment-names";
import "../components/second-signatures";
import { PollingElement } from "../lib/element";
import { AMOUNT, amount, inputValue, post, readForm } from "../lib/forms";
import { show } from "../lib/money";
import { setTabTitle } from "../lib/navigation";
import { requests } from "../lib/state/requests";

const STATES: Record<Consent["state"], string> = {
  waiting: "Waits for the player",
  confirmed: "Confirmed",
  declined: "Declined: nothing was done",
  unanswered: "No answer: nothing was done",
};

/** The cage: what players hold, buy-ins and cash-outs, and which of them wait for their player. */
export class CagePage extends PollingElement {
  protected readonly interval = 2000;
  private cashier: Cashier | null = null;
  private search = "";
  private player = "";
  private isBusy = false;

  protected async load(): Promise<void> {
    const search = this.search.trim();
    const path = `/api/cashier${search ? `?name=${encodeURIComponent(search)}` : ""}`;
    this.cashier = (await requests.refresh("/api/cashier", requests.get<Cashier>(path))) ?? this.cashier;
    this.requestUpdate();
  }

  protected override updated(): void {
    setTabTitle("Cage", this.cashier?.payments.filter(({ state }) => state === "waiting").length ?? 0);
  }

  private pay = async (event: SubmitEvent): Promise<void> => {
    const { form, field } = readForm(event);
    if (this.isBusy) return;
    this.isBusy = true;
    const isCashOut = (event.submitter as HTMLButtonElement | null)?.value === "out";
    const body = { id: commandId(), player: field("player").trim(), amount: amount(field("amount")) };
    const exchange = isCashOut ? "chips for money" : "money for chips";
    const done = `${body.player}: ${exchange}, ${show(body.amount)}. The player was not logged in.`;
    if (await post(`/api/cashier/${isCashOut ? "cash-out" : "buy-in"}`, body, done)) {
      form.reset();
      this.player = "";
    }
    this.isBusy = false;
    await this.load();
  };

  private choose(player: string): void {
    this.player = player;
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector<HTMLInputElement>('input[name="amount"]')?.focus());
  }

  private find = (event: Event): void => {
    this.search = inputValue(event);
    void this.load();
  };

  private typePlayer = (event: Event): void => {
    this.player = inputValue(event);
  };

  override render(): TemplateResult {
    return html`<main class="cage" id="main"><h1>Cage</h1>
      <second-signatures></second-signatures>
      <div class="beside">${this.form()}${this.payments()}</div>${this.holders()}</main>`;
  }

  private form(): TemplateResult {
    const alone = this.cashier?.alone_up_to;
    return html`<section class="panel" aria-label="Cashier"><h2>Buy in, cash out</h2>
      <form class="bets-form" @submit=${this.pay}>
      <label>Player <input name="player" required maxlength="40" autocomplete="off" autocapitalize="none"
        .value=${this.player} @input=${this.typePlayer}></label>
      <label>Amount <input name="amount" inputmode="decimal" required pattern=${AMOUNT}></label>
      <p class="quiet">A player who is logged in confirms it on their own screen.
        ${alone ? `Above ${show(alone)} another person signs first.` : ""}</p>
      <div class="row"><button class="button small" value="in" ?disabled=${this.isBusy}>Buy in</button>
        <button class="button small ghost" value="out" ?disabled=${this.isBusy}>Cash out</button></div>
      </form></section>`;
  }

  private payments(): TemplateResult {
    const payments = this.cashier?.payments ?? [];
    return html`<section class="panel" aria-label="Payments asked"><h2>Asked of players</h2>
      ${
        payments.length
          ? html`<ul class="people">${payments.map((payment) => this.payment(payment))}</ul>`
          : html`<p class="quiet">No player was asked in the last quarter of an hour.</p>`
      }</section>`;
  }

  private payment(payment: Consent): TemplateResult {
    const seconds = payment.state === "waiting" ? `, ${payment.seconds} s` : "";
    return html`<li data-payment=${payment.player}>
      <div class="grow"><b>${PAYMENTS[payment.kind]} ${show(payment.amount)}</b> for ${payment.player}
        <div><small class="quiet">${STATES[payment.state]}${seconds}</small></div></div></li>`;
  }

  private holders(): TemplateResult {
    return html`<section class="panel" aria-labelledby="held"><h2 id="held">What players hold</h2>
      <label class="find">Find a player <input type="search" autocomplete="off" autocapitalize="none" maxlength="40"
        .value=${this.search} @input=${this.find}></label>
      ${this.cashier ? this.holderList(this.cashier) : html`<p>Loading …</p>`}</section>`;
  }

  private holderList({ players, more }: Cashier): TemplateResult {
    return html`<ul class="people">${players.map((holder) => this.holder(holder))}</ul>
      ${more ? html`<p class="quiet">${more} more: type a part of the name to find them.</p>` : nothing}
      ${players.length ? nothing : html`<p class="quiet">No player matches. Type a shorter part of the name.</p>`}`;
  }

  private holder({ player, balance, logged_in, enrolled }: PlayerBalance): TemplateResult {
    return html`<li data-player=${player}><div class="grow"><b>${player}</b>
        <div><small class="quiet">${enrolled ? "" : "Cannot log in: cash out only. "}</small>
          ${logged_in ? html`<span class="tag">Logged in</span>` : nothing}</div></div>
      <b data-test="held">${show(balance)}</b>
      <button type="button" class="button small ghost" @click=${() => this.choose(player)}
        >Choose<span class="sr"> ${player}</span></button></li>`;
  }
}
customElements.define("cage-page", CagePage);
