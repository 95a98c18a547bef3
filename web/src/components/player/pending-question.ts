/** What the rules ask of a player besides their decisions, and the ruling for which their round waits. */

import { html, nothing, type TemplateResult } from "lit";

import type { BoxView, Lawful } from "../../api/types";
import { show } from "../../lib/money";
import { ownStakes } from "../../lib/play/own-bets";
import { live, perform } from "../../lib/state/live";
import { POSTS, title } from "../../lib/text/labels";
import { citations } from "../rules/citations";
import type { PlayerTable } from "./player-table";

export function pendingQuestion(table: PlayerTable): TemplateResult | typeof nothing {
  const { view } = table;
  const own = view.boxes.filter((box) => ownStakes(box).length);
  const options = view.awaiting.filter((answer) => own.some(({ box }) => box === answer.box));
  if (options.length) return optionsPanel(table, options);
  const ruling = view.awaiting.find((answer) => answer.by);
  if (ruling) return rulingPanel(table, ruling);
  const hands = own.filter((box) => box.may_examine);
  if (hands.length > 1) return examinationPanel(table, hands);
  return nothing;
}

/** The options that the rules give this player after an irregularity. */
function optionsPanel({ name, view }: PlayerTable, options: Lawful[]): TemplateResult {
  const [first] = options;
  return html`<section class="panel ask" role="alert" tabindex="-1"><h2>${first!.says}: the choice is yours</h2>
    <p>${citations(view.edition, first!.rules)}</p>
    ${options.map(({ box, answer, money }) => {
      const effect = money[String(box)];
      const chips =
        effect?.effect === "returned"
          ? `${show(effect.returned)} back`
          : `${show(effect?.in_play ?? "0")} stays in play`;
      return html`<button type="button" class="button" ?disabled=${!live.online}
        @click=${() => perform(name, { do: "choose", box, option: answer })}>
        Box ${box}: ${title(answer)}<small>${chips}</small></button>`;
    })}</section>`;
}

function rulingPanel({ view }: PlayerTable, { says, by, rules }: Lawful): TemplateResult {
  const timeout = view.clock ? "; if the clock runs out before a ruling, the hand is folded" : "";
  return html`<section class="panel ask" role="status"><h2>${says}</h2>
    <p>The round waits for the ${POSTS[by!] ?? by} or above${timeout}. ${citations(view.edition, rules)}</p></section>`;
}

/** The choice of the one hand that a player with several boxes may look at. */
function examinationPanel({ name }: PlayerTable, hands: BoxView[]): TemplateResult {
  return html`<section class="panel ask" role="alert" tabindex="-1"><h2>Which hand will you look at?</h2>
    <p>You may look at one hand. The others are played blind.</p>
    <div class="row">${hands.map(
      ({ box }) => html`<button type="button" class="button" ?disabled=${!live.online}
        @click=${() => perform(name, { do: "examine", box })}>Look at box ${box}</button>`,
    )}</div></section>`;
}
