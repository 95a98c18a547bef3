/** What those who run the house do to tables and links; a measure that takes two people waits for the second. */

import { html, nothing, type TemplateResult } from "lit";

import { failure, Refused } from "./api";
import { learnLayout, printedAt } from "./layout";
import { cents, plain, short, show } from "./money";
import { store } from "./store";
import type { Coming, LobbyTable, Seen } from "./types";
import { NO_NAMES, title, words } from "./words";

type Done = () => void;

/** What a table or a link may be called. */
const NAME = "[^\\/]*[^\\/. ][^\\/]*";
const AMOUNT = "[0-9]+([.][0-9]{2})?";
export const unique = (): string => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

/** Over HTTP; a refusal is said in the server's words. */
export async function post(path: string, body: Record<string, unknown>, done: string): Promise<boolean> {
  try {
    const said = await store.send<{ second?: string; consent?: string; words?: string }>("POST", path, body);
    // A measure that waits for another person, or a payment that waits for its player.
    store.toast(said.second ? "Proposed: another person signs." : said.consent && said.words ? said.words : done);
    return true;
  } catch (wrong) {
    const cited = wrong instanceof Refused && wrong.answer.rules?.length ? ` (${wrong.answer.rules.join(", ")})` : "";
    store.toast(`${failure(wrong)}${cited}`, "refusal");
    return false;
  }
}

/** A form's fields, its request, and an empty form after it was taken. */
function submitted(send: (field: (name: string) => string, form: FormData) => Promise<boolean>, done: Done) {
  return async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const data = new FormData(form);
    if (await send((name) => String(data.get(name) ?? "").trim(), data)) {
      // A field may be called "reset" itself.
      HTMLFormElement.prototype.reset.call(form);
      done();
    }
  };
}

const money = (text: string): string => plain(cents(text));

/** Close a table, open it again, other limits: from the next round on. */
export function tableForms(table: LobbyTable, view: Seen | undefined, done: Done): TemplateResult {
  const path = `/api/tables/${encodeURIComponent(table.table)}`;
  const closed = view?.closed ?? table.closed;
  const limits = Object.entries(view?.limits ?? table.limits);
  const jackpot = view ? view.jackpot_bet ?? null : table.jackpot_bet;
  const turn = async (): Promise<void> => {
    if (await post(`${path}/${closed ? "reopen" : "close"}`, { id: unique() }, closed ? `${table.table} is open again.` : `${table.table} closes after this round.`)) done();
  };
  const change = submitted(async (field) => {
    const set = Object.fromEntries(limits.map(([bet]) => [bet, [money(field(`${bet}-low`)), money(field(`${bet}-high`))]]));
    return post(`${path}/terms`, { id: unique(), limits: set, ...(jackpot ? { jackpot_bet: money(field("jackpot")) } : {}) },
      `${table.table} plays with other limits from its next round on.`);
  }, done);
  return html`<details class="measures" @toggle=${(e: Event) => void learnLayout(table.table, () => (e.target as HTMLDetailsElement).isConnected)}><summary>Run the table</summary>
    <button type="button" class="button small ghost" data-turn=${table.table} @click=${turn}>${closed ? "Open the table again" : "Close after this round"}</button>
    ${view?.coming ? html`<p class="note" data-test="coming">From the next round: ${comes(view.coming)}.</p>` : nothing}
    <form class="bets-form" @submit=${change}><h4>Limits from the next round on</h4>
      ${limits.map(([bet, [low, high]]) => html`<div class="row pair"><label>${title(bet)} from <input name="${bet}-low" inputmode="decimal" required pattern=${AMOUNT} .defaultValue=${low}></label>
        <label>to<span class="sr"> for ${title(bet)}</span> <input name="${bet}-high" inputmode="decimal" required pattern=${AMOUNT} .defaultValue=${high}></label></div>`)}
      ${jackpot ? html`<label>Jackpot bet <input name="jackpot" inputmode="decimal" required pattern=${AMOUNT} .defaultValue=${jackpot}></label>` : nothing}
      <button class="button small">Change the limits</button></form>
    ${stakeboard(table.table, path, done)}</details>`;
}

function comes(coming: Coming): string {
  const limits = Object.entries(coming.limits).map(([bet, [low, high]]) => `${title(bet)} ${short(cents(low))}–${short(cents(high))}`);
  const jackpot = coming.jackpot_bet ? [`Jackpot ${short(cents(coming.jackpot_bet))}`] : [];
  const pays = Object.entries(coming.pay_tables).flatMap(([bet, rows]) =>
    Object.entries(rows).map(([hand, says]) => `${title(bet)} for ${words(hand)} ${says}`));
  return [...limits, ...jackpot, ...pays].join(", ");
}

/** What the bets of a table pay. The jackpot's lines are the link's, and no table changes them alone. */
function stakeboard(table: string, path: string, done: Done): TemplateResult | typeof nothing {
  const own = printedAt(table).filter((printed) => printed.of !== "jackpot");
  if (!own.length) return nothing;
  const change = submitted(async (field) => {
    const set = own.map((printed) => [printed.of, Object.fromEntries(printed.rows.flatMap(({ hand, pays }) => {
      const said = field(`${printed.of}-${hand}`);
      return said === pays ? [] : [[hand, said]];
    }))] as const).filter(([, rows]) => Object.keys(rows).length);
    return post(`${path}/terms`, { id: unique(), pay_tables: Object.fromEntries(set) }, `${table} pays by another stakeboard from its next round on.`);
  }, done);
  return html`<form class="bets-form" @submit=${change}>${own.map((printed) => html`<h4>${title(printed.of)} pays, from the next round on</h4>
      ${printed.rows.map(({ hand, pays }) => html`<label class="line">${title(hand)}
        <input name="${printed.of}-${hand}" required maxlength="20" autocomplete="off" .defaultValue=${pays}></label>`)}`)}
      <button class="button small">Change the stakeboard</button></form>`;
}

export function newTable(links: string[], done: Done): TemplateResult {
  const games = [...new Map(store.lobby.map((t) => [t.game, `${t.operator} ${t.title}`]))];
  const open = submitted(async (field, data) => {
    const [low, high] = [field("low"), field("high")];
    const terms = {
      game: field("game"), link: field("link") || null, staffed: data.has("staffed"), physical: data.has("physical"),
      ...(low && high ? { limits: { ante: [money(low), money(high)] } } : {}),
    };
    return post("/api/tables", { id: unique(), name: field("name"), terms }, "The table is open.");
  }, done);
  return html`<section class="panel" aria-label="Open a table"><h2>Open a table</h2><form class="bets-form" @submit=${open}>
    <label>Name <input name="name" required maxlength="40" autocomplete="off" pattern=${NAME} title="No slash, and more than dots and spaces"></label>
    <label>Game <select name="game">${games.map(([game, says]) => html`<option value=${game}>${says}</option>`)}</select></label>
    <label>Link <select name="link">${links.map((link, i) => html`<option ?selected=${i === 0}>${link}</option>`)}<option value="">none</option></select></label>
    <div class="row pair"><label>Ante from <input name="low" inputmode="decimal" pattern=${AMOUNT}></label><label>to<span class="sr"> for Ante</span> <input name="high" inputmode="decimal" pattern=${AMOUNT}></label></div>
    <label class="switch"><input type="checkbox" name="staffed"><span>A dealer runs it</span></label>
    <label class="switch"><input type="checkbox" name="physical"><span>Real cards</span></label>
    <button class="button small">Open</button></form></section>`;
}

/** The part of a jackpot bet that a link takes. */
const RATE = "[01]|0?[.][0-9]+";

export function newLink(done: Done): TemplateResult {
  const open = submitted(async (field) => {
    const name = field("name");
    const body = { id: unique(), name, meter: money(field("meter")), reset: money(field("reset")), contribution: field("contribution"), reserve: field("reserve") || "0" };
    return post("/api/links", body, `The link ${name} is open.`);
  }, done);
  return html`<section class="panel" aria-label="Open a link"><h2>Open a link</h2><form class="bets-form" @submit=${open}>
    <label>Name <input name="name" required maxlength="40" autocomplete="off" pattern=${NAME} title="No slash, and more than dots and spaces"></label>
    <div class="row pair"><label>Meter <input name="meter" required inputmode="decimal" pattern=${AMOUNT}></label>
      <label>Resets to <input name="reset" required inputmode="decimal" pattern=${AMOUNT}></label></div>
    <div class="row pair"><label>Of each jackpot bet <input name="contribution" required inputmode="decimal" pattern=${RATE} placeholder="0.20"></label>
      <label>To the reserve <input name="reserve" inputmode="decimal" pattern=${RATE} placeholder="0.02"></label></div>
    <button class="button small">Propose the link</button></form></section>`;
}

/** A link: closed and opened by one, its meter and its growth changed by two. */
export function linkForms(name: string, done: Done): TemplateResult {
  const link = store.links.get(name);
  const path = `/api/links/${encodeURIComponent(name)}`;
  const said = "Proposed: another person signs.";
  const correct = submitted((field) => post(`${path}/adjust`, { amount: field("amount"), cause: field("cause") }, said), done);
  const grow = submitted((field) => post(`${path}/parameters`,
    { reset: money(field("reset")), contribution: field("contribution"), reserve: field("reserve") || "0" }, said), done);
  return html`<section class="panel" aria-label="Link ${name}"><h2>Link ${name}: ${link ? show(link.meter) : "…"}</h2>
    <p>${link?.closed ? "Closed: no jackpot bets are taken." : "Open."}</p>
    <button type="button" class="button small ghost" @click=${() => post(`${path}/${link?.closed ? "reopen" : "close"}`,
      { id: unique() }, link?.closed ? "The link is open again." : "The link is closed.")}>${link?.closed ? "Open the link again" : "Close the link"}</button>
    ${link?.closed ? html`<form class="bets-form" @submit=${correct}><h3>Correct the meter</h3>
      <label>By how much <input name="amount" required pattern="-?[0-9]+[.][0-9]{2}" placeholder="-12.50"></label>
      <label>Why <input name="cause" required maxlength="400" placeholder=${NO_NAMES}></label><button class="button small">Propose the correction</button></form>`
      : html`<p class="quiet">Its meter is corrected only while it is closed, by two people.</p>`}
    <details class="measures"><summary>How it grows</summary><form class="bets-form" @submit=${grow}>
      <label>Resets to <input name="reset" required inputmode="decimal" pattern=${AMOUNT} placeholder=${link?.reset ?? ""}></label>
      <div class="row pair"><label>Of each jackpot bet <input name="contribution" required inputmode="decimal" pattern=${RATE} placeholder="0.20"></label>
        <label>To the reserve <input name="reserve" inputmode="decimal" pattern=${RATE} placeholder="0.02"></label></div>
      <button class="button small">Propose the change</button></form></details></section>`;
}
