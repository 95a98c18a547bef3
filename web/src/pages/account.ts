import { html, type TemplateResult } from "lit";

import type { SessionView } from "../api/types";
import { alert } from "../components/alert";
import { SecondFactorSetup } from "../components/people/second-factor";
import { sessionList } from "../components/people/session-list";
import { PollingElement } from "../lib/element";
import { readForm } from "../lib/forms";
import { go } from "../lib/navigation";
import { requests } from "../lib/state/requests";
import { session } from "../lib/state/session";
import { toast } from "../lib/state/toasts";
import { t } from "../lib/text/language";
import { failure } from "../lib/text/sentences";

/** A person's own account: password, second factor and sessions. */
export class AccountPage extends PollingElement {
  protected readonly interval = 5000;
  private sessions: SessionView[] | null = null;
  private isBusy = false;
  private passwordError = "";
  private sessionsError = "";
  private secondFactor = new SecondFactorSetup(() => this.requestUpdate());

  protected async load(): Promise<void> {
    if (!session.me || session.me.held) return;
    try {
      this.sessions = await requests.list<SessionView>("/api/sessions");
      this.sessionsError = "";
    } catch (error) {
      this.sessionsError = failure(error);
    }
    this.requestUpdate();
  }

  private changePassword = async (event: SubmitEvent): Promise<void> => {
    const { form, field } = readForm(event);
    if (this.isBusy) return;
    this.passwordError = field("new") === field("again") ? "" : t("The new password is not the same both times.");
    this.requestUpdate();
    if (this.passwordError) return;
    this.isBusy = true;
    try {
      await requests.send("POST", "/api/password", { old: field("old"), new: field("new") });
      await session.release();
      form.reset();
      toast(t("Your password is changed. Your other sessions are over."));
    } catch (error) {
      this.passwordError = failure(error);
    }
    this.isBusy = false;
    await this.load();
    this.requestUpdate();
  };

  private end = async (held: SessionView): Promise<void> => {
    if (held.this) {
      await session.leave();
      return go("#/");
    }
    try {
      await requests.send("DELETE", `/api/sessions/${held.id}`);
      await this.load();
    } catch (error) {
      this.sessionsError = failure(error);
      this.requestUpdate();
    }
  };

  override render(): TemplateResult {
    if (this.secondFactor.hasCodes)
      return html`<main class="narrow account" id="main">${this.secondFactor.codes()}</main>`;
    switch (session.me?.held) {
      case "change_password_first":
        return html`<main class="narrow account" id="main"><h1>${t("Choose your own password")}</h1>
          <p>${t("The password that you were given works once.")}</p>${this.password()}</main>`;
      case "second_factor_first":
        return html`<main class="narrow account" id="main"><h1>${t("Set up your second factor")}</h1>
          <p>${t("Your post needs one: a code from a device that you carry, beside your password.")}</p>
          ${this.secondFactor.panel()}</main>`;
      default:
        return html`<main class="account" id="main"><h1>${t("Your account")}</h1>
          <div class="beside"><div>${this.password()}${this.secondFactor.panel()}</div>
          <section class="panel" aria-label=${t("Sessions")}><h2>${t("Where you are logged in")}</h2>
            ${alert(this.sessionsError)}
            ${
              this.sessions ? sessionList(this.sessions, this.end) : html`<p>${t("Loading …")}</p>`
            }</section></div></main>`;
    }
  }

  private password(): TemplateResult {
    return html`<section class="panel" aria-label=${t("Password")}><h2>${t("Password")}</h2><form @submit=${
      this.changePassword
    }>
      <input class="sr" name="username" autocomplete="username" .value=${session.me?.name ?? ""} tabindex="-1"
        aria-hidden="true" readonly>
      <label>${t(
        "Old password",
      )} <input name="old" type="password" autocomplete="current-password" required maxlength="200"
        ?autofocus=${Boolean(session.me?.held)}></label>
      <label>${t("New password")} <input name="new" type="password" autocomplete="new-password" required minlength="12"
        maxlength="200" aria-describedby="new-password"></label>
      <label>${t("New password again")} <input name="again" type="password" autocomplete="new-password" required
        maxlength="200"></label>
      <p class="quiet" id="new-password">${t(
        "12 characters or more, and not easy to guess: four words that do not belong together are good.",
      )}</p>
      ${alert(this.passwordError)}
      <button class="button" ?disabled=${this.isBusy}>${t("Change the password")}</button></form></section>`;
  }
}
customElements.define("account-page", AccountPage);
