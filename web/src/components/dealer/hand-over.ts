/** The end of a shift: the tray is counted, another dealer takes over, and a person of the pit signs. */

import { html, nothing, type TemplateResult } from "lit";

import type { HandedOver } from "../../api/types";
import { AMOUNT, amount, inputValue, onSubmit, post } from "../../lib/forms";
import { CHIPS, cents, plain, short, show, signed } from "../../lib/money";
import { session } from "../../lib/state/session";
import { t } from "../../lib/text/language";
import { hour } from "../../lib/text/time";
import type { DealerTable } from "./dealer-table";

/** Milliseconds for which a hand-over stands at the console. */
const SHOWN = 1800e3;

type Tray = Pick<HandedOver, "count" | "expected">;

/** The count of the tray beside what the house expects there, where it knows an earlier count. */
function trayText({ count, expected }: Tray): string {
  if (!expected) return t("Tray: {count} counted; the house has no earlier count.", { count: show(count) });
  return t("Tray: {count} counted, {expected} expected, difference {difference}.", {
    count: show(count),
    expected: show(expected),
    difference: signed(cents(count) - cents(expected)),
  });
}

export class HandOver {
  /** How many chips of each value are counted, as typed. */
  private counts: Record<number, string> = {};
  private total = "";

  constructor(private readonly changed: () => void) {}

  /** What waits for a signature, or who deals now. */
  status({ procedure }: DealerTable): TemplateResult | typeof nothing {
    const notice = (text: string, tray: Tray): TemplateResult =>
      html`<p class="notice" role="status" data-test="hand-over">${text} ${trayText(tray)}</p>`;
    const [waits] = procedure?.hand_overs ?? [];
    if (waits)
      return notice(
        t("The hand-over to {to} with {count} in the tray waits for a signature by the pit.", {
          to: waits.to,
          count: show(waits.count),
        }),
        waits,
      );
    const done = procedure?.handed_over;
    if (!done || Date.parse(done.at) < Date.now() - SHOWN) return nothing;
    const [name, time] = [session.me?.name, hour(done.at)];
    if (done.by === name)
      return notice(t("Table handed over to {to} at {time}. Log out.", { to: done.to, time }), done);
    return done.to === name ? notice(t("Taken over from {by} at {time}.", { by: done.by, time }), done) : nothing;
  }

  render({ name, reload }: DealerTable): TemplateResult {
    const send = onSubmit(
      (field) =>
        post(
          `/api/tables/${encodeURIComponent(name)}/hand-over`,
          { to: field("to"), count: amount(field("count")) },
          t("Proposed. A person of the pit signs the hand-over."),
        ),
      () => {
        [this.counts, this.total] = [{}, ""];
        reload();
      },
    );
    const count = (chip: number, event: Event): void => {
      this.counts = { ...this.counts, [chip]: inputValue(event) };
      this.total = plain(CHIPS.reduce((sum, each) => sum + each * Math.floor(Number(this.counts[each]) || 0), 0));
      this.changed();
    };
    const type = (event: Event): void => {
      this.total = inputValue(event);
      this.changed();
    };
    return html`<details class="panel"><summary>${t("Hand the table over")}</summary>
      <form @submit=${send}>
        <label>${t("Dealer who takes over")} <input name="to" required maxlength="40" autocomplete="off"
          autocapitalize="none"></label>
        <fieldset class="tray-count"><legend>${t("How many chips of each value")}</legend>${CHIPS.map(
          (chip) => html`<label>${short(chip)} <input type="number" min="0" inputmode="numeric" data-count=${chip / 100}
            .value=${this.counts[chip] ?? ""} @input=${(event: Event) => count(chip, event)}></label>`,
        )}</fieldset>
        <label>${t("Chips in the tray, as counted")} <input name="count" required inputmode="decimal" pattern=${AMOUNT}
          .value=${this.total} @input=${type}></label>
        <button class="button small">${t("Propose the hand-over")}</button></form></details>`;
  }
}
