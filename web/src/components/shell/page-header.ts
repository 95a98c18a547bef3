/** The header of every page: navigation, balance, settings and the person. */

import { html, nothing, type TemplateResult } from "lit";

import type { Page } from "../../api/types";
import { homePage } from "../../lib/home-page";
import { show } from "../../lib/money";
import { shownBalance } from "../../lib/play/staging";
import { lobby } from "../../lib/state/lobby";
import { session } from "../../lib/state/session";
import { postName } from "../../lib/text/labels";
import { type Plain, t } from "../../lib/text/language";
import { openSettings } from "./settings-dialog";

/** Pages that the header names, in its order, where the server opens them to the person. */
const NAMED: [page: Page, text: Plain][] = [
  ["people", "People"],
  ["cage", "Cage"],
  ["pit", "Pit"],
  ["my-rounds", "My rounds"],
  ["rounds", "Rounds"],
  ["audit", "Audit"],
  ["academy", "Academy"],
  ["disputes", "Disputes"],
];

/** A player comes to the rounds of a table from their own. */
const isNamed = (page: Page): boolean => session.opens(page) && !(page === "rounds" && session.opens("my-rounds"));

/** `bars` stand under the header: a lost connection, a hand that is in play elsewhere. */
export function pageHeader(current: string, bars: TemplateResult): TemplateResult {
  const link = (page: string, text: string): TemplateResult =>
    html`<a href="#/${page}" aria-current=${current === page ? "page" : "false"}>${text}</a>`;
  return html`<header class="top"><div class="bar">
    <a class="brand" href=${homePage()} aria-label="Croupier"><img src="/icon.svg" alt="" width="28" height="28"
      ><span>Croupier</span></a>
    <nav aria-label=${t("Pages")}>
      ${link("", t("Tables"))}
      ${NAMED.map(([page, text]) => (isNamed(page) ? link(page, t(text)) : nothing))}
      ${link("rules", t("Rules"))}
    </nav>
    ${lobby.demo ? html`<span class="tag">${t("Demo")}</span>` : nothing}
    <span class="grow"></span>
    ${session.balance === null ? nothing : balance(shownBalance.cents ?? session.balance)}
    <button type="button" class="icon" aria-label=${t("Settings")} @click=${openSettings}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h10M18 7h2M4 17h2M10 17h10"/>
        <circle cx="16" cy="7" r="2.500"/><circle cx="8" cy="17" r="2.500"/></svg></button>
    ${person()}</div>
    ${bars}
  </header>`;
}

function balance(amount: number): TemplateResult {
  return html`<span class="balance"><span class="quiet">${t(
    "Balance",
  )}</span> <b data-test="balance">${show(amount)}</b>
    <span class="quiet">${lobby.currency}</span></span>`;
}

function person(): TemplateResult {
  if (!session.me) return html`<a class="button small" href="#/login">${t("Log in")}</a>`;
  return html`<button type="button" class="who" aria-haspopup="dialog" @click=${openSettings}>
    <span>${session.me.name}</span><small>${postName(session.me.post)}</small></button>`;
}
