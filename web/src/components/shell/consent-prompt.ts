import { html, nothing, type TemplateResult } from "lit";

import type { Consent } from "../../api/types";
import { StateElement } from "../../lib/element";
import { post } from "../../lib/forms";
import { show } from "../../lib/money";
import { session } from "../../lib/state/session";
import { list, t } from "../../lib/text/language";
import { paymentName } from "../payment-names";

/** Payments that the cage asks this player to confirm. They stay on every page until they are answered or expire. */
export class ConsentPrompt extends StateElement {
  private timer = 0;
  private isBusy = false;
  /** When each question expires, by the clock of this page. */
  private ends = new Map<string, number>();

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = window.setInterval(() => this.ends.size && this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  private secondsLeft({ id, seconds }: Consent): number {
    if (!this.ends.has(id)) this.ends.set(id, performance.now() + 1000 * seconds);
    return Math.ceil((this.ends.get(id)! - performance.now()) / 1000);
  }

  private async answer({ id, kind, amount }: Consent, answer: "confirm" | "decline"): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    const payment = `${paymentName(kind)} ${show(amount)}`;
    const done =
      answer === "confirm"
        ? t("{payment}: confirmed.", { payment })
        : t("{payment}: declined, nothing was done.", { payment });
    await post(`/api/consents/${encodeURIComponent(id)}/${answer}`, {}, done);
    await session.refresh();
    this.isBusy = false;
    this.requestUpdate();
  }

  override render(): TemplateResult | typeof nothing {
    const waiting = (session.me?.account?.consents ?? []).filter((consent) => this.secondsLeft(consent) > 0);
    if (!waiting.length) {
      this.ends.clear();
      return nothing;
    }
    return html`${waiting.map((consent) => this.question(consent))}`;
  }

  private question(consent: Consent): TemplateResult {
    const { id, kind, by, second } = consent;
    const amount = show(consent.amount);
    const payment =
      kind === "buy_in"
        ? t("The cage gives you {amount} in chips for as much money.", { amount })
        : t("The cage pays you {amount} for as many chips.", { amount });
    return html`<section class="panel ask consent" role="alert" aria-label=${t(
      "Payment to confirm",
    )} data-consent=${id}>
      <h2>${t("{payment}: is that right?", { payment: `${paymentName(kind)} ${amount}` })}</h2>
      <p>${payment} ${t("Asked by {names}.", { names: list(second ? [by, second] : [by]) })}
        <span class="quiet" aria-hidden="true">${this.secondsLeft(consent)} s</span></p>
      <div class="row"><button type="button" class="button" ?disabled=${this.isBusy}
          @click=${() => this.answer(consent, "confirm")}>${t("Confirm")}</button>
        <button type="button" class="button ghost" ?disabled=${this.isBusy}
          @click=${() => this.answer(consent, "decline")}>${t("Decline")}</button></div></section>`;
  }
}
customElements.define("consent-prompt", ConsentPrompt);
