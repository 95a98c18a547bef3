/** The end of a shift: the tray is counted, another dealer takes over, and a person of the pit signs. */

import { html, nothing, type TemplateResult } from "lit";

import type { WaitingHandOver } from "../../api/types";
import { enterToNext } from "../../lib/focus";
import { amount, onSubmit, post } from "../../lib/forms";
import { cents, show, signed } from "../../lib/money";
import { session } from "../../lib/state/session";
import { t } from "../../lib/text/language";
import { hour } from "../../lib/text/time";
import type { DealerTable } from "./dealer-table";
import { TrayCount } from "./tray-count";

/** Milliseconds for which a hand-over stands at the console of the person who has left, and of the one who came. */
const SHOWN = 1800e3;
const READ = 60e3;

type Tray = Pick<WaitingHandOver, "count" | "expected">;

/** The count of the tray beside what the house expects there, where it knows an earlier count. */
export function trayText({ count, expected }: Tray): string {
  if (!expected) return t("Tray: {count} counted; the house has no earlier count.", { count: show(count) });
  return t("Tray: {count} counted, {expected} expected, difference {difference}.", {
    count: show(count),
    expected: show(expected),
    difference: signed(cents(count) - cents(expected)),
  });
}

export class HandOver {
  private readonly tray: TrayCount;

  constructor(changed: () => void) {
    this.tray = new TrayCount(changed);
  }

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
    return done.to === name && Date.parse(done.at) > Date.now() - READ
      ? notice(t("Taken over from {by} at {time}.", { by: done.by, time }), done)
      : nothing;
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
        this.tray.clear();
        reload();
      },
    );
    return html`<details class="panel"><summary>${t("Hand the table over")}</summary>
      <form @submit=${send} @keydown=${enterToNext}>
        <label>${t("Dealer who takes over")} <input name="to" required maxlength="40" autocomplete="off"
          autocapitalize="none"></label>
        ${this.tray.fields()}
        <button class="button small">${t("Propose the hand-over")}</button></form></details>`;
  }
}
