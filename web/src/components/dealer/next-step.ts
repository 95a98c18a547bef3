/** The next step of the round: the words to say, and the button that takes it. */

import { html, nothing, type TemplateResult } from "lit";

import type { Lawful } from "../../api/types";
import { postName, title } from "../../lib/text/labels";
import { list, t } from "../../lib/text/language";
import { isAboutCards, statedFacts } from "../pit/felt-facts";
import { citations } from "../rules/citations";
import { served } from "../served";
import { boxMoney } from "../table/box-money";
import type { CardOrder } from "../table/card-order";
import type { CardEntry } from "./cards/entry";
import { chipNotes } from "./chip-notes";
import type { DealerTable } from "./dealer-table";
import type { DecisionList } from "./decision-list";
import type { OptionList } from "./option-list";

export function nextStep(
  table: DealerTable,
  cards: CardEntry,
  decisions: DecisionList,
  options: OptionList,
  order: CardOrder,
): TemplateResult {
  const { view, procedure } = table;
  if (view.awaiting.length) return awaited(table, options, order);
  if (view.stage === "betting")
    return words(
      t("Bets are open"),
      stepButton(table, t("“No more bets.”"), () => table.perform({ do: "close_bets" })),
    );
  if (view.stage !== "playing") return betweenRounds(table);
  if (procedure?.round !== view.round) return html`<p>…</p>`;
  const { said } = table;
  const at = procedure.deals[said] ?? procedure.at;
  const step = at === null ? undefined : procedure.steps[at];
  // Chips that lie wrong are spoken of while boxes decide; at the settlement an act gives them back.
  const cited = html`<p>${step ? citations(view.edition, step.rules) : nothing}</p>${
    procedure.decision ? chipNotes(table) : nothing
  }`;
  const says = served(step?.says ?? "");
  if (procedure.deal) {
    // Steps of dealing are one command: it is sent when the cards of the last one lie on the felt.
    const left = procedure.deals.length - said;
    const done = (): unknown => (left > 1 ? table.say(said + 1) : table.perform({ do: "deal" }));
    return words(says, html`${cited}${stepButton(table, t("Done"), done, left)}`);
  }
  const work = Object.keys(procedure.turn).length
    ? cards.render(table, procedure.turn)
    : procedure.decision
      ? decisions.render(table, procedure.decision)
      : nothing;
  return html`${words(says, cited)}
    ${work === nothing ? nothing : html`<div class="work">${work}</div>`}`;
}

/** The words to say, and what stands under them. */
function words(says: unknown, more: TemplateResult | typeof nothing = nothing): TemplateResult {
  return html`<div class="words" aria-live="polite"><p class="say">${says}</p>${more}</div>`;
}

/** The next round is opened where the last one is settled; until then the acts stand beside. */
function betweenRounds(table: DealerTable): TemplateResult {
  const { stage, settling, may } = table.view;
  const end = stage === "idle" ? nothing : html`<p>${endText(stage)}</p>`;
  if (settling && !may?.includes("open"))
    return words(settling.mispay ? t("Stop: a bet is mispaid") : t("Pay and take"), end);
  return words(t("“Place your bets, please.”"), stepButton(table, t("Open bets"), table.openBets));
}

function endText(stage: string): string {
  if (stage === "void") return t("The round is void: give every bet back.");
  return t("Confirm each act, then open the next round.");
}

/** `left` counts the steps of dealing until the cards are on record. */
function stepButton({ isHeld }: DealerTable, text: string, act: () => unknown, left = 0): TemplateResult {
  return html`<button type="button" class="button" data-action data-once data-left=${left} ?disabled=${isHeld}
    @click=${act}>${text}</button>`;
}

/** What the round waits for: the choices of boxes, or a ruling. */
function awaited(table: DealerTable, options: OptionList, order: CardOrder): TemplateResult {
  const { view } = table;
  const [first] = view.awaiting;
  const { by, says, named, rules } = first!;
  const chosen = view.awaiting.filter((answer) => answer.by === null);
  const boxes = list(named.map((box) => t("Box {box}", { box })));
  const asked = html`<p class="asked"><b>${served(says)}${boxes ? `: ${boxes}` : ""}.</b>
    ${by ? t("Decided by the {by} or above.", { by: postName(by) }) : nothing} ${citations(view.edition, rules)}</p>`;
  return html`${words(t("The round waits"), asked)}<div class="work">${
    isAboutCards(first!) ? html`<felt-facts .view=${view} .incident=${first!.incident}></felt-facts>` : nothing
  }${chosen.length ? options.render(table, chosen) : rulings(table, order)}</div>`;
}

/** Rulings that are lawful now; a dealer who may not rule reads whom to call. */
function rulings(table: DealerTable, order: CardOrder): TemplateResult | TemplateResult[] {
  const { awaiting } = table.view;
  const post = awaiting.find(({ by }) => by)?.by;
  if (post && !awaiting.some(({ may }) => may))
    return html`<p class="note">${t("You may not answer this yourself: call the {post}.", { post: postName(post) })}
      <b>${list(awaiting.map(({ answer }) => title(answer)))}</b></p>`;
  return awaiting.map((answer) => ruling(table, answer, order));
}

function ruling({ view, isHeld, perform }: DealerTable, lawful: Lawful, order: CardOrder): TemplateResult {
  const { answer, may, money } = lawful;
  const isOrder = answer === "card_order";
  const send = (): Promise<boolean> => {
    const felt = isAboutCards(lawful) ? statedFacts.get(view.table) : undefined;
    const text = isOrder ? order.text(view) : "";
    return perform({ do: "rule", decision: answer, ...(text ? { text } : {}), ...(felt ? { felt } : {}) });
  };
  return html`<article class="answer"><h3>${title(answer)}</h3>${boxMoney(money)}
    ${may && isOrder ? order.render(view) : nothing}
    <button type="button" class="button small" ?disabled=${isHeld || !may} @click=${send}>${t("Rule this")}</button>
  </article>`;
}
