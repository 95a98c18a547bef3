/** The chips in the tray: counted by value for a hand-over, and once before the first round of a shift. */

import { html, nothing, type TemplateResult } from "lit";

import { commandId } from "../../api/command-id";
import { enterToNext } from "../../lib/focus";
import { amount, inputValue, onSubmit, post } from "../../lib/forms";
import { CHIPS, plain, short, show } from "../../lib/money";
import { t } from "../../lib/text/language";
import type { DealerTable } from "./dealer-table";

/** Chips of one value that a tray may hold, as typed. */
const PIECES = /^\d{1,5}$/;

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
      const chips = (each: number): number => (PIECES.test(this.counts[each] ?? "") ? Number(this.counts[each]) : 0);
      this.total = plain(CHIPS.reduce((sum, each) => sum + each * chips(each), 0));
      this.changed();
    };
    const type = (event: Event): void => {
      this.total = inputValue(event);
      this.changed();
    };
    return html`<fieldset class="tray-count"><legend>${t("How many chips of each value")}</legend>${CHIPS.map(
      (chip) => html`<label>${short(chip)} <input pattern="[0-9]{1,5}" inputmode="numeric" maxlength="5"
        title=${t("A number of chips such as 40")} data-count=${chip / 100}
        .value=${this.counts[chip] ?? ""} @input=${(event: Event) => count(chip, event)}></label>`,
    )}<label>${t("Chips in the tray, as counted")} <input name="count" required inputmode="decimal"
      pattern="[0-9]{1,8}([.,][0-9]{2})?"
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
    if (!procedure || procedure.left || this.isPutOff) return nothing;
    if (procedure.counted && !this.isOpen) return this.again(kind);
    const send = onSubmit(
      (field) =>
        post(
          `/api/tables/${encodeURIComponent(name)}/tray-count`,
          { id: commandId(), count: amount(field("count")) },
          t("{count} is on record as the count of the tray.", { count: show(amount(field("count"))) }),
        ),
      () => {
        this.tray.clear();
        this.isOpen = false;
        reload();
      },
    );
    const set = (fields: Partial<Pick<OpeningCount, "isOpen" | "isPutOff">>): void => {
      Object.assign(this, fields);
      this.changed();
    };
    const put = procedure.counted ? { isOpen: false } : { isPutOff: true };
    const later = html`<button type="button" class="button small ghost" @click=${() => set(put)}
      >${procedure.counted ? t("Cancel") : t("Later")}</button>`;
    return html`<div class=${kind} data-test="opening-count"><p>${
      procedure.counted
        ? t("The new count takes the place of the one before it; both stay on record.")
        : t("The tray has not been counted: without a count the house does not know what to expect at the hand-over.")
    }</p>${
      this.isOpen
        ? html`<form @submit=${send} @keydown=${enterToNext}>${this.tray.fields()}
            <div class="row"><button class="button small">${t("Enter the count")}</button> ${later}</div></form>`
        : html`<div class="row"><button type="button" class="button small" @click=${() => set({ isOpen: true })}
            >${t("Count the tray")}</button> ${later}</div>`
    }</div>`;
  }

  /** A count that is on record can be corrected by another one. */
  private again(kind: string): TemplateResult | typeof nothing {
    if (kind !== "panel") return nothing;
    const open = (): void => {
      this.isOpen = true;
      this.changed();
    };
    return html`<div><button type="button" class="button small ghost" data-tool="count-again" @click=${open}
      >${t("Count the tray again")}</button></div>`;
  }
}
