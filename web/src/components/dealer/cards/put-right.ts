/** After a corrected settlement: what was paid or taken by the first one is put right by the difference alone. */

import { html, nothing, type TemplateResult } from "lit";

import type { Line } from "../../../api/types";
import { cents, show } from "../../../lib/money";
import { title } from "../../../lib/text/labels";
import { t } from "../../../lib/text/language";
import type { DealerTable } from "../dealer-table";

export class PutRight {
  private isWaiting = false;
  private round = 0;
  /** Of the settlement that a correction was proposed for. */
  private lines: Line[] = [];

  /** Keep the settled bets when a correction begins to wait. */
  follow({ view }: DealerTable, isWaiting: boolean): void {
    if (isWaiting && !this.isWaiting)
      [this.round, this.lines] = [view.round, view.stage === "settled" ? view.lines : []];
    this.isWaiting = isWaiting;
  }

  /** While it waits, a word to hold the chips; then what each bet came to more or less than before. */
  render({ view }: DealerTable): TemplateResult | typeof nothing {
    if (this.round !== view.round || !this.lines.length || view.stage !== "settled") return nothing;
    if (this.isWaiting) return html`<p>${t("Pay and take nothing more of this round until it is signed.")}</p>`;
    const [was, is] = [due(this.lines), due(view.lines)];
    const says = [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
      const more = (is.get(key) ?? 0) - (was.get(key) ?? 0);
      if (!more) return [];
      const [box, bet] = key.split("/") as [string, string];
      const words = { box, bet: title(bet), amount: show(Math.abs(more)) };
      return [
        more > 0 ? t("Box {box}, {bet}: pay {amount} more.", words) : t("Box {box}, {bet}: take back {amount}.", words),
      ];
    });
    return says.length
      ? html`<div data-test="put-right"><p>${t("Paid and taken already? Then only the difference:")}</p>
          <ul>${says.map((each) => html`<li>${each}</li>`)}</ul></div>`
      : nothing;
  }
}

/** The chips that a bet leaves with its player, by box and bet. */
function due(lines: Line[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { box, bet, won, returned } of lines) {
    const key = `${box}/${bet}`;
    found.set(key, (found.get(key) ?? 0) + cents(won) + cents(returned));
  }
  return found;
}
