/** What the pit changes at a table from its next round on: open or closed, limits, stakeboard. */

import { html, nothing, type TemplateResult } from "lit";

import { commandId } from "../../api/command-id";
import type { Coming, LobbyTable } from "../../api/types";
import { AMOUNT, amount, onSubmit, post } from "../../lib/forms";
import { cents, short } from "../../lib/money";
import type { LiveView } from "../../lib/play/table-view";
import { loadPayTables, payTablesOf } from "../../lib/state/pay-tables";
import { label, title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { dateTime } from "../../lib/text/time";
import { termName } from "../term";
import { confirmsField } from "./opening-forms";

export function tableForms(table: LobbyTable, view: LiveView | undefined, done: () => void): TemplateResult {
  const { table: name } = table;
  const path = `/api/tables/${encodeURIComponent(name)}`;
  const isClosed = view?.closed ?? table.closed;
  const turn = async (): Promise<void> => {
    const message = isClosed ? t("{name} is open again.", { name }) : t("{name} closes after this round.", { name });
    if (await post(`${path}/${isClosed ? "reopen" : "close"}`, { id: commandId() }, message)) done();
  };
  const load = (event: Event): void => void loadPayTables(name, () => (event.target as HTMLDetailsElement).isConnected);
  return html`<details class="measures" @toggle=${load}><summary>${t("Run the table")}</summary>
    <button type="button" class="button small ghost" data-turn=${name} @click=${turn}
      >${isClosed ? t("Open the table again") : t("Close after this round")}</button>
    ${
      view?.coming
        ? html`<p class="note" data-test="coming">${t("From the next round: {coming}.", {
            coming: comingText(view.coming),
          })}</p>`
        : nothing
    }
    ${limitsForm(table, view, path, done)} ${boxLimitForm(table, view, path, done)}
    ${stakeboardForm(table, view, path, done)}
    ${table.physical ? confirmsForm(table, path, done) : nothing} ${editionForm(table, path, done)}</details>`;
}

/** The terms that a change begins with: those that come with the next round, else those in force. */
const latestTerms = (table: LobbyTable, view: LiveView | undefined): Pick<Coming, "limits" | "jackpot_bet"> =>
  (view ? view.coming : table.coming) ?? {
    limits: view?.limits ?? table.limits,
    jackpot_bet: view ? (view.jackpot_bet ?? null) : table.jackpot_bet,
  };

function limitsForm(table: LobbyTable, view: LiveView | undefined, path: string, done: () => void): TemplateResult {
  const next = latestTerms(table, view);
  const limits = Object.entries(next.limits);
  const jackpot = next.jackpot_bet;
  const change = onSubmit(async (field) => {
    const changed = limits.map(([bet]) => [bet, [amount(field(`${bet}-low`)), amount(field(`${bet}-high`))]]);
    const jackpotBet = jackpot && amount(field("jackpot")) !== jackpot ? { jackpot_bet: amount(field("jackpot")) } : {};
    const body = { id: commandId(), limits: Object.fromEntries(changed), ...jackpotBet };
    return post(
      `${path}/terms`,
      body,
      t("{table} plays with other limits from its next round on.", { table: table.table }),
    );
  }, done);
  const input = (name: string, value: string): TemplateResult =>
    html`<input name=${name} inputmode="decimal" required pattern=${AMOUNT} .defaultValue=${value}>`;
  return html`<form class="bets-form" @submit=${change}><h4>${t("Limits from the next round on")}</h4>
    ${limits.map(
      ([bet, [low, high]]) => html`<div class="row pair"><label>${t("{bet} from", {
        bet: title(bet),
      })} ${input(`${bet}-low`, low)}</label>
        <label>${t("to")}<span class="sr"> ${t("for {bet}", {
          bet: title(bet),
        })}</span> ${input(`${bet}-high`, high)}</label></div>`,
    )}
    ${jackpot ? html`<label>${t("Jackpot bet")} ${input("jackpot", jackpot)}</label>` : nothing}
    <button class="button small">${t("Change the limits")}</button></form>`;
}

/** The greatest Ante of one box, below what the table takes. */
function boxLimitForm(table: LobbyTable, view: LiveView | undefined, path: string, done: () => void): TemplateResult {
  const change = onSubmit(async (field) => {
    const box_limits = { [field("box")]: amount(field("most") || "0") };
    return post(
      `${path}/terms`,
      { id: commandId(), box_limits },
      t("{table} limits the box from its next round on.", { table: table.table }),
    );
  }, done);
  return html`<form class="bets-form" @submit=${change}><h4>${t("Limit of one box from the next round on")}</h4>
    <div class="row pair"><label>${t("Box")} <input name="box" type="number" min="1" max=${
      table.boxes
    } required></label>
    <label>${t(
      "Greatest Ante",
    )} <input name="most" inputmode="decimal" pattern=${AMOUNT} placeholder=${t("as the table")}></label></div>
    <span data-test="box-limits">${boxLimitText((view?.coming ?? view)?.box_limits ?? table.box_limits)}</span>
    <button class="button small">${t("Limit the box")}</button></form>`;
}

const boxLimitText = (limits: Record<string, string>): string =>
  Object.entries(limits)
    .map(([box, most]) => t("Box {box} Ante up to {most}", { box, most: short(cents(most)) }))
    .join(", ");

function confirmsForm(table: LobbyTable, path: string, done: () => void): TemplateResult {
  const change = onSubmit(async (field) => {
    const body = { id: commandId(), confirms: field("confirms") };
    return post(
      `${path}/terms`,
      body,
      t("{table} confirms its settlements so from its next round on.", { table: table.table }),
    );
  }, done);
  return html`<form class="bets-form" @submit=${change}>${confirmsField(table.confirms)}
    <button class="button small">${t("Change it")}</button></form>`;
}

/** Another version of the table's rule document, from a moment on; another manager signs. */
function editionForm(table: LobbyTable, path: string, done: () => void): TemplateResult {
  const { scheduled } = table;
  if (scheduled) {
    const cancel = async (): Promise<void> => {
      const body = { id: commandId(), edition: scheduled.edition };
      if (await post(`${path}/edition/cancel`, body, t("{table} keeps its version.", { table: table.table }))) done();
    };
    return html`<p class="note" data-test="scheduled">${t("From {at}: {edition}.", {
      at: dateTime(scheduled.at),
      edition: scheduled.edition,
    })}</p>
      <button type="button" class="button small ghost" @click=${cancel}>${t("Keep the present version")}</button>`;
  }
  const change = onSubmit(async (field) => {
    const body = { edition: field("edition"), at: new Date(field("at")).toISOString() };
    return post(`${path}/edition`, body, t("Proposed. Another manager signs it."));
  }, done);
  return html`<form class="bets-form" @submit=${change}><h4>${t("Another version of the rule document")}</h4>
    <label>${t("Version")} <input name="edition" required maxlength="80" .defaultValue=${table.edition}></label>
    <label>${t("From")} <input name="at" type="datetime-local" required></label>
    <button class="button small">${t("Propose the version")}</button></form>`;
}

function comingText({ limits, jackpot_bet, pay_tables, box_limits }: Coming): string {
  const ranges = Object.entries(limits).map(
    ([bet, [low, high]]) => `${title(bet)} ${short(cents(low))}–${short(cents(high))}`,
  );
  const jackpot = jackpot_bet ? [t("Jackpot {jackpot_bet}", { jackpot_bet: short(cents(jackpot_bet)) })] : [];
  const pays = Object.entries(pay_tables).flatMap(([bet, rows]) =>
    Object.entries(rows).map(([hand, odds]) =>
      t("{bet} for {hand} {odds}", { bet: title(bet), hand: label(hand), odds }),
    ),
  );
  return [...ranges, ...jackpot, ...pays, boxLimitText(box_limits)].filter(Boolean).join(", ");
}

/** What the bets of a table pay. The jackpot's lines belong to the link, so no table changes them alone. */
function stakeboardForm(
  { table, pay_tables: inForce }: LobbyTable,
  view: LiveView | undefined,
  path: string,
  done: () => void,
): TemplateResult | typeof nothing {
  const latest = (view?.coming ?? view)?.pay_tables ?? inForce;
  const own = payTablesOf(table).filter(({ of }) => of !== "jackpot");
  if (!own.length) return nothing;
  const change = onSubmit(async (field) => {
    const changed = own.map(({ of, rows }): [string, object] => {
      const other = rows.filter(({ hand, pays }) => field(`${of}-${hand}`) !== (latest[of]?.[hand] ?? pays));
      return [of, Object.fromEntries(other.map(({ hand }) => [hand, field(`${of}-${hand}`)]))];
    });
    // A change of one bet replaces what was changed of it before, so it names those lines too.
    const pay_tables = Object.fromEntries(
      changed.flatMap(([of, rows]) => (Object.keys(rows).length ? [[of, { ...latest[of], ...rows }]] : [])),
    );
    const message = t("{table} pays by another stakeboard from its next round on.", { table });
    return post(`${path}/terms`, { id: commandId(), pay_tables }, message);
  }, done);
  return html`<form class="bets-form" @submit=${change}>${own.map(
    ({ of, rows }) => html`<h4>${t("{of} pays, from the next round on", { of: title(of) })}</h4>
      ${rows.map(
        ({ hand, pays }) => html`<label class="line">${termName(hand)}
          <input name="${of}-${hand}" required maxlength="20" autocomplete="off"
            .defaultValue=${latest[of]?.[hand] ?? pays}></label>`,
      )}`,
  )}
    <button class="button small">${t("Change the stakeboard")}</button></form>`;
}
