/** Payments of which the cage asks this player. */

import { html, nothing, type TemplateResult } from "lit";

import { Piece } from "./element";
import { post } from "./measures";
import { show } from "./money";
import { store } from "./store";
import type { Consent } from "./types";

/** What a payment is, to its player. */
export const PAYMENTS: Record<Consent["kind"], string> = { buy_in: "Buy in", cash_out: "Cash out" };

/** The player's own word: it stands on every page until it is given, or until its time is over. */
export class ConsentPrompt extends Piece {
  private timer = 0;
  private busy = false;
  /** When each question ends, by this page's clock. */
  private ends = new Map<string, number>();

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = window.setInterval(() => this.ends.size && this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  private left(consent: Consent): number {
    if (!this.ends.has(consent.id)) this.ends.set(consent.id, performance.now() + 1000 * consent.seconds);
    return Math.ceil((this.ends.get(consent.id)! - performance.now()) / 1000);
  }

  private async say(consent: Consent, word: "confirm" | "decline"): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const what = `${PAYMENTS[consent.kind]} ${show(consent.amount)}`;
    await post(`/api/consents/${encodeURIComponent(consent.id)}/${word}`, {}, word === "confirm" ? `${what}: confirmed.` : `${what}: declined, nothing was done.`);
    await store.refreshMe();
    this.busy = false;
    this.requestUpdate();
  }

  override render(): TemplateResult | typeof nothing {
    const waiting = (store.me?.account?.consents ?? []).filter((consent) => this.left(consent) > 0);
    if (!waiting.length) {
      this.ends.clear();
      return nothing;
    }
    return html`${waiting.map((consent) => {
      const says = consent.kind === "buy_in"
        ? `The cage gives you ${show(consent.amount)} in chips for as much money.` : `The cage pays you ${show(consent.amount)} for as many chips.`;
      return html`<section class="panel ask consent" role="alert" aria-label="Payment to confirm" data-consent=${consent.id}>
        <h2>${PAYMENTS[consent.kind]} ${show(consent.amount)}: is that right?</h2>
        <p>${says} Asked by ${consent.by}${consent.second ? ` and ${consent.second}` : ""}. <span class="quiet" aria-hidden="true">${this.left(consent)} s</span></p>
        <div class="row"><button type="button" class="button" ?disabled=${this.busy} @click=${() => this.say(consent, "confirm")}>Confirm</button>
          <button type="button" class="button ghost" ?disabled=${this.busy} @click=${() => this.say(consent, "decline")}>Decline</button></div></section>`;
    })}`;
  }
}
customElements.define("consent-prompt", ConsentPrompt);
