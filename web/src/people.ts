import { html, nothing, type TemplateResult } from "lit";

import { type HeldSession, sessionList } from "./account";
import { failure } from "./api";
import { Piece } from "./element";
import "./signatures";
import { store } from "./store";
import { POSTS, title } from "./words";

/** Somebody who may log in, and how many sessions he has. */
interface Known {
  name: string;
  /** By which every record knows this person. */
  id: string;
  post: string;
  sessions: number;
  second_factor: boolean;
  break_glass: boolean;
  alarm: boolean;
  /** Where this person works; with neither, everywhere. */
  pits: string[];
  tables: string[];
}

/** A removed person whose name is still known. */
interface Removed {
  name: string;
  id: string;
}

/** So many are listed at once; a demonstration has a player for every guest that it ever had. */
const LISTED = 100;
/** Those who run the house come first. */
const ORDER = Object.keys(POSTS).reverse();
/** Posts that act at tables, and so are assigned to some. */
const STAFF = ["dealer", "pit_supervisor", "pit_manager", "shift_manager"];
const path = (name: string): string => `/api/people/${encodeURIComponent(name)}`;
const signedIn = (sessions: number): string => (sessions > 1 ? `Signed in ${sessions} times` : "Signed in");

/** Everybody who may log in: enrolled, signed out everywhere and removed by the administrator. */
export class PeoplePage extends Piece {
  private known: Known[] | null = null;
  private removed: Removed[] = [];
  /** Whose name is to be erased, once that is confirmed. */
  private fading: Removed | null = null;
  private timer = 0;
  private sought = "";
  private shown = false;
  private busy = false;
  /** Who is to be removed, once that is confirmed. */
  private leaving = "";
  /** What the server refused, where it was asked. */
  private wrong = { list: "", enrol: "", remove: "", manage: "", erase: "" };
  /** Whose sessions and credentials are looked at, and the password that was just made. */
  private managed = "";
  private made = "";
  private held: HeldSession[] | null = null;

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
      const known = await store.list<Known>("/api/people");
      this.known = known.sort((a, b) => ORDER.indexOf(a.post) - ORDER.indexOf(b.post) || a.name.localeCompare(b.name));
      this.removed = (await store.list<Removed>("/api/removed-people")).sort((a, b) => a.name.localeCompare(b.name));
      this.wrong.list = "";
    } catch (wrong) {
      this.wrong.list = failure(wrong);
    }
    this.requestUpdate();
  }

  /** Ask once; a refusal stands where it was asked, until it is asked again. */
  private async ask(where: "enrol" | "remove" | "manage" | "erase", send: () => Promise<string>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.wrong[where] = "";
    this.requestUpdate();
    try {
      store.toast(await send());
    } catch (wrong) {
      this.wrong[where] = failure(wrong);
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
      const said = await store.send<{ second?: string }>("POST", "/api/people", { name, post, password: String(data.get("password")) });
      return said.second ? `${name} is proposed: another administrator or a shift manager signs.` : `${name} may log in: ${POSTS[post]}.`;
    });
    if (done) {
      this.shown = false;
      form.reset();
      this.requestUpdate();
    }
  };

  private async signOut(name: string): Promise<void> {
    try {
      const { sessions } = await store.send<Known>("POST", `${path(name)}/sign-out`);
      store.toast(`${name} is signed out everywhere: ${sessions} ${sessions === 1 ? "session is" : "sessions are"} over.`);
    } catch (wrong) {
      store.toast(failure(wrong), "refusal");
    }
    await this.load();
  }

  private get dialog(): HTMLDialogElement | null {
    return this.querySelector("dialog.removal");
  }

  private get managing(): HTMLDialogElement | null {
    return this.querySelector("dialog.manage");
  }

  private manage(name: string): void {
    [this.managed, this.made, this.held, this.wrong.manage] = [name, "", null, ""];
    this.requestUpdate();
    void this.loadSessions();
    void this.updateComplete.then(() => this.managing?.showModal());
  }

  private async loadSessions(): Promise<void> {
    try {
      this.held = await store.list<HeldSession>(`${path(this.managed)}/sessions`);
    } catch (wrong) {
      this.wrong.manage = failure(wrong);
    }
    this.requestUpdate();
  }

  private reset = async (): Promise<void> => {
    await this.ask("manage", async () => {
      this.made = (await store.send<{ password: string }>("POST", `${path(this.managed)}/reset`)).password;
      return `${this.managed} has another password.`;
    });
    await this.loadSessions();
  };

  private takeFactor = async (): Promise<void> => {
    await this.ask("manage", async () => {
      await store.send("POST", `${path(this.managed)}/second-factor/remove`);
      return `${this.managed} has no second factor any more.`;
    });
  };

  private end = async (session: HeldSession): Promise<void> => {
    await this.ask("manage", async () => {
      await store.send("DELETE", `${path(this.managed)}/sessions/${session.id}`);
      return `A session of ${this.managed} is over.`;
    });
    await this.loadSessions();
  };

  private manageDialog(): TemplateResult {
    const who = this.known?.find(({ name }) => name === this.managed);
    const own = this.managed === store.me?.name;
    return html`<dialog class="manage" aria-labelledby="manage-title"><h2 id="manage-title">Account of ${this.managed}</h2>
      ${this.wrong.manage ? html`<p class="wrong" role="alert">${this.wrong.manage}</p>` : nothing}
      ${this.made ? html`<p role="status">The new password, shown this once: <code class="made">${this.made}</code>
        ${who?.break_glass ? "It works for one log-in." : "It has to be changed at the next log-in."}</p>` : nothing}
      ${own ? html`<p class="quiet">Your own password and second factor are on <a href="#/account" @click=${() => this.managing?.close()}>your account</a>.</p>`
        : html`<div class="row"><button type="button" class="button ghost" ?disabled=${this.busy} @click=${this.reset}>Reset the password</button>
          ${who?.second_factor ? html`<button type="button" class="button ghost" ?disabled=${this.busy} @click=${this.takeFactor}>Remove the second factor</button>` : nothing}</div>`}
      <h3>Sessions</h3>${this.held?.length ? sessionList(this.held, this.end) : html`<p class="quiet">${this.held ? "None." : "Looking …"}</p>`}
      <div class="row"><button type="button" class="button" @click=${() => this.managing?.close()}>Done</button></div></dialog>`;
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
      await store.send("DELETE", path(name));
      return `${name} may no longer log in.`;
    });
    if (!done) return;
    this.dialog?.close();
    // The line with the button that was pressed is gone.
    this.querySelector<HTMLElement>("#known")?.focus();
  };

  private get erasure(): HTMLDialogElement | null {
    return this.querySelector("dialog.erasure");
  }

  private askToErase(who: Removed): void {
    [this.fading, this.wrong.erase] = [who, ""];
    this.requestUpdate();
    void this.updateComplete.then(() => this.erasure?.showModal());
  }

  private erase = async (): Promise<void> => {
    const who = this.fading;
    if (!who) return;
    const done = await this.ask("erase", async () => {
      await store.send("POST", `${path(who.id)}/erase`);
      return `The name is erased. Records know the person as ${who.id}.`;
    });
    if (!done) return;
    this.erasure?.close();
    this.querySelector<HTMLElement>("#known")?.focus();
  };

  private gone(): TemplateResult | typeof nothing {
    if (!this.removed.length) return nothing;
    return html`<section class="panel" aria-labelledby="removed"><h2 id="removed">Removed</h2>
      <p class="quiet">They may no longer log in. Records know them by their ids; the names can be erased.</p>
      <ul class="people">${this.removed.slice(0, LISTED).map((who) => html`<li data-removed=${who.id}><div class="grow"><b>${who.name}</b> <div><small class="quiet">${who.id}</small></div></div>
        <div class="row"><button type="button" class="button small ghost" @click=${() => this.askToErase(who)}>Erase the name<span class="sr"> of ${who.name}</span></button></div></li>`)}</ul></section>`;
  }

  private erasureDialog(): TemplateResult {
    return html`<dialog class="erasure" aria-labelledby="erase-title"><h2 id="erase-title">Erase the name of ${this.fading?.name}?</h2>
      <p>Nobody can undo this. Every record stays and knows the person as ${this.fading?.id}. Backups made before still hold the name.</p>
      ${this.wrong.erase ? html`<p class="wrong" role="alert">${this.wrong.erase}</p>` : nothing}
      <div class="row"><button type="button" class="button ghost" @click=${() => this.erasure?.close()}>Keep</button>
        <button type="button" class="button danger" ?disabled=${this.busy} @click=${this.erase}>Erase</button></div></dialog>`;
  }

  override render(): TemplateResult {
    return html`<main class="people-page" id="main"><h1>People</h1>
      <second-signatures></second-signatures>
      <div class="beside">${this.form()}${this.everybody()}</div>${this.gone()}
      ${this.erasureDialog()}${this.manageDialog()}<dialog class="removal" aria-labelledby="remove-title"><h2 id="remove-title">Remove ${this.leaving}?</h2>
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

  /** Where a person of the staff works. */
  private assign = async (event: SubmitEvent, name: string): Promise<void> => {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    try {
      await store.send("POST", `${path(name)}/assign`, { pits: data.getAll("pit").map(String), tables: data.getAll("table").map(String) });
      store.toast(`${name}: the assignment is in force.`);
    } catch (wrong) {
      store.toast(failure(wrong), "refusal");
    }
    await this.load();
  };

  private assignment({ name, post, pits, tables }: Known): TemplateResult | typeof nothing {
    if (!STAFF.includes(post)) return nothing;
    const known = [...new Set(store.lobby.map((table) => table.pit))].sort();
    const works = [...pits.map((pit) => `in pit ${pit}`), ...tables.map((table) => `at table ${table}`)].join(" and ");
    const box = (kind: "pit" | "table", value: string, on: boolean): TemplateResult =>
      html`<label class="pill"><input type="checkbox" name=${kind} value=${value} .checked=${on}><span>${value}</span></label>`;
    return html`<details class="measures"><summary>Works ${works || "everywhere"}<span class="sr">: ${name}</span></summary>
      <form @submit=${(e: SubmitEvent) => this.assign(e, name)}>
        <fieldset><legend>Pits</legend><div class="row">${known.map((pit) => box("pit", pit, pits.includes(pit)))}</div></fieldset>
        <fieldset><legend>Tables</legend><div class="row">${store.lobby.map(({ table }) => box("table", table, tables.includes(table)))}</div></fieldset>
        <p class="quiet">With neither, everywhere.</p><button class="button small">Assign<span class="sr"> ${name}</span></button></form></details>`;
  }

  private line(who: Known): TemplateResult {
    const { name, post, sessions, second_factor, break_glass, alarm } = who;
    const own = name === store.me?.name;
    return html`<li data-person=${name}><div class="grow"><b>${name}</b>${own ? html` <small class="quiet">you</small>` : nothing}
        <div><small class="quiet">${title(POSTS[post] ?? post)}${who.id === name ? nothing : ` · ${who.id}`}</small> ${sessions ? html`<span class="tag">${signedIn(sessions)}</span>` : nothing}
          ${second_factor ? html`<span class="tag">Second factor</span>` : nothing} ${break_glass ? html`<span class="tag">Break-glass${alarm ? ", used" : ""}</span>` : nothing}</div>${this.assignment(who)}</div>
      <div class="row"><button type="button" class="button small ghost" @click=${() => this.manage(name)}>Account<span class="sr"> of ${name}</span></button>
      ${sessions ? html`<button type="button" class="button small ghost" @click=${() => this.signOut(name)}>Sign out<span class="sr"> ${name} everywhere</span></button>` : nothing}
      ${own ? nothing : html`<button type="button" class="button small ghost" @click=${() => this.askAgain(name)}>Remove<span class="sr"> ${name}</span></button>`}</div></li>`;
  }

  private form(): TemplateResult {
    return html`<section class="panel" aria-label="Enrol somebody"><h2>Enrol somebody</h2>
      <form @submit=${this.enrol}>
        <label>Name <input name="name" required maxlength="40" autocomplete="off" autocapitalize="none" pattern=".*[^. ].*" title="More than dots and spaces"></label>
        <label>Post <select name="post">${Object.entries(POSTS).map(([post, says]) => html`<option value=${post}>${title(says)}</option>`)}</select></label>
        <label>Password <input name="password" type=${this.shown ? "text" : "password"} required maxlength="200" autocomplete="new-password" autocapitalize="none" aria-describedby="how-long"></label>
        <label class="switch"><input type="checkbox" .checked=${this.shown}
          @change=${(e: Event) => { this.shown = (e.target as HTMLInputElement).checked; this.requestUpdate(); }}><span>Show it while I type</span></label>
        <p class="quiet">Everybody but a player waits for a second signature, by another administrator or a shift manager.</p>
        <p class="quiet" id="how-long">12 characters or more, and not easy to guess. The house keeps no copy that can be read: tell it to whom it belongs.</p>
        ${this.wrong.enrol ? html`<p class="wrong" role="alert">${this.wrong.enrol}</p>` : nothing}
        <button class="button" ?disabled=${this.busy}>Enrol</button></form></section>`;
  }
}
customElements.define("people-page", PeoplePage);
