/** The forms that open a table or a link. */

import { html, type TemplateResult } from "lit";

import { commandId } from "../../api/command-id";
import { AMOUNT, amount, onSubmit, post } from "../../lib/forms";
import { lobby } from "../../lib/state/lobby";
import { t } from "../../lib/text/language";

/** The pattern of a name of a table or a link. */
const NAME = "[^\\/]*[^\\/. ][^\\/]*";
/** The pattern of the part of a jackpot bet that a link takes. */
const RATE = "[01]|0?[.][0-9]+";

const rateFormat = (): string => t("A part of 1 such as 0.20");

const nameField = (): TemplateResult => html`<label>${t(
  "Name",
)} <input name="name" required maxlength="40" autocomplete="off" pattern=${NAME}
  title=${t("No slash, and more than dots and spaces")}></label>`;

/** The fields for how a link grows. */
export const rateFields = (): TemplateResult => html`<div class="row pair"><label>${t(
  "Of each jackpot bet",
)} <input name="contribution" required
    inputmode="decimal" pattern=${RATE} title=${rateFormat()} placeholder="0.20"></label>
  <label>${t("To the reserve")} <input name="reserve" inputmode="decimal" pattern=${RATE} title=${rateFormat()}
      placeholder="0.02"></label></div>`;

/** How the dealer's acts at the settlement are confirmed; with real cards only. */
export function confirmsField(chosen: string): TemplateResult {
  const ways = {
    together: t("Confirmed, the rest at once if wanted"),
    each: t("Each act by itself"),
    no: t("Not confirmed"),
  };
  return html`<label>${t("Settlements with real cards")} <select name="confirms">${Object.entries(ways).map(
    ([way, text]) => html`<option value=${way} ?selected=${way === chosen}>${text}</option>`,
  )}</select></label>`;
}

export function newTableForm(links: string[], done: () => void): TemplateResult {
  const open = onSubmit(async (field, data) => {
    const [low, high] = [field("low"), field("high")];
    const terms = {
      game: field("game"),
      link: field("link") || null,
      staffed: data.has("staffed") || data.has("physical"),
      physical: data.has("physical"),
      ...(data.has("physical") ? { confirms: field("confirms") } : {}),
      ...(low && high ? { limits: { ante: [amount(low), amount(high)] } } : {}),
    };
    return post("/api/tables", { id: commandId(), name: field("name"), terms }, t("The table is open."));
  }, done);
  return html`<section class="panel" aria-label=${t("Open a table")}><h2>${t("Open a table")}</h2>
    <form class="bets-form" @submit=${open}>
    ${nameField()}
    <label>${t("Game")} <select name="game">${lobby
      .games(" ")
      .map(([game, text]) => html`<option value=${game}>${text}</option>`)}</select></label>
    <label>${t("Link")} <select name="link">${links.map(
      (link, i) => html`<option ?selected=${i === 0}>${link}</option>`,
    )}<option value="">${t("none")}</option></select></label>
    <div class="row pair"><label>${t("Ante from")} <input name="low" inputmode="decimal" pattern=${AMOUNT}></label>
      <label>${t("to")}<span class="sr"> ${t(
        "for Ante",
      )}</span> <input name="high" inputmode="decimal" pattern=${AMOUNT}></label></div>
    <label class="switch"><input type="checkbox" name="staffed"><span>${t("A dealer runs it")}</span></label>
    <label class="switch"><input type="checkbox" name="physical"
      @change=${staffWithCards}><span>${t("Real cards")}</span></label>
    ${confirmsField("together")}
    <button class="button small">${t("Open")}</button></form></section>`;
}

/** Real cards are dealt by a dealer. */
function staffWithCards({ target }: Event): void {
  if (!(target instanceof HTMLInputElement)) return;
  const staffed = target.form?.elements.namedItem("staffed");
  if (staffed instanceof HTMLInputElement) staffed.checked ||= target.checked;
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
    return post("/api/links", body, t("The link {name} is open.", { name }));
  }, done);
  return html`<section class="panel" aria-label=${t("Open a link")}><h2>${t("Open a link")}</h2>
    <form class="bets-form" @submit=${open}>
    ${nameField()}
    <div class="row pair"><label>${t(
      "Meter",
    )} <input name="meter" required inputmode="decimal" pattern=${AMOUNT}></label>
      <label>${t("Resets to")} <input name="reset" required inputmode="decimal" pattern=${AMOUNT}></label></div>
    ${rateFields()}
    <button class="button small">${t("Propose the link")}</button></form></section>`;
}
