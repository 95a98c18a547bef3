/** The cage: what players hold, buy-ins and cash-outs, and which of them wait for their player. */

import { html, nothing, type TemplateResult } from "lit";

import { PAYMENTS } from "./consents";
import { entitle, Piece } from "./element";
import { post, unique } from "./measures";
import { cents, plain, show } from "./money";
import "./signatures";
import { store } from "./store";
import type { Consent } from "./types";

interface Holder {
  player: string;
  balance: string;
  logged_in: boolean;
  enrolled: boolean;
}

interface Cashier {
  players: Holder[];
  more: number;
  payments: Consent[];
  alone_up_to: string | null;
}

const STATES: Record<Consent["state"], string> = {
  waiting: "Waits for the player", confirmed: "Confirmed", declined: "Declined: nothing was done", unanswered: "No answer: nothing was done",
};

export class CagePage extends Piece {
  private cashier: Cashier | null = null;
  private timer = 0;
  private sought = "";
  private player = "";
  private busy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
    this.timer = window.setInterval(() => void this.load(), 2000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  private async load(): Promise<void> {
    const path = `/api/cashier${this.sought.trim() ? `?name=${encodeURIComponent(this.sought.trim())}` : ""}`;
    this.cashier = (await store.refresh("/api/cashier", store.get<Cashier>(path))) ?? this.cashier;
    this.requestUpdate();
  }

  protected override updated(): void {
    entitle("Cage", this.cashier?.payments.filter(({ state }) => state === "waiting").length ?? 0);
  }

  private pay = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    const form = event.target as HTMLFormElement;
    const data = new FormData(form);
    const out = (event.submitter as HTMLButtonElement | null)?.value === "out";
    const body = { id: unique(), player: String(data.get("player")).trim(), amount: plain(cents(String(data.get("amount")))) };
    const says = `${body.player}: ${out ? "chips for money" : "money for chips"}, ${show(body.amount)}. The player was not logged in.`;
    if (await post(`/api/cashier/${out ? "cash-out" : "buy-in"}`, body, says)) {
      form.reset();
      this.player = "";
    }
    this.busy = false;
    await this.load();
  };

  override render(): TemplateResult {
    return html`<main class="cage" id="main"><h1>Cage</h1>
      <second-signatures></second-signatures>
      <div class="beside">${this.form()}${this.payments()}</div>${this.holders()}</main>`;
  }

  private form(): TemplateResult {
    const alone = this.cashier?.alone_up_to;
    return html`<section class="panel" aria-label="Cashier"><h2>Buy in, cash out</h2><form class="bets-form" @submit=${this.pay}>
      <label>Player <input name="player" required maxlength="40" autocomplete="off" autocapitalize="none" .value=${this.player}
        @input=${(e: Event) => (this.player = (e.target as HTMLInputElement).value)}></label>
      <label>Amount <input name="amount" inputmode="decimal" required pattern="[0-9]+([.][0-9]{2})?"></label>
      <p class="quiet">A player who is logged in confirms it on their own screen.${alone ? ` Above ${show(alone)} another person signs first.` : ""}</p>
      <div class="row"><button class="button small" value="in" ?disabled=${this.busy}>Buy in</button>
        <button class="button small ghost" value="out" ?disabled=${this.busy}>Cash out</button></div></form></section>`;
  }

  private payments(): TemplateResult {
    const payments = this.cashier?.payments ?? [];
    return html`<section class="panel" aria-label="Payments asked"><h2>Asked of players</h2>
      ${payments.length ? html`<ul class="people">${payments.map((p) => html`<li data-payment=${p.player}><div class="grow"><b>${PAYMENTS[p.kind]} ${show(p.amount)}</b> for ${p.player}
        <div><small class="quiet">${STATES[p.state]}${p.state === "waiting" ? `, ${p.seconds} s` : ""}</small></div></div></li>`)}</ul>`
        : html`<p class="quiet">No player was asked in the last quarter of an hour.</p>`}</section>`;
  }

  private holders(): TemplateResult {
    const known = this.cashier;
    return html`<section class="panel" aria-labelledby="held"><h2 id="held">What players hold</h2>
      <label class="find">Find a player <input type="search" autocomplete="off" autocapitalize="none" maxlength="40" .value=${this.sought}
        @input=${(e: Event) => { this.sought = (e.target as HTMLInputElement).value; void this.load(); }}></label>
      ${known ? html`<ul class="people">${known.players.map((p) => html`<li data-player=${p.player}><div class="grow"><b>${p.player}</b>
          <div><small class="quiet">${p.enrolled ? "" : "Cannot log in: cash out only. "}</small>${p.logged_in ? html`<span class="tag">Logged in</span>` : nothing}</div></div>
        <b data-test="held">${show(p.balance)}</b>
        <button type="button" class="button small ghost" @click=${() => this.choose(p.player)}>Choose<span class="sr"> ${p.player}</span></button></li>`)}</ul>
        ${known.more ? html`<p class="quiet">${known.more} more: part of a name finds them.</p>` : nothing}
        ${known.players.length ? nothing : html`<p class="quiet">No player fits.</p>`}` : html`<p>Looking …</p>`}</section>`;
  }

  private choose(player: string): void {
    this.player = player;
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector<HTMLInputElement>('input[name="amount"]')?.focus());
  }
}
customElements.define("cage-page", CagePage);
