/** The felt at one step of a round, with the sentence of the step. */

import { html, nothing, type TemplateResult } from "lit";

import type { BoxView, PlayedRound, TableView } from "../../api/types";
import { lobby } from "../../lib/state/lobby";
import { payTablesOf } from "../../lib/state/pay-tables";
import { session } from "../../lib/state/session";
import { eventText } from "../../lib/text/event-text";
import { dateTime } from "../../lib/text/time";
import "../felt/felt-table";
import { t } from "../../lib/text/language";
import { citations, rulesOf } from "../rules/citations";
import { staffTable } from "../table/staff-table";

/** Whose a box is: its players, or nothing where it is free. */
const owner = (view: TableView, { box, stakes }: BoxView): string =>
  [...new Set([...stakes, ...view.lines.filter((line) => line.box === box)].map(({ player }) => player))]
    .map((player) => (player === session.me?.name ? t("you") : player))
    .join(", ");

/** A player's own boxes are drawn large on a small felt. `under` stands between the felt and the sentence. */
export function roundBoard(
  record: PlayedRound,
  index: number,
  view: TableView | undefined,
  under: TemplateResult,
): TemplateResult {
  const step = record.steps[index];
  const terms = lobby.terms.get(record.table);
  if (!step || !view) return html`<section class="board-of"></section>`;
  const player = session.may("play") ? session.me!.name! : "";
  const own = new Set(record.lines.filter((line) => line.player === player).map(({ box }) => box));
  const controls = { owner: (box: BoxView) => owner(view, box), player, boxes: [...own].sort((a, b) => b - a) };
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
