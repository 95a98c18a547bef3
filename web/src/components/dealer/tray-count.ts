/** The chips in the tray: counted by value for a hand-over, and once before the first round of a shift. */

import { html, nothing, type TemplateResult } from "lit";

import { commandId } from "../../api/command-id";
import { enterToNext } from "../../lib/focus";
import { AMOUNT, amount, inputValue, onSubmit, post } from "../../lib/forms";
import { CHIPS, plain, short } from "../../lib/money";
import { t } from "../../lib/text/language";
import type { DealerTable } from "./dealer-table";

export class TrayCount {
  /** How many chips of each value are counted, as typed. */
  private counts: Record<number, string> = {};
  private total = "";

  constructor(private readonly changed: () => void) {}

  clear(): void {
    [this.counts, this.total] = [{}, ""];
  }

  fields(): TemplateResult {
    const count = (chip: number, event: Event): void => {
      this.counts = { ...this.counts, [chip]: inputValue(event) };
      this.total = plain(CHIPS.reduce((sum, each) => sum + each * Math.floor(Number(this.counts[each]) || 0), 0));
      this.changed();
    };
    const type = (event: Event): void => {
      this.total = inputValue(event);
      this.changed();
    };
    return html`<fieldset class="tray-count"><legend>${t("How many chips of each value")}</legend>${CHIPS.map(
      (chip) => html`<label>${short(chip)} <input type="number" min="0" inputmode="numeric" data-count=${chip / 100}
        .value=${this.counts[chip] ?? ""} @input=${(event: Event) => count(chip, event)}></label>`,
    )}<label>${t("Chips in the tray, as counted")} <input name="count" required inputmode="decimal" pattern=${AMOUNT}
      .value=${this.total} @input=${type}></label></fieldset>`;
  }
}

/** The count without which the difference at the end of the shift means nothing; it can be put off. */
export class OpeningCount {
  isPutOff = false;
  isOpen = false;
  private readonly tray: TrayCount;

  constructor(private readonly changed: () => void) {
    this.tray = new TrayCount(changed);
  }

  /** `kind` is the class of what stands around it. */
  render({ name, procedure, reload }: DealerTable, kind: string): TemplateResult | typeof nothing {
    if (!procedure || procedure.counted || procedure.left || this.isPutOff) return nothing;
    const send = onSubmit(
      (field) =>
        post(
          `/api/tables/${encodeURIComponent(name)}/tray-count`,
          { id: commandId(), count: amount(field("count")) },
          t("It is on record."),
        ),
      () => {
        this.tray.clear();
        reload();
      },
    );
    const set = (fields: Partial<Pick<OpeningCount, "isOpen" | "isPutOff">>): void => {
      Object.assign(this, fields);
      this.changed();
    };
    const later = html`<button type="button" class="button small ghost" @click=${() => set({ isPutOff: true })}
      >${t("Later")}</button>`;
    return html`<div class=${kind} data-test="opening-count"><p>${t(
      "The tray has not been counted: without a count the house does not know what to expect at the hand-over.",
    )}</p>${
      this.isOpen
        ? html`<form @submit=${send} @keydown=${enterToNext}>${this.tray.fields()}
            <div class="row"><button class="button small">${t("Enter the count")}</button> ${later}</div></form>`
        : html`<div class="row"><button type="button" class="button small" @click=${() => set({ isOpen: true })}
            >${t("Count the tray")}</button> ${later}</div>`
    }</div>`;
  }
}
