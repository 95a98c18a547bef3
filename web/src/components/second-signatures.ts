import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import type { Proposal } from "../api/types";
import { PollingElement } from "../lib/element";
import { NextFocus } from "../lib/focus";
import { onSubmit, post } from "../lib/forms";
import { requests } from "../lib/state/requests";
import { noNames } from "../lib/text/labels";
import { t } from "../lib/text/language";
import { trayText } from "./dealer/hand-over";
import { served } from "./served";

const PROPOSALS = "/api/proposals";

/** Read what this person may sign, and what they proposed; undefined where the request fails. */
export function loadProposals(): Promise<Proposal[] | undefined> {
  return requests.refresh(PROPOSALS, requests.list<Proposal>(PROPOSALS));
}

/** Whether a proposal still waits; its proposer also reads for a while that it was declined, or that nobody signed. */
export const waits = ({ declined_by, lapsed }: Proposal): boolean => !declined_by && !lapsed;

/** Measures that wait for a second person; `signed` is called where this person has signed one. */
export function proposalList(proposals: Proposal[], signed: () => void): TemplateResult | typeof nothing {
  if (!proposals.length) return nothing;
  const open = proposals.filter(waits);
  const ended = proposals.filter((proposal) => !waits(proposal));
  const panels = (of: Proposal[]): unknown =>
    repeat(
      of,
      ({ id }) => id,
      (proposal) => proposalPanel(proposal, signed),
    );
  return html`<section aria-label=${t("Second signatures")} class="queue">
    ${
      open.length
        ? html`<h2>${t("Waiting for a second signature")} <span class="count alarm">${open.length}</span></h2>`
        : nothing
    }${panels(open)}
    ${ended.length ? html`<h2>${t("You proposed, and it was not signed")}</h2>` : nothing}${panels(ended)}</section>`;
}

function proposalPanel(proposal: Proposal, signed: () => void): TemplateResult {
  const { id, by, words, seconds, may_sign, mine, declined_by, why, lapsed, hand_over } = proposal;
  const path = `${PROPOSALS}/${encodeURIComponent(id)}`;
  const ask = async (what: string, done: string): Promise<void> => {
    await post(`${path}/${what}`, {}, done);
    signed();
  };
  const decline = onSubmit((field) => post(`${path}/decline`, { words: field("words") }, t("Declined.")), signed);
  if (lapsed)
    return html`<article class="panel" data-lapsed=${id}><h3>${served(words)}</h3>
      <p>${t(
        "Nobody signed it within a quarter of an hour: nothing is done. Propose it again if it is still wanted.",
      )}</p>
    </article>`;
  if (!waits(proposal))
    return html`<article class="panel" data-declined=${id}><h3>${served(words)}</h3>
      <p>${t("Declined by {by}: {why}", { by: declined_by, why })}</p></article>`;
  return html`<article class="panel"><h3>${served(words)}</h3>
    <p>${t("Proposed by {by}, for {minutes} more min.", { by, minutes: Math.max(1, Math.ceil(seconds / 60)) })}</p>
    ${hand_over ? html`<p data-test="tray">${trayText(hand_over)}</p>` : nothing}
    ${
      may_sign
        ? html`<button type="button" class="button small" data-sign=${id}
            @click=${() => ask("sign", t("Signed and done."))}>${t("Sign")}</button>
          <details class="measures"><summary>${t("Decline")}</summary><form @submit=${decline}>
            <label>${t("Why")} <input name="words" required maxlength="400" placeholder=${noNames()}></label>
            <button class="button small ghost">${t("Decline")}</button></form></details>`
        : html`<p class="note">${t("Another person signs.")}</p>`
    }
    ${
      mine
        ? html`<button type="button" class="button small ghost" data-withdraw=${id}
            @click=${() => ask("withdraw", t("Withdrawn: nothing is done."))}>${t("Withdraw")}</button>`
        : nothing
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
