import { html, nothing, type TemplateResult } from "lit";

import type { KnownPerson, SessionView } from "../../api/types";
import { StateElement } from "../../lib/element";
import { requests } from "../../lib/state/requests";
import { toast } from "../../lib/state/toasts";
import { rich, t } from "../../lib/text/language";
import { failure } from "../../lib/text/sentences";
import { alert } from "../alert";
import { sessionList } from "./session-list";

/** The account of another person: password, second factor and sessions. It sends "changed" after a request. */
export class AccountDialog extends StateElement {
  static override properties = { person: { attribute: false } };
  person: KnownPerson | undefined = undefined;
  private name = "";
  /** The password that the server has just made. */
  private newPassword = "";
  private sessions: SessionView[] | null = null;
  private isBusy = false;
  private error = "";

  open(name: string): void {
    [this.name, this.newPassword, this.sessions, this.error] = [name, "", null, ""];
    this.requestUpdate();
    void this.loadSessions();
    void this.updateComplete.then(() => this.dialog?.showModal());
  }

  private get dialog(): HTMLDialogElement | null {
    return this.querySelector("dialog");
  }

  private get path(): string {
    return `/api/people/${encodeURIComponent(this.name)}`;
  }

  private close = (): void => this.dialog?.close();

  private async loadSessions(): Promise<void> {
    try {
      this.sessions = await requests.list<SessionView>(`${this.path}/sessions`);
    } catch (error) {
      this.error = failure(error);
    }
    this.requestUpdate();
  }

  /** Send a request, and show the sentence that it returns. */
  private async send(request: () => Promise<string>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.error = "";
    this.requestUpdate();
    try {
      toast(await request());
    } catch (error) {
      this.error = failure(error);
    }
    this.isBusy = false;
    this.dispatchEvent(new Event("changed"));
    if (this.error) this.requestUpdate();
    else await this.loadSessions();
  }

  private resetPassword = (): Promise<void> =>
    this.send(async () => {
      this.newPassword = (await requests.send<{ password: string }>("POST", `${this.path}/reset`)).password;
      return t("{name} has another password.", { name: this.name });
    });

  private removeFactor = (): Promise<void> =>
    this.send(async () => {
      await requests.send("POST", `${this.path}/second-factor/remove`);
      return t("{name} no longer has a second factor.", { name: this.name });
    });

  private end = ({ id }: SessionView): Promise<void> =>
    this.send(async () => {
      await requests.send("DELETE", `${this.path}/sessions/${id}`);
      return t("A session of {name} is over.", { name: this.name });
    });

  override render(): TemplateResult {
    return html`<dialog class="manage" aria-labelledby="manage-title">
      <h2 id="manage-title">${t("Account of {name}", { name: this.name })}</h2>
      ${alert(this.error)} ${this.newPassword ? this.password() : nothing}
      ${this.credentials()}
      <h3>${t("Sessions")}</h3>
      ${
        this.sessions?.length
          ? sessionList(this.sessions, this.end)
          : html`<p class="quiet">${this.sessions ? t("None.") : t("Loading …")}</p>`
      }
      <div class="row"><button type="button" class="button" @click=${this.close}>${t("Done")}</button></div></dialog>`;
  }

  private password(): TemplateResult {
    const use = this.person?.break_glass
      ? t("It works for one log-in.")
      : t("It has to be changed at the next log-in.");
    return html`<p role="status">${rich("The new password, shown this once: {password}", {
      password: html`<code class="made">${this.newPassword}</code>`,
    })}
      ${use}</p>`;
  }

  private ownAccount(): TemplateResult {
    return html`<p class="quiet">${rich("Your own password and second factor are on {account}.", {
      account: html`<a href="#/account" @click=${this.close}>${t("your account")}</a>`,
    })}</p>`;
  }

  private credentials(): TemplateResult | typeof nothing {
    if (!this.person) return nothing;
    const { may, second_factor } = this.person;
    if (!may.includes("reset_password")) return this.ownAccount();
    const button = (act: () => void, text: string): TemplateResult =>
      html`<button type="button" class="button ghost" ?disabled=${this.isBusy} @click=${act}>${text}</button>`;
    const hasRemoval = second_factor && may.includes("remove_second_factor");
    return html`<div class="row">${button(this.resetPassword, t("Reset the password"))}
      ${hasRemoval ? button(this.removeFactor, t("Remove the second factor")) : nothing}</div>`;
  }
}
customElements.define("account-dialog", AccountDialog);
