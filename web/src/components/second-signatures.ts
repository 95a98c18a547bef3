import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import type { Proposal } from "../api/types";
import { PollingElement } from "../lib/element";
import { NextFocus } from "../lib/focus";
import { post } from "../lib/forms";
import { requests } from "../lib/state/requests";
import { t } from "../lib/text/language";
import { served } from "./served";

const PROPOSALS = "/api/proposals";

/** Read what this person may sign, and what they proposed; undefined where the request fails. */
export function loadProposals(): Promise<Proposal[] | undefined> {
  return requests.refresh(PROPOSALS, requests.list<Proposal>(PROPOSALS));
}

/** Measures that wait for a second person; `signed` is called where this person has signed one. */
export function proposalList(proposals: Proposal[], signed: () => void): TemplateResult | typeof nothing {
  if (!proposals.length) return nothing;
  return html`<section aria-label=${t("Second signatures")} class="queue">
    <h2>${t("Waiting for a second signature")} <span class="count alarm">${proposals.length}</span></h2>
    ${repeat(
      proposals,
      ({ id }) => id,
      (proposal) => proposalPanel(proposal, signed),
    )}</section>`;
}

function proposalPanel({ id, by, words, seconds, may_sign }: Proposal, signed: () => void): TemplateResult {
  const sign = async (): Promise<void> => {
    await post(`${PROPOSALS}/${encodeURIComponent(id)}/sign`, {}, t("Signed and done."));
    signed();
  };
  return html`<article class="panel"><h3>${served(words)}</h3>
    <p>${t("Proposed by {by}, for {minutes} more min.", { by, minutes: Math.max(1, Math.ceil(seconds / 60)) })}</p>
    ${
      may_sign
        ? html`<button type="button" class="button small" data-sign=${id} @click=${sign}>${t("Sign")}</button>`
        : html`<p class="note">${t("Another person signs.")}</p>`
    }</article>`;
}

/** The measures that wait for a second person, on a page that does not read them itself. */
export class SecondSignatures extends PollingElement {
  protected readonly interval = 3000;
  private proposals: Proposal[] = [];

  constructor() {
    super();
    this.addController(new NextFocus(this, () => this.querySelector("article")));
  }

  protected async load(): Promise<void> {
    this.proposals = (await loadProposals()) ?? this.proposals;
    this.requestUpdate();
  }

  override render(): TemplateResult | typeof nothing {
    return proposalList(this.proposals, () => void this.load());
  }
}
customElements.define("second-signatures", SecondSignatures);
