import { html, nothing, type TemplateResult } from "lit";

import "../rules/proof-dialog";
import "../rules/rule-dialog";
import "./consent-prompt";
import "./reality-check";
import "./lock-dialog";
import "./settings-dialog";
import "./way-back";
import { StateElement } from "../../lib/element";
import { arrive, focusContent } from "../../lib/focus";
import { sayFormats } from "../../lib/forms";
import { show } from "../../lib/money";
import { setTabTitle } from "../../lib/navigation";
import { offlineClock } from "../../lib/play/own-clock";
import { disarmPressed } from "../../lib/pressed-button";
import { isReady, live, start } from "../../lib/state/live";
import { lobby } from "../../lib/state/lobby";
import { requests } from "../../lib/state/requests";
import { session } from "../../lib/state/session";
import { closeKept, endToasts, isUsedBelow, keep, type Toast, toasts } from "../../lib/state/toasts";
import { hasLanguage, language, t } from "../../lib/text/language";
import { citations } from "../rules/citations";
import { marked } from "../served";
import { pageHeader } from "./page-header";
import { readRoute, routePage, routeTitle } from "./routes";

/** The shell around every page: header, messages, dialogs and footer. */
export class App extends StateElement {
  private route: string[] = [];
  /** The timer of the seconds in the notice of a lost connection. */
  private clock = 0;
  /** The language of the tab's title. */
  private titled = language();

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("hashchange", () => {
      endToasts();
      this.followAddress();
      arrive();
    });
    sayFormats();
    disarmPressed();
    for (const type of ["pointerdown", "keydown"]) window.addEventListener(type, closeKept);
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

  /** Messages at a table leave the balance in sight: style sheets know by its figures how wide it is. */
  protected override updated(): void {
    const figures = session.balance === null ? 0 : show(session.balance).length;
    this.style.setProperty("--balance", `${(0.55 * figures + 0.6).toFixed(1)}rem`);
  }

  /** The title of the tab follows the language. */
  protected override willUpdate(): void {
    if (this.titled === language()) return;
    this.titled = language();
    setTabTitle(routeTitle(this.route));
  }

  override render(): TemplateResult {
    // A page in another language waits for its words.
    if (!hasLanguage) return html``;
    const page = this.route[0] ?? "";
    if (page === "display") return isReady ? routePage(this.route) : html`<main id="main">${this.connection()}</main>`;
    return html`
      <a class="skip" href="#main" @click=${this.skip}>${t("To the content")}</a>
      ${pageHeader(page, html`${this.connection()}<way-back .table=${this.table}></way-back>`)}
      <consent-prompt class=${this.table ? "at-table" : ""}></consent-prompt>
      ${this.table ? nothing : html`<reality-check></reality-check>`}
      ${isReady ? routePage(this.route) : html`<main id="main"><p>${t("Loading …")}</p></main>`}
      <div class="toasts ${this.table ? "at-table" : ""} ${isUsedBelow() ? "used-below" : "used-above"}"
        role="status" aria-live="polite">${toasts.map(toastBox)}</div>
      <rule-dialog></rule-dialog><proof-dialog></proof-dialog><lock-dialog .route=${page}></lock-dialog>
      <settings-dialog></settings-dialog>
      <footer>${lobby.demo ? html`<strong>${t("Demonstration:")}</strong> ${t("demo chips, no money.")} ` : nothing}
        ${t("Every cent names its paragraph.")} <a href="#/rules">${t("Rules")}</a>
        ${session.opens("duties") ? html` <a href="#/duties">${t("Who may do what")}</a>` : nothing}</footer>`;
  }

  /** The table of the page; empty on other pages. */
  private get table(): string {
    return this.route[0] === "table" ? (this.route[1] ?? "") : "";
  }

  private connection(): TemplateResult | typeof nothing {
    const trouble = this.trouble();
    window.clearTimeout(this.clock);
    if (!trouble) return nothing;
    const clock = live.online ? "" : offlineClock(this.table);
    // The seconds stand beside the alert: a screen reader must not read them out every second.
    if (clock) this.clock = window.setTimeout(() => this.requestUpdate(), 1000);
    return html`<p class="offline"><span role="alert">${trouble}</span> <b>${clock}</b></p>`;
  }

  /** Why the page may be out of date: one reason at a time. */
  private trouble(): string {
    if (session.me?.held) return "";
    if (isReady && !live.online && live.everOnline)
      return session.may("play") && !offlineClock(this.table)
        ? t("The connection is lost. Your bets are safe. Trying again …")
        : t("The connection is lost. Trying again …");
    if (requests.trouble)
      return isReady
        ? t("{trouble} The page shows what it last knew. Trying again …", { trouble: requests.trouble })
        : t("{trouble} Trying again …", { trouble: requests.trouble });
    return isReady && !live.online && live.slow ? t("Connecting …") : "";
  }

  private skip = (event: Event): void => {
    event.preventDefault();
    focusContent();
  };
}
customElements.define("croupier-app", App);

function toastBox(toast: Toast): TemplateResult {
  const { kind, text, edition, rules } = toast;
  const toggle = (event: Event): void => keep(toast, (event.target as HTMLDetailsElement).open);
  return html`<div class="toast ${kind}">${marked(text)} ${
    rules.length
      ? html`<details @toggle=${toggle}><summary>${t("Why?")}</summary>${citations(edition, rules)}</details>`
      : nothing
  }</div>`;
}
