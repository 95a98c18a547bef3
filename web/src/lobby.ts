import { html, nothing, type TemplateResult } from "lit";

import { failure } from "./api";
import { go, Piece, to } from "./element";
import { short, cents } from "./money";
import { store } from "./store";
import type { LobbyTable } from "./types";
import { STAGES, title } from "./words";

/** Every table of the house: game, operator, limits, seats taken, the meter moving. */
export class LobbyPage extends Piece {
  private timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    void store.refreshLobby();
    this.timer = window.setInterval(() => void store.refreshLobby(), 4000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  override render(): TemplateResult {
    const links = [...new Set(store.lobby.map((table) => table.link).filter((link) => link !== null))];
    return html`<main class="lobby" id="main">
      ${links.map(
        (link) => html`<section class="banner" aria-label="Progressive jackpot">
          <h2>Progressive jackpot, ${store.lobby.find((table) => table.link === link)?.currency}</h2>
          <p class="big"><jackpot-meter .link=${link}></jackpot-meter></p>
          <p class="quiet">One meter for every table of this house.
            <a href=${to("display", link)}>Full screen</a></p>
        </section>`,
      )}
      <h1>${store.me?.post === "dealer" ? "Choose a table to deal" : "Choose a table"}</h1>
      ${store.demo && !store.me ? html`<p class="quiet">Tap one and you sit down as a guest, with demo chips: no money, no name.</p>` : nothing}
      <ul class="tables">${store.lobby.map((table) => this.line(table))}</ul>
      ${store.lobby.length ? nothing : html`<p>No table is open yet.</p>`}
    </main>`;
  }

  private line(table: LobbyTable): TemplateResult {
    const ante = table.limits["ante"];
    return html`<li class="table-card ${table.game}">
      <a href=${to("table", table.table)} @click=${(event: Event) => this.sit(event, table)}>
        <span class="crest" aria-hidden="true">${table.table.slice(0, 1)}</span>
        <span class="what"><strong>${table.table}</strong>
          <span>${table.title}</span><span class="quiet">${table.operator}</span>
        ${table.staffed || table.physical
          ? html`<span class="tag">${title([table.staffed ? "dealer" : "", table.physical ? "real cards" : ""]
              .filter(Boolean).join(", "))}</span>`
          : nothing}</span>
        <dl>
          <div><dt>Ante</dt>
            <dd>${ante ? html`${short(cents(ante[0]))}–${short(cents(ante[1]))} ${table.currency}` : "–"}</dd></div>
          <div><dt>Jackpot bet</dt>
            <dd>${table.jackpot_bet ? html`${short(cents(table.jackpot_bet))} ${table.currency}` : "none"}</dd></div>
          <div><dt>Boxes taken</dt><dd>${table.elsewhere ? `– of ${table.boxes}` : `${table.seats_taken} of ${table.boxes}`}</dd></div>
          <div><dt>Now</dt><dd>${table.closed ? "Closed" : table.stage ? STAGES[table.stage] : "At another server"}</dd></div>
        </dl>
      </a></li>`;
  }

  /** In a demonstration the first table one taps makes a guest of a stranger. */
  private async sit(event: Event, table: LobbyTable): Promise<void> {
    // Its page says where it is; nobody becomes a guest for that.
    if (table.elsewhere) return;
    if (store.me) {
      if (store.me.may.includes("deal") && table.staffed) {
        event.preventDefault();
        go(to("dealer", table.table));
      }
      return;
    }
    event.preventDefault();
    if (!store.demo) return go(to("login", "table", table.table));
    try {
      await store.enter("/api/guest");
      go(to("table", table.table));
    } catch (wrong) {
      store.toast(failure(wrong), "refusal");
    }
  }
}
customElements.define("lobby-page", LobbyPage);
