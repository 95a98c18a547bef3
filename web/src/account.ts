/** One's own account: password, second factor and sessions; and the lock of a session that was not used for a while. */

import { html, nothing, type TemplateResult } from "lit";

import { failure, Refused } from "./api";
import { go, Piece } from "./element";
import { picture } from "./picture";
import { store } from "./store";

/** A session of a person, wherever it is. */
export interface HeldSession {
  id: string;
  opened: string | null;
  used: string | null;
  address: string;
  browser: string;
  locked: boolean;
  this: boolean;
}

interface Factor {
  secret: string;
  address: string;
  qr: string;
}

const when = (moment: string | null): string => (moment ? new Date(moment).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "not known");

/** A browser's own name for itself, shortened to what a person knows. */
function browserName(said: string): string {
  const name = /(Firefox|Edg|OPR|Chrome|Safari|curl|python|Python-urllib)/.exec(said)?.[1] ?? "";
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(said)?.[1] ?? "";
  const known = { Edg: "Edge", OPR: "Opera", "Mac OS X": "macOS", python: "A program", "Python-urllib": "A program", curl: "A program" } as Record<string, string>;
  const parts = [name, system].filter(Boolean).map((part) => known[part] ?? part);
  return parts.join(" on ") || said.slice(0, 40) || "Browser not known";
}

/** The sessions of one person as a list, each with a button that ends it. */
export function sessionList(sessions: HeldSession[], end: (session: HeldSession) => void): TemplateResult {
  return html`<ul class="people sessions">${sessions.map((session) => html`<li data-session=${session.id}>
    <div class="grow"><b title=${session.browser}>${browserName(session.browser)}</b>${session.this ? html` <span class="tag">This one</span>` : nothing}${session.locked ? html` <span class="tag">Locked</span>` : nothing}
      <div><small class="quiet">Opened ${when(session.opened)}, last used ${when(session.used)}${session.address ? `, from ${session.address}` : ""}</small></div></div>
    <button type="button" class="button small ghost" @click=${() => end(session)}>Sign out<span class="sr"> ${browserName(session.browser)}, opened ${when(session.opened)}</span></button></li>`)}</ul>`;
}

export class AccountPage extends Piece {
  private sessions: HeldSession[] | null = null;
  private timer = 0;
  private busy = false;
  private factor: Factor | null = null;
  private recovery: string[] = [];
  private drawn: Node | null = null;
  private wrong = { password: "", factor: "", sessions: "" };

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
    this.timer = window.setInterval(() => void this.load(), 5000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  private async load(): Promise<void> {
    if (!store.me || store.me.held) return;
    try {
      this.sessions = await store.list<HeldSession>("/api/sessions");
      this.wrong.sessions = "";
    } catch (wrong) {
      this.wrong.sessions = failure(wrong);
    }
    this.requestUpdate();
  }

  /** Ask once; a refusal stands where it was asked. */
  private async ask(where: "password" | "factor" | "sessions", send: () => Promise<void>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.wrong[where] = "";
    this.requestUpdate();
    try {
      await send();
    } catch (wrong) {
      this.wrong[where] = failure(wrong);
    }
    this.busy = false;
    await this.load();
    this.requestUpdate();
    return !this.wrong[where];
  }

  private fields(event: SubmitEvent): [(name: string) => string, HTMLFormElement] {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const data = new FormData(form);
    return [(name) => String(data.get(name) ?? ""), form];
  }

  private changePassword = async (event: SubmitEvent): Promise<void> => {
    const [field, form] = this.fields(event);
    if (field("new") !== field("again")) {
      this.wrong.password = "The new password is not the same both times.";
      return this.requestUpdate();
    }
    const done = await this.ask("password", async () => {
      await store.send("POST", "/api/password", { old: field("old"), new: field("new") });
      await store.released();
    });
    if (!done) return;
    form.reset();
    store.toast("Your password is changed. Your other sessions are over.");
  };

  private propose = async (event: SubmitEvent): Promise<void> => {
    const [field, form] = this.fields(event);
    const done = await this.ask("factor", async () => {
      this.factor = await store.send<Factor>("POST", "/api/second-factor", { password: field("password") });
      this.drawn = picture(this.factor.qr, "QR code of the second factor");
    });
    if (done) form.reset();
  };

  private confirm = async (event: SubmitEvent): Promise<void> => {
    const [field] = this.fields(event);
    await this.ask("factor", async () => {
      const { recovery } = await store.send<{ recovery: string[] }>("POST", "/api/second-factor/confirm", { code: field("code") });
      [this.recovery, this.factor, this.drawn] = [recovery, null, null];
      // A person who had to do this first reads the recovery codes before the page goes on.
      if (!store.me?.held) await store.refreshMe();
    });
  };

  private removeFactor = async (event: SubmitEvent): Promise<void> => {
    const [field, form] = this.fields(event);
    const done = await this.ask("factor", async () => {
      await store.send("POST", "/api/second-factor/remove", { password: field("password"), code: field("code") });
      await store.refreshMe();
    });
    if (done) form.reset();
  };

  private end = async (session: HeldSession): Promise<void> => {
    if (session.this) {
      await store.leave();
      return go("#/");
    }
    await this.ask("sessions", async () => void (await store.send("DELETE", `/api/sessions/${session.id}`)));
  };

  override render(): TemplateResult {
    const held = store.me?.held;
    if (this.recovery.length) return html`<main class="narrow account" id="main">${this.codes()}</main>`;
    if (held === "change_password_first")
      return html`<main class="narrow account" id="main"><h1>Choose your own password</h1>
        <p>The password that you were given works once.</p>${this.password()}</main>`;
    if (held === "second_factor_first")
      return html`<main class="narrow account" id="main"><h1>Set up your second factor</h1>
        <p>Your post needs one: a code from a device that you carry, beside your password.</p>${this.second()}</main>`;
    return html`<main class="account" id="main"><h1>Your account</h1>
      <div class="beside"><div>${this.password()}${this.second()}</div>
      <section class="panel" aria-label="Sessions"><h2>Where you are logged in</h2>
        ${this.wrong.sessions ? html`<p class="wrong" role="alert">${this.wrong.sessions}</p>` : nothing}
        ${this.sessions ? sessionList(this.sessions, this.end) : html`<p>Looking …</p>`}</section></div></main>`;
  }

  private password(): TemplateResult {
    return html`<section class="panel" aria-label="Password"><h2>Password</h2><form @submit=${this.changePassword}>
      <input class="sr" name="username" autocomplete="username" .value=${store.me?.name ?? ""} tabindex="-1" aria-hidden="true" readonly>
      <label>Old password <input name="old" type="password" autocomplete="current-password" required maxlength="200" ?autofocus=${!!store.me?.held}></label>
      <label>New password <input name="new" type="password" autocomplete="new-password" required minlength="12" maxlength="200" aria-describedby="new-password"></label>
      <label>New password again <input name="again" type="password" autocomplete="new-password" required maxlength="200"></label>
      <p class="quiet" id="new-password">12 characters or more, and not easy to guess: four words that do not belong together are good.</p>
      ${this.wrong.password ? html`<p class="wrong" role="alert">${this.wrong.password}</p>` : nothing}
      <button class="button" ?disabled=${this.busy}>Change the password</button></form></section>`;
  }

  private second(): TemplateResult {
    return html`<section class="panel" aria-label="Second factor"><h2>Second factor ${store.me?.second_factor ? html`<span class="tag">On</span>` : nothing}</h2>
      ${this.factor ? this.device(this.factor) : store.me?.second_factor ? this.removal() : this.proposal()}</section>`;
  }

  private alert(): TemplateResult | typeof nothing {
    return this.wrong.factor ? html`<p class="wrong" role="alert">${this.wrong.factor}</p>` : nothing;
  }

  private proposal(): TemplateResult {
    return html`<form @submit=${this.propose}><p class="quiet">A device shows six figures, new ones every half minute. You give them beside your password.</p>
      <label>Your password <input name="password" type="password" autocomplete="current-password" required maxlength="200"></label>
      ${this.alert()}<button class="button" ?disabled=${this.busy}>Set up a second factor</button></form>`;
  }

  private device(factor: Factor): TemplateResult {
    return html`<form @submit=${this.confirm}><p>Scan this with an authenticator program, or type the secret into it.</p>
      <div class="qr">${this.drawn}</div><p><code>${factor.secret.match(/.{1,4}/g)?.join(" ")}</code></p>
      <label>The six figures that it shows <input name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="10"></label>
      ${this.alert()}<button class="button" ?disabled=${this.busy}>Turn it on</button></form>`;
  }

  private removal(): TemplateResult {
    return html`<form @submit=${this.removeFactor}><p class="quiet">To use another device, remove this one first.</p>
      <label>Your password <input name="password" type="password" autocomplete="current-password" required maxlength="200"></label>
      <label>Code or recovery code <input name="code" autocomplete="one-time-code" autocapitalize="none" required maxlength="40"></label>
      ${this.alert()}<button class="button ghost" ?disabled=${this.busy}>Remove the second factor</button></form>`;
  }

  private codes(): TemplateResult {
    const done = async (): Promise<void> => {
      this.recovery = [];
      await store.released();
      this.requestUpdate();
    };
    return html`<h1>Recovery codes</h1><section class="panel" aria-label="Recovery codes">
      <p>Each opens your account once when the device is lost. They are shown now and never again: print them or write them down.</p>
      <ul class="codes">${this.recovery.map((code) => html`<li><code>${code}</code></li>`)}</ul>
      <button type="button" class="button" @click=${done}>I have them</button></section>`;
  }
}
customElements.define("account-page", AccountPage);

/** Over whatever page it is: a session that was not used for a while asks for the password, and the page goes on. */
export class LockDialog extends Piece {
  private wrong = "";
  private busy = false;

  protected override updated(): void {
    const dialog = this.querySelector("dialog");
    const locked = store.me?.held === "session_locked";
    if (locked && !dialog?.open) dialog?.showModal();
    if (!locked && dialog?.open) dialog.close();
  }

  private unlock = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    this.busy = true;
    this.wrong = "";
    this.requestUpdate();
    try {
      await store.unlock(String(new FormData(form).get("password") ?? ""));
      form.reset();
    } catch (wrong) {
      this.wrong = failure(wrong);
      // The session may be over altogether: then the page asks for a log-in.
      if (wrong instanceof Refused && wrong.status === 401) await store.released();
    }
    this.busy = false;
    this.requestUpdate();
  };

  private leave = async (): Promise<void> => {
    try {
      await store.leave();
      go("#/");
    } catch (wrong) {
      this.wrong = failure(wrong);
      this.requestUpdate();
    }
  };

  override render(): TemplateResult {
    const locked = store.me?.held === "session_locked";
    return html`<dialog class="lock" aria-labelledby="lock-title" @cancel=${(e: Event) => e.preventDefault()}>${locked ? this.form() : nothing}</dialog>`;
  }

  private form(): TemplateResult {
    return html`<h2 id="lock-title">Locked: ${store.me?.name}</h2><p>Nobody has used this session for a while. Give the password, and the page goes on where it was.</p>
      <form @submit=${this.unlock}>
        <input class="sr" name="username" autocomplete="username" .value=${store.me?.name ?? ""} tabindex="-1" aria-hidden="true" readonly>
        <label>Password <input name="password" type="password" autocomplete="current-password" autofocus required maxlength="200"></label>
        ${this.wrong ? html`<p class="wrong" role="alert">${this.wrong}</p>` : nothing}
        <div class="row"><button type="button" class="button ghost" @click=${this.leave}>Log out</button>
          <button class="button" ?disabled=${this.busy}>Unlock</button></div></form>`;
  }
}
customElements.define("lock-dialog", LockDialog);
