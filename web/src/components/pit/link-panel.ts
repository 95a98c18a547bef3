/** A link: one person closes and opens it, two change its meter and its growth. */

import { html, type TemplateResult } from "lit";

import { commandId } from "../../api/command-id";
import { AMOUNT, amount, onSubmit, post } from "../../lib/forms";
import { show } from "../../lib/money";
import { tables } from "../../lib/state/tables";
import { NO_NAMES } from "../../lib/text/labels";
import { RATE_FIELDS } from "./opening-forms";

const PROPOSED = "Proposed: another person signs.";

export function linkPanel(name: string, done: () => void): TemplateResult {
  const link = tables.links.get(name);
  const path = `/api/links/${encodeURIComponent(name)}`;
  const turn = (): Promise<boolean> =>
    link?.closed
      ? post(`${path}/reopen`, { id: commandId() }, "The link is open again.")
      : post(`${path}/close`, { id: commandId() }, "The link is closed.");
  return html`<section class="panel" aria-label="Link ${name}"><h2>Link ${name}: ${link ? show(link.meter) : "…"}</h2>
    <p>${link?.closed ? "Closed: no jackpot bets are taken." : "Open."}</p>
    <button type="button" class="button small ghost" @click=${turn}
      >${link?.closed ? "Open the link again" : "Close the link"}</button>
    ${
      link?.closed
        ? correctionForm(path, done)
        : html`<p class="quiet">Its meter is corrected only while it is closed, by two people.</p>`
    }
    <details class="measures"><summary>How it grows</summary>
      ${growthForm(path, link?.reset, done)}</details></section>`;
}

function correctionForm(path: string, done: () => void): TemplateResult {
  const correct = onSubmit((field) => {
    return post(`${path}/adjust`, { amount: field("amount"), cause: field("cause") }, PROPOSED);
  }, done);
  return html`<form class="bets-form" @submit=${correct}><h3>Correct the meter</h3>
    <label>By how much <input name="amount" required pattern="-?[0-9]+[.][0-9]{2}" placeholder="-12.50"></label>
    <label>Why <input name="cause" required maxlength="400" placeholder=${NO_NAMES}></label>
    <button class="button small">Propose the correction</button></form>`;
}

function growthForm(path: string, reset: string | undefined, done: () => void): TemplateResult {
  const change = onSubmit((field) => {
    const rates = { contribution: field("contribution"), reserve: field("reserve") || "0" };
    return post(`${path}/parameters`, { reset: amount(field("reset")), ...rates }, PROPOSED);
  }, done);
  return html`<form class="bets-form" @submit=${change}>
    <label>Resets to <input name="reset" required inputmode="decimal" pattern=${AMOUNT}
      placeholder=${reset ?? ""}></label>
    ${RATE_FIELDS}
    <button class="button small">Propose the change</button></form>`;
}
