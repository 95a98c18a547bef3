import { html, nothing, type TemplateResult } from "lit";

import { Piece } from "./element";
import { Refused, store } from "./store";
import { POSTS, title } from "./words";

/** Somebody who may log in, and how many sessions he has. */
interface Known {
  name: string;
  post: string;
  sessions: number;
}

/** So many are listed at once; a demonstration has a player for every guest that it ever had. */
const LISTED = 100;
/** Those who run the house come first. */
const ORDER = Object.keys(POSTS).reverse();
const said = (wrong: unknown): string => (wrong instanceof Refused ? wrong.message : "The server does not answer.");
const path = (name: string): string => `/api/people/${encodeURIComponent(name)}`;
const signedIn = (sessions: number): string => (sessions > 1 ? `Signed in ${sessions} times` : "Signed in");

/** Everybody who may log in: enrolled, signed out everywhere and removed by the administrator. */
export class PeoplePage extends Piece {
  private known: Known[] | null = null;
  private timer = 0;
  private sought = "";
  private shown = false;
  private busy = false;
  /** Who is to be removed, once that is confirmed. */
  private leaving = "";
  /** What the server refused, where it was asked. */
  private wrong = { list: "", enrol: "", remove: "" };

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
    this.timer = window.setInterval(() => void this.load(), 4000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  private async load(): Promise<void> {
    try {
      const known = await store.get<Known[]>("/api/people");
      this.known = known.sort((a, b) => ORDER.indexOf(a.post) - ORDER.indexOf(b.post) || a.name.localeCompare(b.name));
      this.wrong.list = "";
    } catch (wrong) {
      this.wrong.list = said(wrong);
    }
    this.requestUpdate();
  }

  /** Ask once; a refusal stands where it was asked, until it is asked again. */
  private async ask(where: "enrol" | "remove", send: () => Promise<string>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.wrong[where] = "";
    this.requestUpdate();
    try {
      store.toast(await send());
    } catch (wrong) {
      this.wrong[where] = said(wrong);
    }
    this.busy = false;
    await this.load();
    return !this.wrong[where];
  }

  private enrol = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const data = new FormData(form);
    const [name, post] = [String(data.get("name")).trim(), String(data.get("post"))];
    const done = await this.ask("enrol", async () => {
      await store.http("POST", "/api/people", { name, post, password: String(data.get("password")) });
      return `${name} may log in: ${POSTS[post]}.`;
    });
    if (done) {
      this.shown = false;
      form.reset();
      this.requestUpdate();
    }
  };

  private async signOut(name: string): Promise<void> {
    try {
      const { sessions } = await store.http<Known>("POST", `${path(name)}/sign-out`);
      store.toast(`${name} is signed out everywhere: ${sessions} ${sessions === 1 ? "session is" : "sessions are"} over.`);
    } catch (wrong) {
      store.toast(said(wrong), "refusal");
    }
    await this.load();
  }

  private get dialog(): HTMLDialogElement | null {
    return this.querySelector("dialog");
  }

  private askAgain(name: string): void {
    this.leaving = name;
    this.wrong.remove = "";
    this.requestUpdate();
    void this.updateComplete.then(() => this.dialog?.showModal());
  }

  private letGo = async (): Promise<void> => {
    const name = this.leaving;
    const done = await this.ask("remove", async () => {
      await store.http("DELETE", path(name));
      return `${name} may no longer log in.`;
    });
    if (!done) return;
    this.dialog?.close();
    // The line with the button that was pressed is gone.
    this.querySelector<HTMLElement>("#known")?.focus();
  };

  override render(): TemplateResult {
    return html`<main class="people-page" id="main"><h1>People</h1>
      <div class="beside">${this.form()}${this.everybody()}</div>
      <dialog aria-labelledby="remove-title"><h2 id="remove-title">Remove ${this.leaving}?</h2>
        <p>${this.leaving} may no longer log in, and every session is over at once. What was played, ruled and signed stays on the record.</p>
        ${this.wrong.remove ? html`<p class="wrong" role="alert">${this.wrong.remove}</p>` : nothing}
        <div class="row"><button type="button" class="button ghost" @click=${() => this.dialog?.close()}>Keep</button>
          <button type="button" class="button danger" ?disabled=${this.busy} @click=${this.letGo}>Remove</button></div></dialog></main>`;
  }

  private everybody(): TemplateResult {
    const known = this.known ?? [];
    const sought = this.sought.trim().toLowerCase();
    const fit = known.filter(({ name, post }) => name.toLowerCase().includes(sought) || POSTS[post]?.includes(sought));
    const signed = known.filter(({ sessions }) => sessions).length;
    return html`<section class="panel" aria-labelledby="known"><h2 id="known" tabindex="-1">Who may log in</h2>
      ${this.wrong.list ? html`<p class="wrong" role="alert">${this.wrong.list}</p>` : nothing}
      ${this.known ? html`<p class="quiet">${known.length} known, ${signed} signed in. Signing out ends every session of somebody at once.</p>
        <label class="find">Find a name or a post <input type="search" autocomplete="off" autocapitalize="none" maxlength="40" .value=${this.sought}
          @input=${(e: Event) => { this.sought = (e.target as HTMLInputElement).value; this.requestUpdate(); }}></label>
        <ul class="people">${fit.slice(0, LISTED).map((who) => this.line(who))}</ul>
        ${fit.length > LISTED ? html`<p class="quiet">The first ${LISTED} of ${fit.length}: part of a name finds the others.</p>` : nothing}
        ${fit.length ? nothing : html`<p class="quiet">Nobody fits.</p>`}` : html`<p>${this.wrong.list ? nothing : "Looking …"}</p>`}</section>`;
  }

  private line({ name, post, sessions }: Known): TemplateResult {
    const own = name === store.me?.name;
    return html`<li data-person=${name}><div class="grow"><b>${name}</b>${own ? html` <small class="quiet">you</small>` : nothing}
        <div><small class="quiet">${title(POSTS[post] ?? post)}</small> ${sessions ? html`<span class="tag">${signedIn(sessions)}</span>` : nothing}</div></div>
      <div class="row">${sessions ? html`<button type="button" class="button small ghost" @click=${() => this.signOut(name)}>Sign out<span class="sr"> ${name} everywhere</span></button>` : nothing}
      ${own ? nothing : html`<button type="button" class="button small ghost" @click=${() => this.askAgain(name)}>Remove<span class="sr"> ${name}</span></button>`}</div></li>`;
  }

  private form(): TemplateResult {
    return html`<section class="panel" aria-label="Enrol somebody"><h2>Enrol somebody</h2>
      <form @submit=${this.enrol}>
        <label>Name <input name="name" required maxlength="40" autocomplete="off" autocapitalize="none" pattern=".*[^. ].*" title="More than dots and spaces"></label>
        <label>Post <select name="post">${Object.entries(POSTS).map(([post, says]) => html`<option value=${post}>${title(says)}</option>`)}</select></label>
        <label>Password <input name="password" type=${this.shown ? "text" : "password"} required minlength="8" maxlength="200" autocomplete="new-password" autocapitalize="none" aria-describedby="how-long"></label>
        <label class="switch"><input type="checkbox" .checked=${this.shown}
          @change=${(e: Event) => { this.shown = (e.target as HTMLInputElement).checked; this.requestUpdate(); }}><span>Show it while I type</span></label>
        <p class="quiet" id="how-long">8 characters or more. The house keeps no copy that can be read: tell it to whom it belongs.</p>
        ${this.wrong.enrol ? html`<p class="wrong" role="alert">${this.wrong.enrol}</p>` : nothing}
        <button class="button" ?disabled=${this.busy}>Enrol</button></form></section>`;
  }
}
customElements.define("people-page", PeoplePage);
