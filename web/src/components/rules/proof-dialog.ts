import { html, type TemplateResult } from "lit";

import type { SealedDeck } from "../../api/types";
import { StateElement } from "../../lib/element";
import { to } from "../../lib/navigation";
import { requests } from "../../lib/state/requests";
import { tables } from "../../lib/state/tables";
import { t } from "../../lib/text/language";
import { failure } from "../../lib/text/sentences";
import { deckProof } from "./deck-proof";

/** "Prove the deck": the seal of a round, one tap away from its result. */
export class ProofDialog extends StateElement {
  private decks: SealedDeck[] | null = null;
  private error = "";
  private table = "";
  private round = 0;

  open(table: string, round: number): void {
    [this.table, this.round, this.decks, this.error] = [table, round, null, ""];
    void this.load(`/api/tables/${encodeURIComponent(table)}/rounds/${round}`);
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector("dialog")?.showModal());
  }

  private async load(path: string): Promise<void> {
    try {
      this.decks = (await requests.get<{ decks: SealedDeck[] }>(path)).decks;
    } catch (error) {
      this.error = failure(error);
    }
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const close = (): void => this.querySelector("dialog")?.close();
    return html`<dialog class="report" aria-labelledby="proof-title" closedby="any">
      <h2 id="proof-title">${t("The deck of {table}, round {round}", {
        table: this.table,
        round: this.round,
      })}</h2> ${this.proof()}
      <div class="row"><a class="button ghost" href=${to("replay", this.table, this.round)}
          @click=${close}>${t("Replay the round")}</a>
        <button type="button" class="button" @click=${close}>${t("Close")}</button></div></dialog>`;
  }

  private proof(): TemplateResult {
    if (this.error) return html`<p class="wrong">${this.error}</p>`;
    return this.decks ? deckProof(this.decks, tables.seals.get(`${this.table} ${this.round}`)) : html`<p>…</p>`;
  }
}
customElements.define("proof-dialog", ProofDialog);

export function openProof(table: string, round: number): void {
  document.querySelector<ProofDialog>("proof-dialog")?.open(table, round);
}
