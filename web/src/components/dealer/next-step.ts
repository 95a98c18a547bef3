/** The next step of the round: the words to say, and the button that takes it. */

import { html, nothing, type TemplateResult } from "lit";

import type { Lawful } from "../../api/types";
import { label, postName } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { isAboutCards, statedFacts } from "../pit/felt-facts";
import { citations } from "../rules/citations";
import { served } from "../served";
import { boxMoney, ofBox } from "../table/box-money";
import type { CardOrder } from "../table/card-order";
import type { CardEntry } from "./card-entry";
import type { DealerTable } from "./dealer-table";
import type { DecisionList } from "./decision-list";

export function nextStep(
  table: DealerTable,
  cards: CardEntry,
  decisions: DecisionList,
  order: CardOrder,
): TemplateResult {
  const { view, procedure } = table;
  if (view.awaiting.length)
    return html`<p class="say">${t("The round waits")}</p>
      ${
        isAboutCards(view.awaiting[0]!)
          ? html`<felt-facts .view=${view} .incident=${view.awaiting[0]!.incident}></felt-facts>`
          : nothing
      }
      ${view.awaiting.map((answer) => awaitedAnswer(table, answer, order))}`;
  if (view.stage === "betting") return announcement(table, t("“No more bets.”"), "close_bets", t("No more bets"));
  if (view.stage !== "playing")
    return html`${view.stage === "idle" ? nothing : html`<p>${endText(view.stage)}</p>`}
      ${
        view.settling && !view.may?.includes("open")
          ? html`<p class="say">${view.settling.mispay ? t("Stop: a bet is mispaid") : t("Confirm each act below")}</p>`
          : announcement(table, t("“Place your bets, please.”"), "open", t("Open bets"))
      }`;
  if (procedure?.round !== view.round) return html`<p>…</p>`;
  const step = procedure.at === null ? undefined : procedure.steps[procedure.at];
  const cited = step ? citations(view.edition, step.rules) : nothing;
  const words = html`<p class="say">${served(step?.says ?? "")}</p><p>${cited}</p>`;
  if (procedure.deal) return html`${words}${stepButton(table, "deal", t("Done: cards are dealt"))}`;
  if (Object.keys(procedure.turn).length) return html`${words}${cards.render(table, procedure.turn)}`;
  if (procedure.decision) return html`${words}${decisions.render(table, procedure.decision)}`;
  return words;
}

function endText(stage: string): string {
  if (stage === "void") return t("The round is void: give every bet back.");
  return t("Pay and take, box by box, then open the next round.");
}

function announcement(table: DealerTable, says: string, step: string, text: string): TemplateResult {
  return html`<p class="say">${says}</p>${stepButton(table, step, text)}`;
}

function stepButton({ isHeld, perform }: DealerTable, step: string, text: string): TemplateResult {
  return html`<button type="button" class="button" ?disabled=${isHeld}
    @click=${() => perform({ do: step })}>${text}</button>`;
}

/** An answer that the round waits for: a ruling, or the choice of a player. */
function awaitedAnswer({ view, isHeld, perform }: DealerTable, answer: Lawful, order: CardOrder): TemplateResult {
  const { by, may, box, says, rules, money } = answer;
  const isOrder = by !== null && answer.answer === "card_order";
  const send = (): Promise<boolean> => {
    if (by === null) return perform({ do: "choose", box, option: answer.answer });
    const text = isOrder ? order.text(view) : "";
    const felt = isAboutCards(answer) ? statedFacts.get(view.table) : undefined;
    return perform({ do: "rule", decision: answer.answer, ...(text ? { text } : {}), ...(felt ? { felt } : {}) });
  };
  return html`<article class="answer"><h3>${served(says)}: ${
    box ? t("{answer} for box {box}", { answer: label(answer.answer), box }) : label(answer.answer)
  }</h3>
    <p>${
      by ? t("Decided by the {by} or above.", { by: postName(by) }) : t("Box {box} chooses.", { box: box ?? 0 })
    } ${citations(view.edition, rules)}</p>
    ${boxMoney(ofBox(money, by === null ? box : null))} ${may && isOrder ? order.render(view) : nothing}
    ${
      may
        ? html`<button type="button" class="button small" ?disabled=${isHeld}
            @click=${send}>${by === null ? t("This is chosen") : t("Rule this")}</button>`
        : html`<p class="note">${
            by
              ? t("You may not answer this yourself: call the {post}.", { post: postName(by) })
              : t("You may not answer this yourself.")
          }</p>`
    }
  </article>`;
}
