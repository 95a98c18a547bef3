import { html, nothing, type TemplateResult } from "lit";

import "../rules/proof-dialog";
import "../rules/rule-dialog";
import "./consent-prompt";
import "./lock-dialog";
import "./reality-check";
import "./settings-dialog";
import { StateElement } from "../../lib/element";
import { arrive, focusContent } from "../../lib/focus";
import { setTabTitle } from "../../lib/navigation";
import { offlineClock } from "../../lib/play/own-clock";
import { isReady, live, start } from "../../lib/state/live";
import { lobby } from "../../lib/state/lobby";
import { requests } from "../../lib/state/requests";
import { session } from "../../lib/state/session";
import { toasts } from "../../lib/state/toasts";
import { pageHeader } from "./page-header";
import { readRoute, routePage, routeTitle } from "./routes";

/** The shell around every page: header, messages, dialogs and footer. */
export class App extends StateElement {
  private route: string[] = [];
  /** The timer of the seconds in the notice of a lost connection. */
  private clock = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("hashchange", () => {
      this.followAddress();
      arrive();
    });
    this.followAddress();
    void start();
  }

  private followAddress(): void {
    this.route = readRoute();
    setTabTitle(routeTitle(this.route));
    requests.forgetFailures();
    window.scrollTo(0, 0);
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const page = this.route[0] ?? "";
    if (page === "display") return isReady ? routePage(this.route) : html`<main id="main">${this.connection()}</main>`;
    return html`
      <a class="skip" href="#main" @click=${this.skip}>To the content</a>
      ${pageHeader(page, this.connection())} <consent-prompt></consent-prompt><reality-check></reality-check>
      ${isReady ? routePage(this.route) : html`<main id="main"><p>Loading …</p></main>`}
      <div class="toasts" role="status" aria-live="polite">${toasts.map(
        ({ kind, text }) => html`<p class="toast ${kind}">${text}</p>`,
      )}</div>
      <rule-dialog></rule-dialog><proof-dialog></proof-dialog><lock-dialog></lock-dialog>
      <settings-dialog></settings-dialog>
      <footer>${lobby.demo ? html`<strong>Demonstration:</strong> demo chips, no money. ` : nothing}
        Every cent names its paragraph. <a href="#/rules">Rules</a>
        ${session.may("see_duties") ? html` <a href="#/duties">Who may do what</a>` : nothing}</footer>`;
  }

  private connection(): TemplateResult | typeof nothing {
    const trouble = this.trouble();
    window.clearTimeout(this.clock);
    if (!trouble) return nothing;
    const clock = live.online ? "" : offlineClock();
    // The seconds stand beside the alert: a screen reader must not read them out every second.
    if (clock) this.clock = window.setTimeout(() => this.requestUpdate(), 1000);
    return html`<p class="offline"><span role="alert">${trouble}</span> <b>${clock}</b></p>`;
  }

  /** Why the page may be out of date: one reason at a time. */
  private trouble(): string {
    if (session.me?.held) return "";
    if (isReady && !live.online && live.everOnline)
      return `The connection is lost. ${session.may("play") ? "Your bets are safe. " : ""}Trying again …`;
    if (requests.trouble)
      return `${requests.trouble} ${isReady ? "The page shows what it last knew. " : ""}Trying again …`;
    return isReady && !live.online && live.slow ? "Connecting …" : "";
  }

  private skip = (event: Event): void => {
    event.preventDefault();
    focusContent();
  };
}
customElements.define("croupier-app", App);
