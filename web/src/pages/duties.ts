import { html, nothing, type TemplateResult } from "lit";

import type { DutyTable } from "../api/types";
import { PollingElement } from "../lib/element";
import { show } from "../lib/money";
import { requests } from "../lib/state/requests";
import { capital, postName, title } from "../lib/text/labels";
import { rich, t } from "../lib/text/language";

/** Who may do what: the one declared matrix, for staff to read. */
export class DutiesPage extends PollingElement {
  protected readonly interval = 15_000;
  private duties: DutyTable | null = null;

  protected async load(): Promise<void> {
    this.duties = (await requests.refresh("/api/duties", requests.get<DutyTable>("/api/duties"))) ?? this.duties;
    this.requestUpdate();
  }

  override render(): TemplateResult {
    return html`<main class="duties" id="main"><h1>${t("Who may do what")}</h1>
      <p class="quiet">${t("The server refuses what is not marked, and records the refusal.")}</p>
      ${this.duties ? this.matrix(this.duties) : html`<p>${t("Loading …")}</p>`}</main>`;
  }

  private matrix(duties: DutyTable): TemplateResult {
    const mark = html`<span aria-hidden="true">●</span><span class="sr">${t("may")}</span>`;
    return html`${this.bounds(duties)}
      <div class="scroll" tabindex="0" role="region" aria-label=${t("Posts and actions")}>
        <table><thead><tr><th scope="col">${t("Action")}</th>
          ${duties.posts.map((post) => html`<th scope="col">${capital(postName(post))}</th>`)}
          <th scope="col">${t("Conditions")}</th></tr></thead>
        <tbody>${duties.actions.map(
          ({
            action,
            means,
            posts,
            conditions,
          }) => html`<tr data-action=${action}><th scope="row" lang="en">${means}</th>
            ${duties.posts.map((post) => html`<td>${posts.includes(post) ? mark : nothing}</td>`)}
            <td lang="en">${conditions.join("; ")}</td></tr>`,
        )}</tbody></table></div>
      <section class="panel"><h2>${t("Conditions")}</h2><dl class="facts">${Object.entries(duties.conditions).map(
        ([name, text]) =>
          html`<div lang="en"><dt>${title(name)}</dt><dd>${text.replaceAll(/ \(`[^`]*`\)/g, "")}</dd></div>`,
      )}</dl></section>`;
  }

  private bounds({ bounds }: DutyTable): TemplateResult | typeof nothing {
    if (!bounds) return nothing;
    return html`<section class="panel" aria-label=${t("Bounds in force")}><h2>${t("Bounds in force")}</h2><ul>
      <li>${rich("Limits above {amount} take two people.", { amount: html`<b>${show(bounds.limits)}</b>` })}</li>
      ${
        bounds.stakeboards
          ? html`<li>${t("What bets pay, and the jackpot bet, are changed by two people.")}</li>`
          : nothing
      }
      <li>${rich("Payments above {amount} take two people.", { amount: html`<b>${show(bounds.payments)}</b>` })}</li>
      <li>${rich("A payment waits {time} for its player.", { time: html`<b>${bounds.consent_seconds} s</b>` })}</li>
      <li>${rich("A person cannot sign with an account that they enrolled less than {time} ago.", {
        time: html`<b>${bounds.own_account_hours} h</b>`,
      })}</li></ul></section>`;
  }
}
customElements.define("duties-page", DutiesPage);
