/** Who may do what: the one declared matrix, for staff to read. */

import { html, nothing, type TemplateResult } from "lit";

import { Piece } from "./element";
import { show } from "./money";
import { store } from "./store";
import { POSTS, title } from "./words";

interface Duties {
  posts: string[];
  actions: { action: string; means: string; posts: string[]; conditions: string[] }[];
  conditions: Record<string, string>;
  bounds: { limits: string; payments: string; consent_seconds: string; own_account_hours: string } | null;
}

export class DutiesPage extends Piece {
  private duties: Duties | null = null;
  private timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
    this.timer = window.setInterval(() => void this.load(), 15_000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  private async load(): Promise<void> {
    this.duties = (await store.refresh("/api/duties", store.get<Duties>("/api/duties"))) ?? this.duties;
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const duties = this.duties;
    return html`<main class="duties" id="main"><h1>Who may do what</h1>
      <p class="quiet">What is not marked is refused, and the refusal is on record.</p>
      ${duties ? html`${this.bounds(duties)}
        <div class="scroll" tabindex="0" role="region" aria-label="Posts and actions"><table><thead><tr><th scope="col">Action</th>
          ${duties.posts.map((post) => html`<th scope="col">${title(POSTS[post] ?? post)}</th>`)}<th scope="col">Conditions</th></tr></thead>
          <tbody>${duties.actions.map((a) => html`<tr data-action=${a.action}><th scope="row">${a.means}</th>
            ${duties.posts.map((post) => html`<td>${a.posts.includes(post) ? html`<span aria-hidden="true">●</span><span class="sr">may</span>` : nothing}</td>`)}
            <td>${a.conditions.join("; ")}</td></tr>`)}</tbody></table></div>
        <section class="panel"><h2>Conditions</h2><dl class="facts">${Object.entries(duties.conditions).map(([name, says]) =>
          html`<div><dt>${title(name)}</dt><dd>${says.replaceAll("`", "")}</dd></div>`)}</dl></section>` : html`<p>Looking …</p>`}</main>`;
  }

  private bounds({ bounds }: Duties): TemplateResult | typeof nothing {
    if (!bounds) return nothing;
    return html`<section class="panel" aria-label="Bounds in force"><h2>Bounds in force</h2><ul>
      <li>Limits above <b>${show(bounds.limits)}</b> take two people.</li>
      <li>Payments above <b>${show(bounds.payments)}</b> take two people.</li>
      <li>A payment waits <b>${bounds.consent_seconds} s</b> for its player.</li>
      <li>Nobody signs with an account that they enrolled less than <b>${bounds.own_account_hours} h</b> ago.</li></ul></section>`;
  }
}
customElements.define("duties-page", DutiesPage);
