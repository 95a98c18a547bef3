import { html, nothing, type TemplateResult } from "lit";

import type { BoxEffect } from "../../api/types";
import { show } from "../../lib/money";
import { t } from "../../lib/text/language";

/** What an option means for the chips of the box that may choose it. */
export function optionEffect(effect: BoxEffect | undefined): string {
  return effect?.effect === "returned"
    ? t("{returned} back", { returned: show(effect.returned) })
    : t("{in_play} stays in play", { in_play: show(effect?.in_play ?? "0") });
}

/** The money of one box alone, where only its player is asked; of all boxes without one. */
export function ofBox(money: Record<string, BoxEffect>, box: number | null): Record<string, BoxEffect> {
  const effect = box === null ? undefined : money[box];
  return effect ? { [String(box)]: effect } : money;
}

/** Where the chips of each box would go by a ruling or a report. */
export function boxMoney(money: Record<string, BoxEffect>): TemplateResult | typeof nothing {
  const boxes = Object.entries(money);
  if (!boxes.length) return nothing;
  return html`<table class="money"><thead><tr><th scope="col">${t("Box")}</th><th scope="col">${t(
    "Back",
  )}</th><th scope="col">${t("Lost")}</th>
      <th scope="col">${t("In play")}</th></tr></thead>
    <tbody>${boxes.map(
      ([box, { returned, lost, effect, in_play }]) => html`<tr><th scope="row">${box}</th>
        <td>${show(returned)}</td><td>${show(lost)}</td>
        <td>${effect === "option" ? t("player's choice") : show(in_play)}</td></tr>`,
    )}</tbody></table>`;
}
