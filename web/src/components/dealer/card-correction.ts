/** The proposal to correct cards that were entered wrong; a second person signs it. */

import { html, nothing, type TemplateResult } from "lit";

import { readForm } from "../../lib/forms";
import { requests } from "../../lib/state/requests";
import { refuse, toast } from "../../lib/state/toasts";
import { parseCards } from "../../lib/text/card-names";
import { t } from "../../lib/text/language";
import { type DealerTable, placeName } from "./dealer-table";

export function cardCorrection({ name, view }: DealerTable): TemplateResult | typeof nothing {
  const places: [string, string[]][] = [
    ["community", view.community],
    ["dealer", view.dealer.cards],
    ...view.boxes.map(({ box, cards }): [string, string[]] => [String(box), cards]),
  ];
  const open = places.filter(([, cards]) => cards.some((code) => code !== "??")).map(([place]) => place);
  if (!open.length) return nothing;
  return html`<details class="panel"><summary>${t("Correct cards that were entered wrong")}</summary>
    <form @submit=${(event: SubmitEvent) => propose(name, event)}>
    <label>${t("Where")} <select name="place">${open.map(
      (place) => html`<option value=${place}>${placeName(place)}</option>`,
    )}</select></label>
    <label>${t("What really lies there")} <input name="cards" required autocomplete="off" autocapitalize="none"
      spellcheck="false"></label>
    <button class="button small">${t("Propose")}</button></form></details>`;
}

async function propose(table: string, event: SubmitEvent): Promise<void> {
  const { field } = readForm(event);
  const cards = { [field("place")]: parseCards(field("cards")).join(" ") };
  try {
    await requests.send("POST", `/api/tables/${encodeURIComponent(table)}/correct`, { cards });
    toast(t("Proposed. A second person in the pit must sign."));
  } catch (error) {
    refuse(error);
  }
}
