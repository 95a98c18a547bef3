/** What became of every bet, with its reason and its paragraphs. */

import { html, nothing, type TemplateResult } from "lit";

import type { LetStandView, Line } from "../../api/types";
import { cents, show, signed } from "../../lib/money";
import { net } from "../../lib/play/results";
import { label } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { citations } from "../rules/citations";
import { served } from "../served";
import { term } from "../term";

/** A mispay that stands: what was due and what was done, who let it stand, and why. */
function letStand({ move, due, did, amount, who, text }: LetStandView): TemplateResult {
  const asDue = { due: show(move === "pay" || move === "take" ? due : "0.00") };
  const asDone = { amount: show(amount) };
  const owed = move === "take" ? t("{due} to be taken", asDue) : t("{due} due", asDue);
  const done = did === "pay" ? t("{amount} paid", asDone) : t("{amount} taken", asDone);
  const says = t("{owed}, {done}; let stand by {who}: {reason}", { owed, done, who, reason: text });
  return html`<p class="because" data-test="let-stand">${says}</p>`;
}

function outcomeText({ outcome, won, staked, returned, let_stand }: Line): string {
  if (let_stand?.length) return t("mispaid");
  if (outcome === "win") return t("wins {amount}", { amount: show(won) });
  if (outcome === "lose") return t("loses {amount}", { amount: show(cents(staked) - cents(returned)) });
  return t("{outcome}, {amount} back", { outcome: label(outcome), amount: show(returned) });
}

/** The settled bets; `several` where they lie in more than one box. With `folded`, one "Why?" opens every reason. */
export function resultList(game: string, lines: readonly Line[], several: boolean, folded = false): TemplateResult {
  return html`${
    folded ? html`<details class="why"><summary>${t("Why?")}</summary></details>` : nothing
  }<ul class="results">${lines.map(
    (line) => html`<li class=${line.outcome}>
      <p><span class="says"><b>${
        several ? `${t("Box {box}", { box: line.box })} · ` : ""
      }${term(line.bet)}</b> ${outcomeText(line)}</span>
        <span class="net">${signed(net(line))}</span></p>
      ${(line.let_stand ?? []).map(letStand)}
      <p class="because">${served(line.because)} ${citations(game, line.rules)}</p>
    </li>`,
  )}</ul>`;
}
