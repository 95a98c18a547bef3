import { html, nothing, type TemplateResult } from "lit";

import { Refused } from "../api/http";
import { alert } from "../components/alert";
import { houseSign } from "../components/shell/house-sign";
import { languageChoice } from "../components/shell/language-choice";
import { StateElement } from "../lib/element";
import { readForm } from "../lib/forms";
import { homePage } from "../lib/home-page";
import { go, to } from "../lib/navigation";
import { lobby } from "../lib/state/lobby";
import { session } from "../lib/state/session";
import { either, t } from "../lib/text/language";
import { failure } from "../lib/text/sentences";

/** Who may log in to a demonstration. */
const DEMO_NAMES = [
  ...["ana", "dealer", "supervisor", "manager", "shift", "cage"],
  ...["surveillance", "auditor", "examiner", "learner", "display", "admin"],
];

/** Log in, with a second factor where the person has one; in a demonstration, play as a guest. */
export class LoginPage extends StateElement {
  static override properties = { next: { attribute: false }, isVisit: { attribute: false } };
  next = "";
  /** A visitor has followed the link of a table or a round: a demonstration lets them in as a guest. */
  isVisit = false;
  private error = "";
  private isBusy = false;
  /** The password was right, and the person has a second factor. */
  private needsCode = false;

  override render(): TemplateResult {
    if (this.isVisit && lobby.demo) return this.guestEntrance();
    return html`<main class="narrow entrance" id="main">
      ${houseSign()}
      <h1>${t("Log in")}</h1>
      ${this.shared ? html`<p data-test="shared">${this.shared}</p>` : nothing}
      <form class="panel" @submit=${this.submit}>
        <label>${t("Name")} <input name="name" autofocus autocomplete="username" autocapitalize="none" required
          maxlength="40"></label>
        <label>${t("Password")} <input name="password" type="password" autocomplete="current-password" required></label>
        ${this.needsCode ? this.code() : nothing} ${alert(this.error)}
        <button class="button" ?disabled=${this.isBusy}>${t("Log in")}</button>
      </form>
      ${lobby.demo ? this.demonstration() : nothing}
      <div class="panel">${languageChoice()}</div>
    </main>`;
  }

  /** What waits behind the link of a shared round; empty for any other page. */
  private get shared(): string {
    const [page, table = "", round = ""] = this.next.split("/");
    return page === "replay" ? t("{table}, round {round} waits to be shown to you", { table, round }) : "";
  }

  private guestEntrance(): TemplateResult {
    const [, table = ""] = this.next.split("/");
    const play = this.shared ? t("See it as a guest") : t("Play as a guest");
    return html`<main class="narrow entrance" id="main">
      ${houseSign()}
      <h1>${this.shared || t("Table {table}", { table })}</h1>
      <p>${lobby.terms.get(table)?.title}</p>
      ${alert(this.error)}
      <button type="button" class="button large" ?disabled=${this.isBusy} @click=${() => this.enter("/api/guest")}
        >${play}<small>${t("demo chips, no money.")}</small></button>
      <p><a href=${to("login", ...this.next.split("/"))}>${t("Log in")}</a></p>
      <div class="panel">${languageChoice()}</div>
    </main>`;
  }

  private code(): TemplateResult {
    return html`<label>${t("Code of your second factor")} <input name="code" autocomplete="one-time-code"
        autocapitalize="none" required maxlength="40" aria-describedby="which-code"></label>
      <p class="quiet" id="which-code">${t("The six figures of your device; a recovery code if it is lost.")}</p>`;
  }

  private demonstration(): TemplateResult {
    return html`<section class="panel"><h2>${t("Demonstration")}</h2>
      <p>${t("This house plays for demo chips.")} ${t(
        "Sit down as a guest, or log in as {names} with the password the server printed at its start.",
        { names: either(DEMO_NAMES) },
      )}</p>
      <button type="button" class="button ghost" ?disabled=${this.isBusy} @click=${() => this.enter("/api/guest")}>
        ${t("Play as a guest")}</button></section>`;
  }

  private submit = (event: SubmitEvent): void => {
    const { field } = readForm(event);
    const code = this.needsCode ? { code: field("code") } : {};
    void this.enter("/api/login", { name: field("name"), password: field("password"), ...code });
  };

  private async enter(path: "/api/login" | "/api/guest", body?: unknown): Promise<void> {
    this.isBusy = true;
    this.error = "";
    this.requestUpdate();
    try {
      await session.enter(path, body);
      const [page = "", ...rest] = this.next.split("/");
      go(page ? to(page, ...rest) : homePage());
    } catch (error) {
      if (error instanceof Refused && error.answer.code === "code_needed") this.needsCode = true;
      else this.error = failure(error);
    }
    this.isBusy = false;
    this.requestUpdate();
    await this.updateComplete;
    if (this.needsCode) this.querySelector<HTMLInputElement>('input[name="code"]')?.focus();
  }
}
customElements.define("login-page", LoginPage);
