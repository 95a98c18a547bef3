import { html, nothing, type TemplateResult } from "lit";

import { commandId } from "../api/command-id";
import type { Cashier, Consent, PlayerBalance } from "../api/types";
import { paymentName } from "../components/payment-names";
import "../components/second-signatures";
import { PollingElement } from "../lib/element";
import { AMOUNT, amount, inputValue, post, readForm } from "../lib/forms";
import { show } from "../lib/money";
import { setTabTitle } from "../lib/navigation";
import { requests } from "../lib/state/requests";
import { type Plain, rich, t } from "../lib/text/language";

const STATES: Record<Consent["state"], Plain> = {
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
    setTabTitle(t("Cage"), this.cashier?.payments.filter(({ state }) => state === "waiting").length ?? 0);
  }

  private pay = async (event: SubmitEvent): Promise<void> => {
    const { form, field } = readForm(event);
    if (this.isBusy) return;
    this.isBusy = true;
    const isCashOut = (event.submitter as HTMLButtonElement | null)?.value === "out";
    const body = { id: commandId(), player: field("player").trim(), amount: amount(field("amount")) };
    const paid = { player: body.player, amount: show(body.amount) };
    const done = isCashOut
      ? t("{player}: chips for money, {amount}. The player was not logged in.", paid)
      : t("{player}: money for chips, {amount}. The player was not logged in.", paid);
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
    return html`<main class="cage" id="main"><h1>${t("Cage")}</h1>
      <second-signatures></second-signatures>
      <div class="beside">${this.form()}${this.payments()}</div>${this.holders()}</main>`;
  }

  private form(): TemplateResult {
    const alone = this.cashier?.alone_up_to;
    return html`<section class="panel" aria-label=${t("Cashier")}><h2>${t("Buy in, cash out")}</h2>
      <form class="bets-form" @submit=${this.pay}>
      <label>${t("Player")} <input name="player" required maxlength="40" autocomplete="off" autocapitalize="none"
        .value=${this.player} @input=${this.typePlayer}></label>
      <label>${t("Amount")} <input name="amount" inputmode="decimal" required pattern=${AMOUNT}></label>
      <p class="quiet">${t("A player who is logged in confirms it on their own screen.")}
        ${alone ? t("Above {alone} another person signs first.", { alone: show(alone) }) : ""}</p>
      <div class="row"><button class="button small" value="in" ?disabled=${this.isBusy}>${t("Buy in")}</button>
        <button class="button small ghost" value="out" ?disabled=${this.isBusy}>${t("Cash out")}</button></div>
      </form></section>`;
  }

  private payments(): TemplateResult {
    const payments = this.cashier?.payments ?? [];
    return html`<section class="panel" aria-label=${t("Payments asked")}><h2>${t("Asked of players")}</h2>
      ${
        payments.length
          ? html`<ul class="people">${payments.map((payment) => this.payment(payment))}</ul>`
          : html`<p class="quiet">${t("No player was asked in the last quarter of an hour.")}</p>`
      }</section>`;
  }

  private payment(payment: Consent): TemplateResult {
    const seconds = payment.state === "waiting" ? `, ${payment.seconds} s` : "";
    return html`<li data-payment=${payment.player}>
      <div class="grow">${rich("{payment} for {player}", {
        payment: html`<b>${paymentName(payment.kind)} ${show(payment.amount)}</b>`,
        player: payment.player,
      })}
        <div><small class="quiet">${t(STATES[payment.state])}${seconds}</small></div></div></li>`;
  }

  private holders(): TemplateResult {
    return html`<section class="panel" aria-labelledby="held"><h2 id="held">${t("What players hold")}</h2>
      <label class="find">${t(
        "Find a player",
      )} <input type="search" autocomplete="off" autocapitalize="none" maxlength="40"
        .value=${this.search} @input=${this.find}></label>
      ${this.cashier ? this.holderList(this.cashier) : html`<p>${t("Loading …")}</p>`}</section>`;
  }

  private holderList({ players, more }: Cashier): TemplateResult {
    return html`<ul class="people">${players.map((holder) => this.holder(holder))}</ul>
      ${
        more ? html`<p class="quiet">${t("{more} more: type a part of the name to find them.", { more })}</p>` : nothing
      }
      ${
        players.length
          ? nothing
          : html`<p class="quiet">${t("No player matches. Type a shorter part of the name.")}</p>`
      }`;
  }

  private holder({ player, balance, logged_in, enrolled }: PlayerBalance): TemplateResult {
    return html`<li data-player=${player}><div class="grow"><b>${player}</b>
        <div><small class="quiet">${enrolled ? "" : `${t("Cannot log in: cash out only.")} `}</small>
          ${logged_in ? html`<span class="tag">${t("Logged in")}</span>` : nothing}</div></div>
      <b data-test="held">${show(balance)}</b>
      <button type="button" class="button small ghost" @click=${() => this.choose(player)}
        >${t("Choose")}<span class="sr"> ${player}</span></button></li>`;
  }
}
customElements.define("cage-page", CagePage);
