/** The forms that open a table or a link. */

import { html, type TemplateResult } from "lit";

import { commandId } from "../../api/command-id";
import { AMOUNT, amount, onSubmit, post } from "../../lib/forms";
import { lobby } from "../../lib/state/lobby";

/** The pattern of a name of a table or a link. */
const NAME = "[^\\/]*[^\\/. ][^\\/]*";
/** The pattern of the part of a jackpot bet that a link takes. */
const RATE = "[01]|0?[.][0-9]+";

const NAME_FIELD = html`<label>Name <input name="name" required maxlength="40" autocomplete="off" pattern=${NAME}
  title="No slash, and more than dots and spaces"></label>`;

/** The fields for how a link grows. */
export const RATE_FIELDS = html`<div class="row pair"><label>Of each jackpot bet <input name="contribution" required
    inputmode="decimal" pattern=${RATE} placeholder="0.20"></label>
  <label>To the reserve <input name="reserve" inputmode="decimal" pattern=${RATE} placeholder="0.02"></label></div>`;

/** How the dealer's acts at the settlement are confirmed; with real cards only. */
export function confirmsField(chosen: string): TemplateResult {
  const ways = { together: "Confirmed, the rest at once if wanted", each: "Each act by itself", no: "Not confirmed" };
  return html`<label>Settlements with real cards <select name="confirms">${Object.entries(ways).map(
    ([way, text]) => html`<option value=${way} ?selected=${way === chosen}>${text}</option>`,
  )}</select></label>`;
}

export function newTableForm(links: string[], done: () => void): TemplateResult {
  const open = onSubmit(async (field, data) => {
    const [low, high] = [field("low"), field("high")];
    const terms = {
      game: field("game"),
      link: field("link") || null,
      staffed: data.has("staffed"),
      physical: data.has("physical"),
      ...(data.has("physical") ? { confirms: field("confirms") } : {}),
      ...(low && high ? { limits: { ante: [amount(low), amount(high)] } } : {}),
    };
    return post("/api/tables", { id: commandId(), name: field("name"), terms }, "The table is open.");
  }, done);
  return html`<section class="panel" aria-label="Open a table"><h2>Open a table</h2>
    <form class="bets-form" @submit=${open}>
    ${NAME_FIELD}
    <label>Game <select name="game">${lobby
      .games(" ")
      .map(([game, text]) => html`<option value=${game}>${text}</option>`)}</select></label>
    <label>Link <select name="link">${links.map(
      (link, i) => html`<option ?selected=${i === 0}>${link}</option>`,
    )}<option value="">none</option></select></label>
    <div class="row pair"><label>Ante from <input name="low" inputmode="decimal" pattern=${AMOUNT}></label>
      <label>to<span class="sr"> for Ante</span> <input name="high" inputmode="decimal" pattern=${AMOUNT}></label></div>
    <label class="switch"><input type="checkbox" name="staffed"><span>A dealer runs it</span></label>
    <label class="switch"><input type="checkbox" name="physical"><span>Real cards</span></label>
    ${confirmsField("together")}
    <button class="button small">Open</button></form></section>`;
}

export function newLinkForm(done: () => void): TemplateResult {
  const open = onSubmit(async (field) => {
    const name = field("name");
    const body = {
      id: commandId(),
      name,
      meter: amount(field("meter")),
      reset: amount(field("reset")),
      contribution: field("contribution"),
      reserve: field("reserve") || "0",
    };
    return post("/api/links", body, `The link ${name} is open.`);
  }, done);
  return html`<section class="panel" aria-label="Open a link"><h2>Open a link</h2>
    <form class="bets-form" @submit=${open}>
    ${NAME_FIELD}
    <div class="row pair"><label>Meter <input name="meter" required inputmode="decimal" pattern=${AMOUNT}></label>
      <label>Resets to <input name="reset" required inputmode="decimal" pattern=${AMOUNT}></label></div>
    ${RATE_FIELDS}
    <button class="button small">Propose the link</button></form></section>`;
}
