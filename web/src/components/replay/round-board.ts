/** The felt at one step of a round, with the sentence of the step. */

import { html, nothing, type TemplateResult } from "lit";

import type { BoxView, PlayedRound, TableView } from "../../api/types";
import { lobby } from "../../lib/state/lobby";
import { payTablesOf } from "../../lib/state/pay-tables";
import { eventText } from "../../lib/text/event-text";
import { dateTime } from "../../lib/text/time";
import "../felt/felt-table";
import { t } from "../../lib/text/language";
import { citations, rulesOf } from "../rules/citations";
import { staffTable } from "../table/staff-table";

/** Whose a box is: its players, or nothing where it is free. */
const owner = (view: TableView, { box, stakes }: BoxView): string =>
  [...new Set([...stakes, ...view.lines.filter((line) => line.box === box)].map(({ player }) => player))].join(", ");

/** `under` stands between the felt and the sentence: the controls of the replay. */
export function roundBoard(
  record: PlayedRound,
  index: number,
  view: TableView | undefined,
  under: TemplateResult,
): TemplateResult {
  const step = record.steps[index];
  const terms = lobby.terms.get(record.table);
  if (!step || !view) return html`<section class="board-of"></section>`;
  const controls = { owner: (box: BoxView) => owner(view, box) };
  return html`<section class="board-of" aria-label=${t("The table at this step")}>
    ${
      terms
        ? html`<felt-table class="replayed" .terms=${terms} .view=${view} .print=${payTablesOf(record.table)}
            .controls=${controls}></felt-table>`
        : nothing
    }
    ${under}
    <p class="say" aria-live="polite" data-test="told">${eventText(step.event, record.table)}</p>
    <p class="quiet">${t("{at} · event {seq}", {
      at: dateTime(step.at),
      seq: step.seq,
    })} ${citations(record.edition, rulesOf(step.event))}</p>
    <details class="as-list"><summary>${t("The boxes as a list")}</summary>
      <div class="felt-panel lying">${staffTable(view)}</div></details></section>`;
}
