import { html, nothing, type TemplateResult } from "lit";

import type { Line, Receipt } from "../api/types";
import { alert } from "../components/alert";
import { citations } from "../components/rules/citations";
import { StateElement } from "../lib/element";
import { cents, show, signed } from "../lib/money";
import { to } from "../lib/navigation";
import { net } from "../lib/play/results";
import { lobby } from "../lib/state/lobby";
import { requests } from "../lib/state/requests";
import { capital, label, title, versioned } from "../lib/text/labels";
import { t } from "../lib/text/language";
import { failure } from "../lib/text/sentences";
import { dateTime } from "../lib/text/time";

/** The receipt of one round of a player, made for paper. */
export class ReceiptPage extends StateElement {
  static override properties = { table: { attribute: false }, round: { attribute: false } };
  table = "";
  round = 0;
  private receipt: Receipt | null = null;
  private error = "";

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      const path = `/api/tables/${encodeURIComponent(this.table)}/rounds/${this.round}/receipt`;
      this.receipt = await requests.get<Receipt>(path);
    } catch (error) {
      this.error = failure(error);
    }
    this.requestUpdate();
  }

  override render(): TemplateResult {
    return html`<main class="narrow receipt" id="main"><h1>${t("Receipt")}</h1>
      ${this.error ? alert(this.error) : this.receipt ? this.paper(this.receipt) : html`<p>${t("Loading …")}</p>`}
      <p class="row no-print"><button type="button" class="button" ?disabled=${!this.receipt}
          @click=${() => window.print()}>${t("Print")}</button>
        <a class="button ghost" href=${to("replay", this.table, this.round)}>${t("Replay")}</a>
        <a class="button ghost" href="#/my-rounds">${t("My rounds")}</a></p></main>`;
  }

  private paper(receipt: Receipt): TemplateResult {
    const { house, player, table, edition, rulebook, round, at, lines, awards, record, hash, checkpoint } = receipt;
    const fact = (name: string, value: unknown): TemplateResult => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
    const place = ({ box }: Line): string => t("Box {box}", { box });
    return html`<dl>${fact(t("House"), capital(house))} ${fact(t("Table"), table)}
        ${fact(t("Round"), `${round}, ${dateTime(at)}`)}
        ${fact(t("Player"), player)} ${fact(t("Rulebook"), rulebookName(receipt))}</dl>
      <div class="wide"><table class="settled"><thead><tr><th scope="col">${t("Bet")}</th>
        <th scope="col" class="sum">${t("Staked")}</th>
        <th scope="col" class="sum">${t("Net")}, ${lobby.currency}</th></tr></thead>
        <tbody>${lines.map(
          (line) => html`<tr><th scope="row">${place(line)}: ${title(line.bet)} ${label(line.outcome)}</th>
            <td class="sum">${show(line.staked)}</td><td class="sum">${signed(net(line))}</td></tr>`,
        )}</tbody>
        <tfoot><tr><th scope="row">${t("Total")}</th><td class="sum">${show(receipt.staked)}</td>
          <td class="sum"><b>${signed(cents(receipt.net))}</b></td></tr></tfoot></table></div>
      ${
        awards.length
          ? html`<p>${awards.map(({ hand, amount }) => html`${t("Award")}: ${label(hand)}, ${show(amount)}. `)}</p>`
          : nothing
      }
      <details class="cited"><summary>${t("Rules")}</summary><ul>${lines.map(
        (line) => html`<li>${place(line)}, ${title(line.bet)}: ${citations(edition, line.rules)}</li>`,
      )}</ul></details>
      <dl class="proof">${fact(
        t("Record in the journal"),
        record,
      )} ${fact(t("Hash of that record"), html`<code>${hash}</code>`)}
        ${fact(t("Checkpoint that covers it"), checkpoint ? html`<code>${checkpoint}</code>` : t("none yet"))}
        ${fact(t("Rulebook"), html`${edition} <code>${rulebook}</code>`)}
        ${fact(t("Made"), dateTime(receipt.printed))}</dl>`;
  }
}
customElements.define("receipt-page", ReceiptPage);

/** The rule document by its title, where its table still plays by it; else by its name in the records. */
function rulebookName({ table, edition }: Receipt): string {
  const terms = lobby.terms.get(table);
  return terms?.edition === edition ? `${terms.operator}: ${versioned(terms)}` : edition;
}
