import { html, nothing, type TemplateResult } from "lit";

import { Piece } from "./element";
import { show } from "./money";
import { store } from "./store";
import { title } from "./words";

/** The jackpot display: one figure that reads from across the room, the last hits, what is pending. */
export class DisplayPage extends Piece {
  static override properties = { link: { attribute: false } };
  link = "main";

  override connectedCallback(): void {
    super.connectedCallback();
    store.watch("link", this.link);
  }

  override render(): TemplateResult {
    const link = store.links.get(this.link);
    const known = link || !store.lobby.length || store.lobby.some((table) => table.link === this.link);
    const currency = store.lobby.find((table) => table.link === this.link)?.currency ?? "";
    return html`<main class="display" id="main">
      <h1>Progressive jackpot${currency ? `, ${currency}` : ""}</h1>
      ${known ? nothing : html`<p class="notice" role="status">There is no link ${this.link} here</p>`}
      <p class="meter" style=${`--long: ${link ? show(link.meter).length : 12}`}><jackpot-meter .link=${this.link}></jackpot-meter></p>
      ${link?.closed ? html`<p class="notice" role="status">No jackpot bets are taken at the moment</p>` : nothing}
      ${link?.awards.map(
        (a) => html`<p class="pending" role="status">${title(a.hand)} at ${a.table}, box ${a.box}: ${a.amount === null
          ? "waits for an earlier deal" : html`<b>${show(a.amount)}</b> locked, being verified`}</p>`,
      )}
      ${known ? html`<section class="hits"><h2>Last hits</h2>
        ${link?.last_hits.length
          ? html`<ol>${link.last_hits.slice(0, 5).map(
              (hit) => html`<li><b>${show(hit.amount)}</b><span>${title(hit.hand)}</span>
                <span class="quiet">${hit.table}, box ${hit.box}</span></li>`,
            )}</ol>`
          : html`<p class="quiet">None yet. When it is won, it starts again at ${link ? show(link.reset) : "…"}.</p>`}
      </section>` : nothing}
      ${store.online ? nothing : html`<p class="offline" role="alert">No connection: this is the last value known. Trying again …</p>`}
      <p class="quiet corner">${store.demo ? "Demonstration: no money. " : ""}<a href="#/">Tables</a>
        <button type="button" class="button small ghost" @click=${() => void document.documentElement.requestFullscreen()}>Full screen</button></p>
    </main>`;
  }
}
customElements.define("display-page", DisplayPage);
