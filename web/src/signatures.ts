/** Measures that wait for a second person. */

import { html, nothing, type TemplateResult } from "lit";

import { Piece } from "./element";
import { post } from "./measures";
import { store } from "./store";

export interface Proposal {
  id: string;
  by: string;
  words: string;
  second: string;
  seconds: number;
}

const PROPOSALS = "/api/proposals";

/** Read what this person may sign, and what they proposed; undefined where the server does not say. */
export function readProposals(): Promise<Proposal[] | undefined> {
  return store.refresh(PROPOSALS, store.list<Proposal>(PROPOSALS));
}

export function unsigned(proposals: Proposal[], sign: (path: string, done: string) => unknown): TemplateResult | typeof nothing {
  if (!proposals.length) return nothing;
  return html`<section aria-label="Second signatures" class="queue"><h2>Waiting for a second signature <span class="count alarm">${proposals.length}</span></h2>
    ${proposals.map((p) => html`<article class="panel"><h3>${p.words}</h3><p>Proposed by ${p.by}, for ${Math.max(1, Math.ceil(p.seconds / 60))} more min.</p>
      ${p.by === store.me?.name ? html`<p class="note">Another person signs.</p>` : html`<button type="button" class="button small" data-sign=${p.id}
        @click=${() => sign(`${PROPOSALS}/${encodeURIComponent(p.id)}/sign`, "Signed and done.")}>Sign</button>`}</article>`)}</section>`;
}

/** The same as a piece of a page that asks by itself. */
export class SecondSignatures extends Piece {
  private proposals: Proposal[] = [];
  private timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
    this.timer = window.setInterval(() => void this.load(), 3000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  private async load(): Promise<void> {
    this.proposals = (await readProposals()) ?? this.proposals;
    this.requestUpdate();
  }

  override render(): TemplateResult | typeof nothing {
    return unsigned(this.proposals, async (path, done) => {
      await post(path, {}, done);
      await this.load();
    });
  }
}
customElements.define("second-signatures", SecondSignatures);
