/** A person's own second factor: set up, confirmed, removed, and its recovery codes. */

import { html, nothing, type TemplateResult } from "lit";

import type { Factor } from "../../api/types";
import { readForm } from "../../lib/forms";
import { requests } from "../../lib/state/requests";
import { session } from "../../lib/state/session";
import { parseSvg } from "../../lib/svg";
import { t } from "../../lib/text/language";
import { failure } from "../../lib/text/sentences";
import { alert } from "../alert";

const passwordField = (): TemplateResult => html`<label>${t(
  "Your password",
)} <input name="password" type="password" autocomplete="current-password"
  required maxlength="200"></label>`;

export class SecondFactorSetup {
  /** What the server proposed, until the person has confirmed it. */
  private proposed: Factor | null = null;
  private qrCode: Node | null = null;
  private recoveryCodes: string[] = [];
  private isBusy = false;
  private error = "";

  constructor(private readonly changed: () => void) {}

  /** Whether recovery codes have to be read before the page goes on. */
  get hasCodes(): boolean {
    return this.recoveryCodes.length > 0;
  }

  private async send(request: () => Promise<void>): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.error = "";
    this.changed();
    try {
      await request();
    } catch (error) {
      this.error = failure(error);
    }
    this.isBusy = false;
    this.changed();
    return !this.error;
  }

  private propose = async (event: SubmitEvent): Promise<void> => {
    const { form, field } = readForm(event);
    const done = await this.send(async () => {
      const body = { password: field("password") };
      this.proposed = await requests.send<Factor>("POST", "/api/second-factor", body);
      this.qrCode = parseSvg(this.proposed.qr, t("QR code of the second factor"));
    });
    if (done) form.reset();
  };

  private confirm = async (event: SubmitEvent): Promise<void> => {
    const { field } = readForm(event);
    await this.send(async () => {
      const path = "/api/second-factor/confirm";
      const { recovery } = await requests.send<{ recovery: string[] }>("POST", path, { code: field("code") });
      [this.recoveryCodes, this.proposed, this.qrCode] = [recovery, null, null];
      // A person who had to do this first reads the recovery codes before the page goes on.
      if (!session.me?.held) await session.refresh();
    });
  };

  private remove = async (event: SubmitEvent): Promise<void> => {
    const { form, field } = readForm(event);
    const done = await this.send(async () => {
      const body = { password: field("password"), code: field("code") };
      await requests.send("POST", "/api/second-factor/remove", body);
      await session.refresh();
    });
    if (done) form.reset();
  };

  private finish = async (): Promise<void> => {
    this.recoveryCodes = [];
    await session.release();
    this.changed();
  };

  panel(): TemplateResult {
    const isOn = session.me?.second_factor;
    return html`<section class="panel" aria-label=${t("Second factor")}>
      <h2>${t("Second factor")} ${isOn ? html`<span class="tag">${t("On")}</span>` : nothing}</h2>
      ${this.proposed ? this.confirmation(this.proposed) : isOn ? this.removal() : this.proposal()}</section>`;
  }

  private proposal(): TemplateResult {
    return html`<form @submit=${this.propose}>
      <p class="quiet">${t(
        "A device shows six figures, new ones every half minute. You give them beside your password.",
      )}</p>
      ${passwordField()} ${alert(this.error)}
      <button class="button" ?disabled=${this.isBusy}>${t("Set up a second factor")}</button></form>`;
  }

  private confirmation({ secret }: Factor): TemplateResult {
    return html`<form @submit=${this.confirm}>
      <p>${t("Scan this with an authenticator program, or type the secret into it.")}</p>
      <div class="qr">${this.qrCode}</div><p><code>${secret.match(/.{1,4}/g)?.join(" ")}</code></p>
      <label>${t(
        "The six figures that it shows",
      )} <input name="code" inputmode="numeric" autocomplete="one-time-code" required
        maxlength="10"></label>
      ${alert(this.error)} <button class="button" ?disabled=${this.isBusy}>${t("Turn it on")}</button></form>`;
  }

  private removal(): TemplateResult {
    return html`<form @submit=${this.remove}><p class="quiet">${t("To use another device, remove this one first.")}</p>
      ${passwordField()}
      <label>${t(
        "Code or recovery code",
      )} <input name="code" autocomplete="one-time-code" autocapitalize="none" required
        maxlength="40"></label>
      ${alert(this.error)}
      <button class="button ghost" ?disabled=${this.isBusy}>${t("Remove the second factor")}</button></form>`;
  }

  codes(): TemplateResult {
    return html`<h1>${t("Recovery codes")}</h1><section class="panel" aria-label=${t("Recovery codes")}>
      <p>${t("Each code opens your account once when the device is lost.")} ${t(
        "They are shown now and never again: print them or write them down.",
      )}</p>
      <ul class="codes">${this.recoveryCodes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
      <button type="button" class="button" @click=${this.finish}>${t("I have them")}</button></section>`;
  }
}
