/** Chips that the settlement will not take as they lie: what of them goes back, and why. */

import { html, nothing, type TemplateResult } from "lit";

import type { ChipNote } from "../../api/types";
import { cents, show } from "../../lib/money";
import { title } from "../../lib/text/labels";
import { list, t } from "../../lib/text/language";
import { citations } from "../rules/citations";
import { served } from "../served";
import type { DealerTable } from "./dealer-table";

const total = (notes: readonly ChipNote[]): number => notes.reduce((sum, { back }) => sum + cents(back), 0);

/** One line for each box and reason. */
export function chipNotes({ procedure, view }: DealerTable): TemplateResult | typeof nothing {
  const notes = procedure?.round === view.round ? procedure.chip_notes : [];
  if (!notes.length) return nothing;
  const key = ({ box, says }: ChipNote): string => `${box} ${says}`;
  const groups = [...new Set(notes.map(key))].map((each) => notes.filter((note) => key(note) === each));
  return html`<ul class="chip-notes" data-test="chip-notes">${groups.map((group) => {
    const { box, says, rules } = group[0]!;
    const bet = list([...new Set(group.map((note) => title(note.bet)))]);
    const back = total(group);
    return html`<li><b>${t("Box {box}, {bet}", { box, bet })}${
      back ? `: ${t("at the settlement {amount} goes back, not now", { amount: show(back) })}` : ""
    }.</b> ${served(says)} ${citations(view.edition, rules)}</li>`;
  })}</ul>`;
}
