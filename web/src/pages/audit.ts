import { html, nothing, type TemplateResult } from "lit";

import type { AuditReport, Chains, LinkDay, SignedCheckpoint, Values } from "../api/types";
import { alert } from "../components/alert";
import { served } from "../components/served";
import { PollingElement } from "../lib/element";
import { show } from "../lib/money";
import { requests } from "../lib/state/requests";
import { refuse } from "../lib/state/toasts";
import { parseSvg } from "../lib/svg";
import { title } from "../lib/text/labels";
import { number, percent, rich, t } from "../lib/text/language";
import { failure } from "../lib/text/sentences";
import { dateTime } from "../lib/text/time";

/** The kinds of accounts in the trial balance, and their sum. */
const KINDS = ["players", "layouts", "banks", "links", "house", "cash", "sum"] as const;

/** "1,234.50 + 1/5 c": thousands get a separator, parts of a cent stay as they are. */
const grouped = (amount: string): string => amount.replace(/^-?\d+\.\d\d/, (whole) => show(whole));

const check = (passed: boolean, yes: string, no: string): TemplateResult =>
  html`<b class=${passed ? "up" : "down"}>${passed ? `✓ ${yes}` : `✗ ${no}`}</b>`;

/** The heads of all chains of events, what the ledger holds, and an audit of everything. */
export class AuditPage extends PollingElement {
  protected readonly interval = 2000;
  private state: Chains | null = null;
  private error = "";

  protected async load(): Promise<void> {
    try {
      this.state = await requests.get<Chains>("/api/audit");
      this.error = "";
    } catch (error) {
      this.error = failure(error);
    }
    this.requestUpdate();
  }

  private start = async (): Promise<void> => {
    try {
      await requests.send("POST", "/api/audit");
    } catch (error) {
      refuse(error);
    }
    await this.load();
  };

  override render(): TemplateResult {
    if (!this.state)
      return html`<main id="main"><h1>${t("Chains and ledger")}</h1><p>${this.error || t("Loading …")}</p></main>`;
    return html`<main class="audit-page" id="main"><h1>${t("Chains and ledger")}</h1>
      ${alert(this.error)} ${this.audit(this.state)} ${this.chains(this.state)}
    </main>`;
  }

  private audit({ running, last, checkpoint }: Chains): TemplateResult {
    return html`<section class="panel" aria-label=${t("Audit")}><div class="table-head"><div><h2>${t("Audit")}</h2>
        <p class="quiet">${t(
          "Every hash, settlement, entry, balance, meter and deck is computed again from the events, during play.",
        )}</p></div>
        <button type="button" class="button" ?disabled=${running !== null}
          @click=${this.start}>${t("Audit everything now")}</button></div>
      ${running ? this.progress(running) : nothing} ${last ? this.report(last) : nothing}
      ${last && checkpoint ? this.checkpoint(checkpoint) : nothing}
      ${last || running ? nothing : html`<p>${t("No audit has been run since this server started.")}</p>`}</section>`;
  }

  private progress({ done, total }: NonNullable<Chains["running"]>): TemplateResult {
    return html`<p role="status">${
      total ? t("{part} of the work is done", { part: percent(done / total, 0) }) : t("Starting")
    } …
      <progress max=${total || 1} value=${done} aria-label=${t("Audit")}></progress></p>`;
  }

  private chains({ heads }: Chains): TemplateResult {
    const written = Object.entries(heads).filter(([, { seq }]) => seq);
    return html`<section class="panel" aria-label=${t("Chains")}><h2>${t("Chains")}</h2>
      <p class="quiet">${t("Write a head down elsewhere, and nothing before it can change unnoticed.")}</p>
      <div class="wide" role="region" aria-label=${t("Heads of the chains")} tabindex="0">
        <table><thead><tr><th scope="col">${t("Chain")}</th><th scope="col" class="sum">${t("Events")}</th>
          <th scope="col">${t("Head")}</th></tr></thead>
        <tbody>${written.map(
          ([name, { seq, hash }]) => html`<tr><th scope="row">${name}</th>
            <td class="sum">${number(seq)}</td><td><code>${hash}</code></td></tr>`,
        )}</tbody></table></div></section>`;
  }

  private report(report: AuditReport): TemplateResult {
    const when = t("{time} by {name}", { time: dateTime(report.at), name: report.by });
    const { clean = false, events = 0, rounds = 0, tables = 0, commands = 0, entries = 0, accounts = 0 } = report;
    const { archived = 0, difference_count = 0, differences = [], balance, links = [] } = report;
    // An audit that failed has no result.
    if (!balance) return html`<p class="wrong" role="status">${when}: ${served(report.failed ?? "")}</p>`;
    return html`<div data-test="audited" role="status">
        <p>${check(clean, t("No difference"), t("{count} differences", { count: number(difference_count) }))}
          ${t("in {events} events, {rounds} rounds at {tables} tables, {commands} commands, {booked}.", {
            events: number(events),
            rounds: number(rounds),
            tables: number(tables),
            commands: number(commands),
            booked: t("{entries} entries in {accounts} accounts", {
              entries: number(entries),
              accounts: number(accounts),
            }),
          })} <span class="quiet">${when}</span></p>
        ${
          archived
            ? html`<p>${rich("Not read: {count} events that are in archives. {command} reads them.", {
                count: number(archived),
                command: html`<code>croupier audit --archive</code>`,
              })}</p>`
            : nothing
        }
        ${
          differences.length
            ? html`<ul class="differences">${differences.map(
                (text) => html`<li class="wrong" lang="en">${text}</li>`,
              )}</ul>`
            : nothing
        }</div>
      <h3>${t("Trial balance")}</h3>
      <p class="quiet">${t("The balance, and the links below it, as they stood when the audit began.")}</p>
      <p>${check(balance.balances, t("It balances"), t("It does not balance"))}</p>
      <table class="money"><tbody>${KINDS.map(
        (kind) => html`<tr><th scope="row">${title(kind)}</th><td>${show(balance[kind])}</td></tr>`,
      )}</tbody></table>
      ${links.map((day) => this.linkDay(day))}`;
  }

  /** The last checkpoint, for the printed report: a journal that is changed later does not match the paper. */
  private checkpoint({ number: place, server, records, at, key, hash, qr }: SignedCheckpoint): TemplateResult {
    return html`<section class="checkpoint" aria-label=${t("Checkpoint")}>
      <h3>${t("Checkpoint {number} of {server}", { number: number(place), server })}</h3>
      <p>${t("{count} events, signed {time}.", { count: number(records), time: dateTime(at) })}
        <span class="quiet">${t("Print this page and keep it elsewhere.")}</span></p>
      <p>${t("Key")} <code>${key}</code></p><p>${t("SHA-256 of the statement")} <code>${hash}</code></p>
      <div class="qr">${parseSvg(qr, t("QR code of the checkpoint"))}</div></section>`;
  }

  /** A day of a link: opening, what came, what was paid, closing. */
  private linkDay(day: LinkDay): TemplateResult {
    const amounts = (name: string, { meter, reserve, overflow, locked }: Values): [string, string][] => [
      [t("{name} meter", { name }), meter],
      [t("{name} reserve", { name }), reserve],
      ...(overflow === "0.00" ? [] : [[t("{name} overflow", { name }), overflow] as [string, string]]),
      ...(locked === "0.00" ? [] : [[t("{name} locked for awards", { name }), locked] as [string, string]]),
    ];
    const rows: [string, string][] = [
      ...amounts(t("Opening"), day.opening),
      [t("+ seed"), day.seeded],
      [t("+ contributions"), day.contributions],
      [t("− contributions returned"), day.contributions_returned],
      [t("+ top-ups of the house"), day.top_ups],
      ...(day.corrections === "0.00" ? [] : [[t("+ corrections of the meter"), day.corrections] as [string, string]]),
      [t("− paid"), day.paid],
      ...amounts(t("= Closing"), day.closing),
    ];
    return html`<section data-day=${day.link}><h3>${t("Link {link}, today (UTC)", { link: day.link })}</h3>
      <p>${check(day.adds_up, t("The day adds up"), t("The day does not add up"))}</p>
      <table class="money"><tbody>${rows.map(
        ([name, amount]) => html`<tr><th scope="row">${name}</th><td>${grouped(amount)}</td></tr>`,
      )}</tbody></table></section>`;
  }
}
customElements.define("audit-page", AuditPage);
