import { html, nothing, type TemplateResult } from "lit";

import { Refused } from "../../api/http";
import { StateElement } from "../../lib/element";
import { readForm } from "../../lib/forms";
import { go } from "../../lib/navigation";
import { session } from "../../lib/state/session";
import { t } from "../../lib/text/language";
import { failure } from "../../lib/text/sentences";
import { alert } from "../alert";
import "../pit/locked-wall";

/** Covers any page whose session the server has locked, until the person enters the password. */
export class LockDialog extends StateElement {
  static override properties = { route: { attribute: false } };
  /** The page that is locked. */
  route = "";
  private error = "";
  private isBusy = false;

  private get isLocked(): boolean {
    return session.me?.held === "session_locked";
  }

  /** A wall that nobody touches is still looked at: the pit shows where a person is needed, without the log-in. */
  private get keepsWall(): boolean {
    return this.isLocked && this.route === "pit" && session.may("watch_floor");
  }

  protected override updated(): void {
    const dialog = this.querySelector("dialog");
    if (this.isLocked && !dialog?.open) dialog?.showModal();
    if (!this.isLocked && dialog?.open) dialog.close();
  }

  private unlock = async (event: SubmitEvent): Promise<void> => {
    const { form, field } = readForm(event);
    this.isBusy = true;
    this.error = "";
    this.requestUpdate();
    try {
      await session.unlock(field("password"));
      form.reset();
    } catch (error) {
      this.error = failure(error);
      // The session may have ended altogether: then the page asks for a log-in.
      if (error instanceof Refused && error.status === 401) await session.release();
    }
    this.isBusy = false;
    this.requestUpdate();
  };

  private leave = async (): Promise<void> => {
    try {
      await session.leave();
      go("#/");
    } catch (error) {
      this.error = failure(error);
      this.requestUpdate();
    }
  };

  override render(): TemplateResult {
    return html`<dialog class="lock ${this.keepsWall ? "with-wall" : ""}" aria-labelledby="lock-title"
      @cancel=${(event: Event) => event.preventDefault()}>
      ${this.isLocked ? this.form() : nothing}
      ${this.keepsWall ? html`<locked-wall></locked-wall>` : nothing}</dialog>`;
  }

  private form(): TemplateResult {
    return html`<div class="unlock"><h2 id="lock-title">${t("Locked: {name}", { name: session.me?.name ?? "" })}</h2>
      <p>${t("This session was not used for a while. Enter your password to go on where you were.")}</p>
      <form @submit=${this.unlock}>
        <input class="sr" name="username" autocomplete="username" .value=${session.me?.name ?? ""} tabindex="-1"
          aria-hidden="true" readonly>
        <label>${t(
          "Password",
        )} <input name="password" type="password" autocomplete="current-password" autofocus required
          maxlength="200"></label>
        ${alert(this.error)}
        <div class="row"><button type="button" class="button ghost" @click=${this.leave}>${t("Log out")}</button>
          <button class="button" ?disabled=${this.isBusy}>${t("Unlock")}</button></div></form></div>`;
  }
}
customElements.define("lock-dialog", LockDialog);
