import { html, nothing, type TemplateResult } from "lit";

import { commandId } from "../api/command-id";
import type { DisputeCase } from "../api/types";
import { alert } from "../components/alert";
import { packLink } from "../components/pack-link";
import { PollingElement } from "../lib/element";
import { onSubmit, post } from "../lib/forms";
import { addressQuery } from "../lib/navigation";
import { requests } from "../lib/state/requests";
import { label, title } from "../lib/text/labels";
import { t } from "../lib/text/language";
import { failure } from "../lib/text/sentences";
import { dateTime } from "../lib/text/time";

/** Disputed rounds: their cases, deadlines and outcomes, and the pack of each. */
export class DisputesPage extends PollingElement {
  protected readonly interval = 5000;
  private cases: DisputeCase[] | null = null;
  private error = "";

  protected async load(): Promise<void> {
    try {
      this.cases = await requests.list<DisputeCase>("/api/disputes");
      this.error = "";
    } catch (error) {
      this.error = failure(error);
    }
    this.requestUpdate();
  }

  private again = (): void => void this.load();

  private open = onSubmit((field) => {
    const body = { table: field("table"), round: Number(field("round")), player: field("player") };
    const days = Number(field("days"));
    const asked = { id: commandId(), ...body, words: field("words"), days };
    return post("/api/disputes", asked, t("The dispute is on record."));
  }, this.again);

  private write(id: string, end: "notes" | "decide" | "close"): (event: SubmitEvent) => Promise<void> {
    return onSubmit((field) => {
      const words = { id: commandId(), words: field("words") };
      const body = end === "decide" ? { ...words, outcome: field("outcome") } : words;
      return post(`/api/disputes/${id}/${end}`, body, t("It is on record."));
    }, this.again);
  }

  override render(): TemplateResult {
    return html`<main class="disputes" id="main"><h1>${t("Disputes")}</h1>${alert(this.error)}
      ${this.form()}
      ${this.cases ? this.list(this.cases) : html`<p>${t("Loading …")}</p>`}</main>`;
  }

  private list(cases: DisputeCase[]): TemplateResult {
    if (!cases.length) return html`<p>${t("No round is disputed.")}</p>`;
    return html`<ul class="found">${cases.map((each) => this.case(each))}</ul>`;
  }

  private case(each: DisputeCase): TemplateResult {
    const { id, table, round, player, status, outcome, until, overdue, notes } = each;
    const path = `/api/tables/${encodeURIComponent(table)}/rounds/${round}`;
    return html`<li class="panel" data-dispute=${id}>
      <div class="table-head"><h2><a href="#/replay/${encodeURIComponent(table)}/${round}"
        >${t("{table}, round {round}", { table, round })}</a></h2>
        ${packLink(path)}</div>
      <p>${title(status)}${outcome ? html`: <b>${label(outcome)}</b>` : nothing}.
        ${player ? html`${t("Disputed by {player}.", { player })}` : nothing}
        <span class=${overdue ? "wrong" : "quiet"}>${
          overdue
            ? t("Deadline {time}, overdue.", { time: dateTime(until) })
            : t("Deadline {time}.", { time: dateTime(until) })
        }</span></p>
      <ol>${notes.map(
        ({ at, by, what, words }) =>
          html`<li><span class="quiet">${dateTime(at)}, ${by}, ${label(what)}:</span> ${words}</li>`,
      )}</ol>
      ${status === "closed" ? nothing : this.actions(each)}</li>`;
  }

  private actions({ id, status, may_decide }: DisputeCase): TemplateResult {
    const words = (label: string): TemplateResult =>
      html`<label>${label} <input name="words" required maxlength="2000"></label>`;
    return html`<form class="row" @submit=${this.write(id, "notes")}>${words(t("Note"))}
        <button class="button small">${t("Add")}</button></form>
      ${
        may_decide && status === "open"
          ? html`<form class="row" @submit=${this.write(id, "decide")}>
              <label>${t("Outcome")} <select name="outcome"><option value="upheld">${t("upheld")}</option>
                <option value="dismissed">${t(
                  "dismissed",
                )}</option><option value="agreed">${t("agreed")}</option></select></label>
              ${words(t("Reason"))} <button class="button small">${t("Decide")}</button></form>`
          : nothing
      }
      ${
        may_decide && status === "decided"
          ? html`<form class="row" @submit=${this.write(id, "close")}>${words(t("Closing words"))}
              <button class="button small">${t("Close the case")}</button></form>`
          : nothing
      }`;
  }

  private form(): TemplateResult {
    const asked = addressQuery();
    return html`<details class="panel" ?open=${asked.has("round")}><summary>${t("Open a dispute")}</summary>
      <form class="row" @submit=${this.open}>
        <label>${t("Table")} <input name="table" required maxlength="40"
          .defaultValue=${asked.get("table") ?? ""}></label>
        <label>${t("Round")} <input name="round" type="number" min="1" required
          .defaultValue=${asked.get("round") ?? ""}></label>
        <label>${t("Player")} <input name="player" maxlength="40"></label>
        <label>${t(
          "Days until the deadline",
        )} <input name="days" type="number" min="1" max="365" value="14" required></label>
        <label>${t("What is disputed")} <input name="words" required maxlength="2000"></label>
        <button class="button">${t("Open")}</button></form></details>`;
  }
}
customElements.define("disputes-page", DisputesPage);
