import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";

import "./account";
import "./audit";
import "./cage";
import "./clock";
import "./consents";
import "./duties";
import "./lobby";
import "./login";
import "./meter";
import "./paragraph";
import "./people";
import "./dealer";
import "./display";
import "./elsewhere";
import "./pit";
import "./proof";
import "./replay";
import "./rounds";
import "./table";
import "./rules";
import { failure } from "./api";
import { arrive, entitle, go, Piece, toContent } from "./element";
import { home } from "./login";
import { show } from "./money";
import { store } from "./store";
import { POSTS } from "./words";

/** What cannot be decoded is taken as it stands: there is no such page, and that is said. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Pages that are not for everybody: what one must be allowed, and for whom they are. */
const ONLY: Record<string, [may: string, says: string]> = {
  dealer: ["deal", "The console is for dealers and the pit."],
  pit: ["see_figures", "The pit is for those who run the house."],
  audit: ["audit", "This page is for those who may audit."],
  people: ["enrol_people", "The people are enrolled by the administrator."],
  cage: ["run_cashier", "Buy-ins and cash-outs are done by the cage."],
  duties: ["see_duties", "This page is for the staff of the house."],
};

/** Every page there is, with what a tab calls it; a page of one table, game or link has its name as well. */
const PAGES: Record<string, string> = {
  "": "",
  login: "Log in",
  display: "Jackpot",
  rules: "Rules",
  compare: "Two rulebooks",
  table: "Table",
  dealer: "Dealer",
  pit: "Pit",
  rounds: "Rounds",
  audit: "Audit",
  people: "People",
  account: "Your account",
  cage: "Cage",
  duties: "Who may do what",
  replay: "Replay",
};

class App extends Piece {
  private route: string[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    const read = (event?: Event): void => {
      this.route = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
      const [page = "", name = "", more = ""] = this.route;
      entitle([PAGES[page] ?? "No such page", ...(page === "login" ? [] : [name, more])].filter(Boolean).join(" "));
      store.forgetFailures();
      window.scrollTo(0, 0);
      this.requestUpdate();
      if (event) arrive();
    };
    window.addEventListener("hashchange", read);
    read();
    void store.start();
  }

  override render(): TemplateResult {
    const [page = ""] = this.route;
    if (page === "display") return store.ready ? html`${this.page()}` : html`<main id="main">${this.connection()}</main>`;
    return html`
      <a class="skip" href="#main" @click=${this.skip}>To the content</a>
      ${this.header()} <consent-prompt></consent-prompt> ${store.ready ? this.page() : html`<main id="main"><p>Opening the house …</p></main>`}
      <div class="toasts" role="status" aria-live="polite">${store.toasts.map(
        (toast) => html`<p class="toast ${toast.kind}">${toast.text}</p>`,
      )}</div>
      <rule-dialog></rule-dialog><proof-dialog></proof-dialog><lock-dialog></lock-dialog>
      ${this.settings()}
      <footer>${store.demo ? html`<strong>Demonstration:</strong> demo chips, no money. ` : nothing}
        Every cent names its paragraph. <a href="#/rules">Rules</a>
        ${store.me?.may.includes("see_duties") ? html` <a href="#/duties">Who may do what</a>` : nothing}</footer>`;
  }

  private page(): TemplateResult {
    const [page = "", name = "", more = ""] = this.route;
    if (store.me?.held && store.me.held !== "session_locked") return html`<account-page></account-page>`;
    switch (page) {
      case "":
        return html`<lobby-page></lobby-page>`;
      case "login":
        return html`<login-page .next=${this.route.slice(1).join("/")}></login-page>`;
      case "display":
        return html`${keyed(name, html`<display-page .link=${name || "main"}></display-page>`)}`;
      case "rules":
        return html`<rules-page .game=${name} .rule=${more}></rules-page>`;
      case "compare":
        return html`${keyed(`${name}/${more}`, html`<compare-page .first=${name} .second=${more}></compare-page>`)}`;
    }
    if (!(page in PAGES)) return this.nowhere("There is no such page");
    if ((page === "table" || page === "dealer") && store.isElsewhere(name)) return html`<elsewhere-page .name=${name}></elsewhere-page>`;
    if (!store.me) return html`<login-page .next=${this.route.join("/")}></login-page>`;
    const [may, says] = ONLY[page] ?? [];
    if (may && !store.me.may.includes(may)) return this.nowhere(says!);
    switch (page) {
      case "table":
        return html`${keyed(name, html`<table-page .name=${name}></table-page>`)}`;
      case "dealer":
        return html`${keyed(name, html`<dealer-page .name=${name}></dealer-page>`)}`;
      case "pit":
        return html`<pit-page></pit-page>`;
      case "rounds":
        return html`${keyed(name, html`<rounds-page .table=${name}></rounds-page>`)}`;
      case "audit":
        return html`<audit-page></audit-page>`;
      case "people":
        return html`<people-page></people-page>`;
      case "account":
        return html`<account-page></account-page>`;
      case "cage":
        return html`<cage-page></cage-page>`;
      case "duties":
        return html`<duties-page></duties-page>`;
      case "replay":
        if (!/^[1-9]\d{0,8}$/.test(more)) break;
        return html`${keyed(`${name}/${more}`, html`<replay-page .table=${name} .round=${Number(more)} .step=${this.route[3] ?? ""}></replay-page>`)}`;
    }
    return this.nowhere("There is no such page");
  }

  private nowhere(says: string): TemplateResult {
    return html`<main class="narrow" id="main"><h1>${says}</h1><p><a href=${home()}>${home() === "#/" ? "To the tables" : "To your own page"}</a></p></main>`;
  }

  private header(): TemplateResult {
    const me = store.me;
    const to = (page: string, says: string): TemplateResult =>
      html`<a href="#/${page}" aria-current=${this.route[0] === page ? "page" : "false"}>${says}</a>`;
    return html`<header class="top"><div class="bar">
      <a class="brand" href=${home()} aria-label="Croupier"><img src="/icon.svg" alt="" width="28" height="28"><span>Croupier</span></a>
      <nav aria-label="Pages">
        ${to("", "Tables")}
        ${me?.may.includes("enrol_people") ? to("people", "People") : nothing}
        ${me?.may.includes("run_cashier") ? to("cage", "Cage") : nothing}
        ${me?.may.includes("see_figures") ? to("pit", "Pit") : nothing}
        ${me ? to("rounds", "Rounds") : nothing}
        ${me?.may.includes("audit") ? to("audit", "Audit") : nothing}
        ${to("rules", "Rules")}
      </nav>
      ${store.demo ? html`<span class="tag">Demo</span>` : nothing}
      <span class="grow"></span>
      ${store.balance !== null
        ? html`<span class="balance"><span class="quiet">Balance</span> <b data-test="balance">${show(store.balance)}</b> <span class="quiet">${store.currency}</span></span>`
        : nothing}
      <button type="button" class="icon" aria-label="Settings" @click=${this.openSettings}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h10M18 7h2M4 17h2M10 17h10"/>
          <circle cx="16" cy="7" r="2.500"/><circle cx="8" cy="17" r="2.500"/></svg></button>
      ${me
        ? html`<button type="button" class="who" aria-haspopup="dialog" @click=${this.openSettings}>
            <span>${me.name}</span><small>${POSTS[me.post]}</small></button>`
        : html`<a class="button small" href="#/login">Log in</a>`}</div>
      ${this.connection()}
    </header>`;
  }

  private connection(): TemplateResult | typeof nothing {
    const says = this.troubled();
    return says ? html`<p class="offline" role="alert">${says}</p>` : nothing;
  }

  /** Why the page may be out of date: one reason at a time. */
  private troubled(): string {
    if (store.me?.held) return "";
    if (store.ready && !store.online && store.everOnline)
      return `The connection is lost. ${store.me?.may.includes("play") ? "Your bets are safe. " : ""}Trying again …`;
    if (store.trouble) return `${store.trouble} ${store.ready ? "The page shows what it last knew. " : ""}Trying again …`;
    return store.ready && !store.online && store.slow ? "Connecting …" : "";
  }

  private settings(): TemplateResult {
    const { fourColour, motion, keys, sound } = store.settings;
    const box = (name: "fourColour" | "motion" | "keys" | "sound", on: boolean, text: string, more: string): TemplateResult =>
      html`<label class="switch"><input type="checkbox" .checked=${on}
        @change=${(e: Event) => store.set({ [name]: (e.target as HTMLInputElement).checked })}>
        <span>${text}<small>${more}</small></span></label>`;
    return html`<dialog id="settings" aria-labelledby="settings-title" closedby="any">
      <h2 id="settings-title">Settings</h2>
      ${box("fourColour", fourColour, "Four-colour deck", "Diamonds blue, clubs green")}
      ${box("motion", motion, "Motion", "Cards are dealt and turned, the meter rolls")}
      ${store.me && !store.me.may.includes("play") ? nothing : box("keys", keys, "Single-key shortcuts", "1–5 chips, A ante, B bonus, P pair plus, J jackpot, U undo, C clear, R rebet, D double; to decide: B bets, K checks, F folds")}
      ${store.me?.may.includes("see_figures") ? box("sound", sound, "Sound", "The pit rings when something waits for a decision") : nothing}
      ${store.me?.name.startsWith("guest-") ? html`<p class="quiet">A guest who logs out cannot come back to the same chips.</p>` : nothing}
      ${store.me && !store.me.name.startsWith("guest-") ? html`<p><a href="#/account" @click=${this.closeSettings}>Your account: password, second factor, sessions</a></p>` : nothing}
      <div class="row">${store.me
        ? html`<button type="button" class="button ghost" @click=${this.leave}>Log out ${store.me.name}</button>`
        : nothing}<button type="button" class="button" @click=${this.closeSettings}>Done</button></div>
    </dialog>`;
  }

  private openSettings = (): void => this.querySelector<HTMLDialogElement>("#settings")?.showModal();
  private closeSettings = (): void => this.querySelector<HTMLDialogElement>("#settings")?.close();

  private leave = async (): Promise<void> => {
    this.closeSettings();
    try {
      await store.leave();
      go("#/");
    } catch (wrong) {
      store.toast(`${failure(wrong)} You are still logged in.`, "refusal");
    }
  };

  private skip = (event: Event): void => {
    event.preventDefault();
    toContent();
  };
}
customElements.define("croupier-app", App);
