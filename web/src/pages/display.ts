import { html, nothing, type TemplateResult } from "lit";

import type { LinkView } from "../api/types";
import "../components/jackpot-meter";
import { StateElement } from "../lib/element";
import { show } from "../lib/money";
import { live } from "../lib/state/live";
import { lobby } from "../lib/state/lobby";
import { tables } from "../lib/state/tables";
import { title, versioned } from "../lib/text/labels";

/** Hits that the display lists at most. */
const LISTED = 5;

/** The jackpot display: one figure that can be read from across the room, the last hits, and what is pending. */
export class DisplayPage extends StateElement {
  static override properties = { link: { attribute: false } };
  link = "main";

  override connectedCallback(): void {
    super.connectedCallback();
    live.watch("link", this.link);
  }

  override render(): TemplateResult {
    const link = tables.links.get(this.link);
    const table = lobby.tables.find((line) => line.link === this.link);
    const isKnown = link || table || !lobby.tables.length;
    return html`<main class="display" id="main">
      <h1>Progressive jackpot${table?.currency ? `, ${table.currency}` : ""}</h1>
      ${isKnown ? nothing : html`<p class="notice" role="status">There is no link ${this.link} here</p>`}
      <p class="meter" style=${`--long: ${link ? show(link.meter).length : 12}`}
        ><jackpot-meter .link=${this.link}></jackpot-meter></p>
      ${link?.closed ? html`<p class="notice" role="status">No jackpot bets are taken at the moment</p>` : nothing}
      ${link?.awards.map(
        ({ hand, table: at, box, amount }) => html`<p class="pending" role="status">${title(hand)} at ${at}, box ${box}:
          ${amount === null ? "waits for an earlier deal" : html`<b>${show(amount)}</b> locked, being verified`}</p>`,
      )}
      ${isKnown ? this.hits(link) : nothing}
      ${
        live.online
          ? nothing
          : html`<p class="offline" role="alert">No connection: this is the last value known. Trying again …</p>`
      }
      <p class="quiet" data-test="versions">${this.versions()}</p>
      <p class="quiet corner">${lobby.demo ? "Demonstration: no money. " : ""}<a href="#/">Tables</a>
        <button type="button" class="button small ghost"
          @click=${() => void document.documentElement.requestFullscreen()}>Full screen</button></p>
    </main>`;
  }

  /** The rule documents by which the tables of this link play. */
  private versions(): string {
    const played = lobby.tables.filter((line) => line.link === this.link);
    return [...new Set(played.map((line) => `${line.operator} ${versioned(line)}`))].join(" · ");
  }

  private hits(link: LinkView | undefined): TemplateResult {
    return html`<section class="hits"><h2>Last hits</h2>
      ${
        link?.last_hits.length
          ? html`<ol>${link.last_hits.slice(0, LISTED).map(
              ({ amount, hand, table, box }) => html`<li><b>${show(amount)}</b><span>${title(hand)}</span>
                <span class="quiet">${table}, box ${box}</span></li>`,
            )}</ol>`
          : html`<p class="quiet">None yet. When it is won, it starts again at ${link ? show(link.reset) : "…"}.</p>`
      }
    </section>`;
  }
}
customElements.define("display-page", DisplayPage);
