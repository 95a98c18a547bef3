import { html, type TemplateResult } from "lit";

import type { CallView as Call } from "../../api/types";
import { PollingElement } from "../../lib/element";
import { requests } from "../../lib/state/requests";
import { refuse } from "../../lib/state/toasts";
import { t } from "../../lib/text/language";

/** The dealer's call for a supervisor, and who is coming. */
export class SupervisorCall extends PollingElement {
  static override properties = { table: { attribute: false } };
  table = "";
  protected readonly interval = 3000;
  private call: Call | undefined;

  protected async load(): Promise<void> {
    const calls = await requests.refresh("/api/calls", requests.list<Call>("/api/calls"));
    if (!calls) return;
    this.call = calls.find(({ table }) => table === this.table);
    this.requestUpdate();
  }

  private async send(path: string): Promise<void> {
    try {
      await requests.send("POST", `/api/tables/${encodeURIComponent(this.table)}/${path}`);
    } catch (error) {
      refuse(error);
    }
    await this.load();
  }

  override render(): TemplateResult {
    const button = (path: string, text: string): TemplateResult =>
      html`<button type="button" class="button ghost" @click=${() => this.send(path)}>${text}</button>`;
    if (!this.call) return button("call", t("Call the supervisor"));
    const { coming } = this.call;
    return html`<span role="status" data-test="called">${
      coming ? t("{coming} is coming.", { coming }) : t("The pit has been called.")
    }</span> ${button("call/end", t("No longer needed"))}`;
  }
}
customElements.define("supervisor-call", SupervisorCall);
