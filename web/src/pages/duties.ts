import { html, nothing, type TemplateResult } from "lit";

import type { DutyTable } from "../api/types";
import { PollingElement } from "../lib/element";
import { show } from "../lib/money";
import { requests } from "../lib/state/requests";
import { POSTS, title } from "../lib/text/labels";

/** Who may do what: the one declared matrix, for staff to read. */
export class DutiesPage extends PollingElement {
  protected readonly interval = 15_000;
  private duties: DutyTable | null = null;

  protected async load(): Promise<void> {
    this.duties = (await requests.refresh("/api/duties", requests.get<DutyTable>("/api/duties"))) ?? this.duties;
    this.requestUpdate();
  }

  override render(): TemplateResult {
    return html`<main class="duties" id="main"><h1>Who may do what</h1>
      <p class="quiet">The server refuses what is not marked, and records the refusal.</p>
      ${this.duties ? this.matrix(this.duties) : html`<p>Loading …</p>`}</main>`;
  }

  private matrix(duties: DutyTable): TemplateResult {
    const mark = html`<span aria-hidden="true">●</span><span class="sr">may</span>`;
    return html`${this.bounds(duties)}
      <div class="scroll" tabindex="0" role="region" aria-label="Posts and actions">
        <table><thead><tr><th scope="col">Action</th>
          ${duties.posts.map((post) => html`<th scope="col">${title(POSTS[post] ?? post)}</th>`)}
          <th scope="col">Conditions</th></tr></thead>
        <tbody>${duties.actions.map(
          ({ action, means, posts, conditions }) => html`<tr data-action=${action}><th scope="row">${means}</th>
            ${duties.posts.map((post) => html`<td>${posts.includes(post) ? mark : nothing}</td>`)}
            <td>${conditions.join("; ")}</td></tr>`,
        )}</tbody></table></div>
      <section class="panel"><h2>Conditions</h2><dl class="facts">${Object.entries(duties.conditions).map(
        ([name, text]) => html`<div><dt>${title(name)}</dt><dd>${text.replaceAll("`", "")}</dd></div>`,
      )}</dl></section>`;
  }

  private bounds({ bounds }: DutyTable): TemplateResult | typeof nothing {
    if (!bounds) return nothing;
    return html`<section class="panel" aria-label="Bounds in force"><h2>Bounds in force</h2><ul>
      <li>Limits above <b>${show(bounds.limits)}</b> take two people.</li>
      <li>Payments above <b>${show(bounds.payments)}</b> take two people.</li>
      <li>A payment waits <b>${bounds.consent_seconds} s</b> for its player.</li>
      <li>A person cannot sign with an account that they enrolled less than <b>${bounds.own_account_hours} h</b>
        ago.</li></ul></section>`;
  }
}
customElements.define("duties-page", DutiesPage);
