import { html, nothing, type TemplateResult } from "lit";

import { failure } from "../api/http";
import type { AuditReport, Chains, LinkDay, SignedCheckpoint, Values } from "../api/types";
import { alert } from "../components/alert";
import { PollingElement } from "../lib/element";
import { show } from "../lib/money";
import { requests } from "../lib/state/requests";
import { toast } from "../lib/state/toasts";
import { parseSvg } from "../lib/svg";
import { title } from "../lib/text/labels";
import { dateTime } from "../lib/text/time";

/** The kinds of accounts in the trial balance, and their sum. */
const KINDS = ["players", "layouts", "banks", "links", "house", "cash", "sum"] as const;

const count = (value: number): string => value.toLocaleString("en");

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
      toast(failure(error), "refusal");
    }
    await this.load();
  };

  override render(): TemplateResult {
    if (!this.state) return html`<main id="main"><h1>Chains and ledger</h1><p>${this.error || "Loading …"}</p></main>`;
    return html`<main class="audit-page" id="main"><h1>Chains and ledger</h1>
      ${alert(this.error)} ${this.audit(this.state)} ${this.chains(this.state)}
    </main>`;
  }

  private audit({ running, last, checkpoint }: Chains): TemplateResult {
    return html`<section class="panel" aria-label="Audit"><div class="table-head"><div><h2>Audit</h2>
        <p class="quiet">Every hash, settlement, entry, balance, meter and deck is computed again from the events alone,
          while the house plays on.</p></div>
        <button type="button" class="button" ?disabled=${running !== null}
          @click=${this.start}>Audit everything now</button></div>
      ${running ? this.progress(running) : nothing} ${last ? this.report(last) : nothing}
      ${last && checkpoint ? this.checkpoint(checkpoint) : nothing}
      ${last || running ? nothing : html`<p>No audit has been run since this server started.</p>`}</section>`;
  }

  private progress({ done, total }: NonNullable<Chains["running"]>): TemplateResult {
    return html`<p role="status">${total ? `${count(done)} of ${count(total)} events` : "Starting"} …
      <progress max=${total || 1} value=${done} aria-label="Audit"></progress></p>`;
  }

  private chains({ heads }: Chains): TemplateResult {
    const written = Object.entries(heads).filter(([, { seq }]) => seq);
    return html`<section class="panel" aria-label="Chains"><h2>Chains</h2>
      <p class="quiet">Write a head down elsewhere, and nothing before it can change unnoticed.</p>
      <div class="wide" role="region" aria-label="Heads of the chains" tabindex="0">
        <table><thead><tr><th scope="col">Chain</th><th scope="col" class="sum">Events</th>
          <th scope="col">Head</th></tr></thead>
        <tbody>${written.map(
          ([name, { seq, hash }]) => html`<tr><th scope="row">${name}</th>
            <td class="sum">${count(seq)}</td><td><code>${hash}</code></td></tr>`,
        )}</tbody></table></div></section>`;
  }

  private report(report: AuditReport): TemplateResult {
    const when = `${dateTime(report.at)} by ${report.by}`;
    const { clean = false, events = 0, rounds = 0, tables = 0, commands = 0, entries = 0, accounts = 0 } = report;
    const { archived = 0, difference_count = 0, differences = [], balance, links = [] } = report;
    // An audit that failed has no result.
    if (!balance) return html`<p class="wrong" role="status">${when}: ${report.failed}</p>`;
    return html`<div data-test="audited" role="status">
        <p>${check(clean, "No difference", `${count(difference_count)} differences`)}
          in ${count(events)} events, ${count(rounds)} rounds at ${count(tables)} tables, ${count(commands)} commands,
          ${count(entries)} entries in ${count(accounts)} accounts. <span class="quiet">${when}</span></p>
        ${
          archived
            ? html`<p>Not read: ${count(archived)} events that are in archives.
                <code>croupier audit --archive</code> reads them.</p>`
            : nothing
        }
        ${
          differences.length
            ? html`<ul class="differences">${differences.map((text) => html`<li class="wrong">${text}</li>`)}</ul>`
            : nothing
        }</div>
      <h3>Trial balance</h3><p>${check(balance.balances, "It balances", "It does not balance")}</p>
      <table class="money"><tbody>${KINDS.map(
        (kind) => html`<tr><th scope="row">${title(kind)}</th><td>${show(balance[kind])}</td></tr>`,
      )}</tbody></table>
      ${links.map((day) => this.linkDay(day))}`;
  }

  /** The last checkpoint, for the printed report: a journal that is changed later does not match the paper. */
  private checkpoint({ number, server, records, at, key, hash, qr }: SignedCheckpoint): TemplateResult {
    return html`<section class="checkpoint" aria-label="Checkpoint">
      <h3>Checkpoint ${count(number)} of ${server}</h3>
      <p>${count(records)} events, signed ${dateTime(at)}.
        <span class="quiet">Print this page and keep it elsewhere.</span></p>
      <p>Key <code>${key}</code></p><p>SHA-256 of the statement <code>${hash}</code></p>
      <div class="qr">${parseSvg(qr, "QR code of the checkpoint")}</div></section>`;
  }

  /** A day of a link: opening, what came, what was paid, closing. */
  private linkDay(day: LinkDay): TemplateResult {
    const amounts = (name: string, { meter, reserve, overflow, locked }: Values): [string, string][] => [
      [`${name} meter`, meter],
      [`${name} reserve`, reserve],
      ...(overflow === "0.00" ? [] : [[`${name} overflow`, overflow] as [string, string]]),
      ...(locked === "0.00" ? [] : [[`${name} locked for awards`, locked] as [string, string]]),
    ];
    const rows: [string, string][] = [
      ...amounts("Opening", day.opening),
      ["+ seed", day.seeded],
      ["+ contributions", day.contributions],
      ["− contributions returned", day.contributions_returned],
      ["+ top-ups of the house", day.top_ups],
      ["− paid", day.paid],
      ...amounts("= Closing", day.closing),
    ];
    return html`<section data-day=${day.link}><h3>Link ${day.link}, today (UTC)</h3>
      <p>${check(day.adds_up, "The day adds up", "The day does not add up")}</p>
      <table class="money"><tbody>${rows.map(
        ([name, amount]) => html`<tr><th scope="row">${name}</th><td>${grouped(amount)}</td></tr>`,
      )}</tbody></table></section>`;
  }
}
customElements.define("audit-page", AuditPage);
