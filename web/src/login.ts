import { html, nothing, type TemplateResult } from "lit";

import { failure, Refused } from "./api";
import { go, Piece, to } from "./element";
import { store } from "./store";

export class LoginPage extends Piece {
  static override properties = { next: { attribute: false } };
  next = "";
  private wrong = "";
  private busy = false;
  /** The password was right, and the person has a second factor. */
  private twice = false;

  override render(): TemplateResult {
    return html`<main class="narrow" id="main">
      <h1>Log in</h1>
      <form class="panel" @submit=${this.submit}>
        <label>Name <input name="name" autofocus autocomplete="username" autocapitalize="none" required maxlength="40"></label>
        <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
        ${this.twice ? html`<label>Code of your second factor <input name="code" autocomplete="one-time-code" autocapitalize="none" required maxlength="40" aria-describedby="which-code"></label>
          <p class="quiet" id="which-code">The six figures of your device; a recovery code if it is lost.</p>` : nothing}
        ${this.wrong ? html`<p class="wrong" role="alert">${this.wrong}</p>` : nothing}
        <button class="button" ?disabled=${this.busy}>Log in</button>
      </form>
      ${store.demo
        ? html`<section class="panel"><h2>Demonstration</h2>
            <p>This house plays for demo chips. Sit down as a guest, or log in as
              ana, dealer, supervisor, manager, shift, cage, surveillance, auditor, display or admin
              with the password the server printed at its start.</p>
            <button type="button" class="button ghost" ?disabled=${this.busy} @click=${() => this.enter("/api/guest")}>
              Play as a guest</button></section>`
        : nothing}
    </main>`;
  }

  private submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    void this.enter("/api/login", { name: form.get("name"), password: form.get("password"), ...(this.twice ? { code: form.get("code") } : {}) });
  };

  private async enter(path: "/api/login" | "/api/guest", body?: unknown): Promise<void> {
    this.busy = true;
    this.wrong = "";
    this.requestUpdate();
    try {
      await store.enter(path, body);
      const [page = "", ...rest] = this.next.split("/");
      go(page ? to(page, ...rest) : home());
    } catch (wrong) {
      this.wrong = failure(wrong);
      if (wrong instanceof Refused && wrong.answer.code === "code_needed") [this.twice, this.wrong] = [true, ""];
    }
    this.busy = false;
    this.requestUpdate();
    await this.updateComplete;
    if (this.twice) this.querySelector<HTMLInputElement>('input[name="code"]')?.focus();
  }
}
customElements.define("login-page", LoginPage);

/** Where a post begins its day. */
export function home(): string {
  const post = store.me?.post ?? "";
  if (["pit_supervisor", "pit_manager", "shift_manager", "surveillance"].includes(post)) return "#/pit";
  if (post === "auditor") return "#/rounds";
  if (post === "administrator") return "#/people";
  if (post === "cage") return "#/cage";
  if (post === "display") return to("display", store.lobby.find((table) => table.link)?.link ?? "main");
  return "#/";
}
