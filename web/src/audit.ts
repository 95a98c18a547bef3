import { html, nothing, type TemplateResult } from "lit";

import { failure } from "./api";
import { Piece } from "./element";
import { cents, show } from "./money";
import { picture } from "./picture";
import { store } from "./store";
import { moment, title } from "./words";

interface Found {
  at: string;
  by: string;
  failed?: string;
  clean: boolean;
  events: number;
  rounds: number;
  commands: number;
  tables: number;
  entries: number;
  accounts: number;
  /** Events in archives, which this audit has not seen. */
  archived: number;
  difference_count: number;
  differences: string[];
  balance: Record<string, string> & { balances: boolean };
  links: Day[];
}

/** A link from one midnight of UTC to the next. */
interface Day {
  link: string;
  since: string;
  opening: Values;
  seeded: string;
  contributions: string;
  contributions_returned: string;
  top_ups: string;
  paid: string;
  closing: Values;
  adds_up: boolean;
}

interface Values {
  meter: string;
  reserve: string;
  overflow: string;
  locked: string;
}

/** What the witness has signed last. */
interface Signed {
  number: number;
  server: string;
  at: string;
  records: number;
  key: string;
  hash: string;
  qr: string;
}

interface Chains {
  heads: Record<string, { seq: number; hash: string }>;
  running: { done: number; total: number } | null;
  last: Found | null;
  checkpoint: Signed | null;
}

/** "1,234.50 + 1/5 c": thousands are told apart, parts of a cent stand as they are. */
const grouped = (amount: string): string => amount.replace(/^-?\d+\.\d\d/, (whole) => show(whole));
const KINDS = ["players", "layouts", "banks", "links", "house", "cash", "sum"];

/** Where every chain of events stands, what the ledger holds, and an audit at the press of a button. */
export class AuditPage extends Piece {
  private said: Chains | null = null;
  private wrong = "";
  private timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
    this.timer = window.setInterval(() => void this.load(), 2000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  private async load(): Promise<void> {
    try {
      this.said = await store.get<Chains>("/api/audit");
      this.wrong = "";
    } catch (wrong) {
      this.wrong = failure(wrong);
    }
    this.requestUpdate();
  }

  private begin = async (): Promise<void> => {
    try {
      await store.send("POST", "/api/audit");
    } catch (wrong) {
      store.toast(failure(wrong), "refusal");
    }
    await this.load();
  };

  override render(): TemplateResult {
    const said = this.said;
    if (!said) return html`<main id="main"><h1>Chains and ledger</h1><p>${this.wrong || "Looking …"}</p></main>`;
    const run = said.running;
    return html`<main class="audit-page" id="main"><h1>Chains and ledger</h1>
      ${this.wrong ? html`<p class="wrong" role="alert">${this.wrong}</p>` : nothing}
      <section class="panel" aria-label="Audit"><div class="table-head"><div><h2>Audit</h2>
          <p class="quiet">Every hash, settlement, entry, balance, meter and deck is computed again from the events alone, while the house plays on.</p></div>
          <button type="button" class="button" ?disabled=${run !== null} @click=${this.begin}>Audit everything now</button></div>
        ${run ? html`<p role="status">${run.total ? `${run.done.toLocaleString("en")} of ${run.total.toLocaleString("en")} events` : "It begins"} …
          <progress max=${run.total || 1} value=${run.done} aria-label="Audit"></progress></p>` : nothing}
        ${said.last ? html`${this.last(said.last)}${said.checkpoint ? this.signed(said.checkpoint) : nothing}` : run ? nothing : html`<p>No audit has been run since this server started.</p>`}</section>
      <section class="panel" aria-label="Chains"><h2>Chains</h2>
        <p class="quiet">Write a head down elsewhere, and nothing before it can change unnoticed.</p>
        <div class="wide" role="region" aria-label="Heads of the chains" tabindex="0"><table><thead><tr><th scope="col">Chain</th><th scope="col" class="sum">Events</th><th scope="col">Head</th></tr></thead>
        <tbody>${Object.entries(said.heads).filter(([, head]) => head.seq).map(([name, head]) => html`<tr><th scope="row">${name}</th>
          <td class="sum">${head.seq.toLocaleString("en")}</td><td><code>${head.hash}</code></td></tr>`)}</tbody></table></div></section>
    </main>`;
  }

  private last(found: Found): TemplateResult {
    const when = `${moment(found.at)} by ${found.by}`;
    if (found.failed) return html`<p class="wrong" role="status">${when}: ${found.failed}</p>`;
    const n = (value: number): string => value.toLocaleString("en");
    return html`<div data-test="audited" role="status"><p><b class=${found.clean ? "up" : "down"}>${found.clean ? "✓ No difference" : `✗ ${n(found.difference_count)} differences`}</b>
        in ${n(found.events)} events, ${n(found.rounds)} rounds at ${n(found.tables)} tables, ${n(found.commands)} commands,
        ${n(found.entries)} entries in ${n(found.accounts)} accounts. <span class="quiet">${when}</span></p>
      ${found.archived ? html`<p>Not seen: ${n(found.archived)} events that are in archives. <code>croupier audit --archive</code> follows them.</p>` : nothing}
      ${found.differences.length ? html`<ul class="differences">${found.differences.map((d) => html`<li class="wrong">${d}</li>`)}</ul>` : nothing}</div>
      <h3>Trial balance</h3><p><b class=${found.balance.balances ? "up" : "down"}>${found.balance.balances ? "✓ It balances" : "✗ It does not balance"}</b></p>
      <table class="money"><tbody>${KINDS.map((kind) => html`<tr><th scope="row">${title(kind)}</th><td>${show(cents(found.balance[kind] ?? "0"))}</td></tr>`)}</tbody></table>
      ${found.links.map((day) => this.reconciled(day))}`;
  }

  /** For the printed report: a journal that is changed later does not agree with what is on paper. */
  private signed(checkpoint: Signed): TemplateResult {
    return html`<section class="checkpoint" aria-label="Checkpoint"><h3>Checkpoint ${checkpoint.number.toLocaleString("en")} of ${checkpoint.server}</h3>
      <p>${checkpoint.records.toLocaleString("en")} events, signed ${moment(checkpoint.at)}. <span class="quiet">Print this page and keep it elsewhere.</span></p>
      <p>Key <code>${checkpoint.key}</code></p><p>SHA-256 of the statement <code>${checkpoint.hash}</code></p>
      <div class="qr">${picture(checkpoint.qr, "QR code of the checkpoint")}</div></section>`;
  }

  /** Opening, what came, what was paid, closing; parts of a cent stand as they are. */
  private reconciled(day: Day): TemplateResult {
    const held = (name: string, at: Values): [string, string][] => [
      [`${name} meter`, at.meter], [`${name} reserve`, at.reserve], ...(at.overflow === "0.00" ? [] : [[`${name} overflow`, at.overflow] as [string, string]]),
      ...(at.locked === "0.00" ? [] : [[`${name} locked for awards`, at.locked] as [string, string]]),
    ];
    const rows = [
      ...held("Opening", day.opening), ["+ seed", day.seeded], ["+ contributions", day.contributions],
      ["− contributions returned", day.contributions_returned], ["+ top-ups of the house", day.top_ups], ["− paid", day.paid],
      ...held("= Closing", day.closing),
    ];
    return html`<section data-day=${day.link}><h3>Link ${day.link}, today (UTC)</h3>
      <p><b class=${day.adds_up ? "up" : "down"}>${day.adds_up ? "✓ The day adds up" : "✗ The day does not add up"}</b></p>
      <table class="money"><tbody>${rows.map(([says, amount]) => html`<tr><th scope="row">${says}</th><td>${grouped(amount!)}</td></tr>`)}</tbody></table></section>`;
  }
}
customElements.define("audit-page", AuditPage);
