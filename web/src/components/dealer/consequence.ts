/** What follows from a report, before it is confirmed. */

import { html, type TemplateResult } from "lit";

import type { Preview, Refusal } from "../../api/types";
import { label, POSTS, title } from "../../lib/text/labels";
import { citations } from "../rules/citations";
import { boxMoney } from "../table/box-money";

export function consequence(game: string, preview: Preview | Refusal | null): TemplateResult {
  if (!preview) return html`<p>Loading what follows …</p>`;
  if (!preview.accepted)
    return html`<p class="wrong" role="status">${preview.message} ${citations(game, preview.rules ?? [])}</p>`;
  const { awaiting, money, rules } = preview;
  const answers = awaiting.map(
    (answer) => html`<h4>${title(answer.answer)}${answer.box ? `, box ${answer.box}` : ""}</h4>
      ${boxMoney(answer.money)}`,
  );
  return html`<section class="consequence" aria-live="polite" data-test="consequence"><h3>What follows</h3>
    <p><b>${summary(preview)}</b> ${citations(game, rules)}</p>
    ${awaiting.length ? answers : boxMoney(money)}</section>`;
}

function summary({ stage, redealt, awaiting }: Preview): string {
  if (stage === "void") return "The round is void: every bet goes back.";
  if (redealt) return "Everything is dealt again.";
  const [first] = awaiting;
  if (!first) return "The round goes on.";
  const answers = [...new Set(awaiting.map(({ answer }) => label(answer)))].join(" or ");
  return first.by ? `The round waits for the ${POSTS[first.by]} or above: ${answers}.` : `Players choose: ${answers}.`;
}
