import { html, type TemplateResult } from "lit";

import { PollingElement } from "../lib/element";
import { lobby } from "../lib/state/lobby";
import { otherServerNotice } from "../lib/text/labels";
import { t } from "../lib/text/language";

/** The page of a table that another server of the house runs; it opens the table when this server takes it over. */
export class OtherServerPage extends PollingElement {
  static override properties = { name: { attribute: false } };
  name = "";
  protected readonly interval = 4000;

  protected load(): Promise<boolean> {
    return lobby.refresh();
  }

  override render(): TemplateResult {
    return html`<main class="narrow" id="main"><h1>${this.name}</h1>
      <p role="status">${otherServerNotice(this.name)}</p>
      <p><a href="#/">${t("To the tables")}</a></p></main>`;
  }
}
customElements.define("other-server-page", OtherServerPage);
