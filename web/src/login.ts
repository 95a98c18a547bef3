import { html, nothing, type TemplateResult } from "lit";

import { go, Piece, to } from "./element";
import { Refused, store } from "./store";

export class LoginPage extends Piece {
  static override properties = { next: { attribute: false } };
  next = "";
  private wrong = "";
  private busy = false;

  override render(): TemplateResult {
    return html`<main class="narrow" id="main">
      <h1>Log in</h1>
      <form class="panel" @submit=${this.submit}>
        <label>Name <input name="name" autofocus autocomplete="username" autocapitalize="none" required maxlength="40"></label>
        <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
        ${this.wrong ? html`<p class="wrong" role="alert">${this.wrong}</p>` : nothing}
        <button class="button" ?disabled=${this.busy}>Log in</button>
      </form>
      ${store.demo
        ? html`<section class="panel"><h2>Demonstration</h2>
            <p>This house plays for demo chips. Sit down as a guest, or log in as
              ana, dealer, supervisor, manager, shift, surveillance, auditor, display or admin
              with the password the server printed at its start.</p>
            <button type="button" class="button ghost" ?disabled=${this.busy} @click=${() => this.enter("/api/guest")}>
              Play as a guest</button></section>`
        : nothing}
    </main>`;
  }

  private submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    void this.enter("/api/login", { name: form.get("name"), password: form.get("password") });
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
      this.wrong = wrong instanceof Refused ? wrong.message : "The server does not answer.";
    }
    this.busy = false;
    this.requestUpdate();
  }
}
customElements.define("login-page", LoginPage);

/** Where a post begins its day. */
export function home(): string {
  const post = store.me?.post ?? "";
  if (["pit_supervisor", "pit_manager", "shift_manager", "surveillance"].includes(post)) return "#/pit";
  if (post === "auditor") return "#/rounds";
  if (post === "administrator") return "#/people";
  if (post === "display") return to("display", store.lobby.find((table) => table.link)?.link ?? "main");
  return "#/";
}
