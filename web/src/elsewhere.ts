import { html, type TemplateResult } from "lit";

import { Piece } from "./element";
import { store } from "./store";
import { elsewhere } from "./words";

/** The page of a table that another server of the house runs; when this one takes it, the table opens by itself. */
export class ElsewherePage extends Piece {
  static override properties = { name: { attribute: false } };
  name = "";
  private timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = window.setInterval(() => void store.refreshLobby(), 4000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  override render(): TemplateResult {
    return html`<main class="narrow" id="main"><h1>${this.name}</h1><p role="status">${elsewhere(this.name)}</p>
      <p><a href="#/">To the tables</a></p></main>`;
  }
}
customElements.define("elsewhere-page", ElsewherePage);
