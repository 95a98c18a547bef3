/** What the rules ask of a player besides their decisions, and the ruling for which their round waits. */

import { html, nothing, type TemplateResult } from "lit";

import type { BoxView, Lawful } from "../../api/types";
import { show } from "../../lib/money";
import { ownStakes } from "../../lib/play/own-bets";
import { whenLate } from "../../lib/play/own-clock";
import { live, perform } from "../../lib/state/live";
import { postName, title } from "../../lib/text/labels";
import { rich, t } from "../../lib/text/language";
import { citations } from "../rules/citations";
import { served } from "../served";
import type { PlayerTable } from "./player-table";

export function pendingQuestion(table: PlayerTable): TemplateResult | typeof nothing {
  const { view } = table;
  const own = view.boxes.filter((box) => ownStakes(box).length);
  const options = view.awaiting.filter((answer) => own.some(({ box }) => box === answer.box));
  if (options.length) return optionsPanel(table, options);
  const ruling = view.awaiting.find((answer) => answer.by);
  if (ruling) return rulingPanel(table, ruling);
  // A hand that the clock has folded is not looked at any more.
  const hands = own.filter((box) => box.may_examine && view.choices.some((choice) => choice.box === box.box));
  if (hands.length > 1) return examinationPanel(table, hands);
  return nothing;
}

/** The options that the rules give this player after an irregularity. */
function optionsPanel({ name, view }: PlayerTable, options: Lawful[]): TemplateResult {
  const [first] = options;
  return html`<section class="panel ask" role="alert" tabindex="-1"><h2>${rich("{what}: the choice is yours", {
    what: served(first!.says),
  })}</h2>
    <p>${citations(view.edition, first!.rules)}</p>
    ${options.map(({ box, answer, money }) => {
      const effect = money[String(box)];
      const chips =
        effect?.effect === "returned"
          ? t("{returned} back", { returned: show(effect.returned) })
          : t("{in_play} stays in play", { in_play: show(effect?.in_play ?? "0") });
      return html`<button type="button" class="button" ?disabled=${!live.online}
        @click=${() => perform(name, { do: "choose", box, option: answer })}>
        ${t("Box {box}: {answer}", { box: box ?? 0, answer: title(answer) })}<small>${chips}</small></button>`;
    })}</section>`;
}

function rulingPanel({ view }: PlayerTable, { says, by, rules }: Lawful): TemplateResult {
  const post = postName(by!);
  const waits = view.clock
    ? t("The round waits for the {post} or above; if the clock runs out before a ruling, the hand is folded.", { post })
    : t("The round waits for the {post} or above.", { post });
  return html`<section class="panel ask" role="status"><h2>${served(says)}</h2>
    <p>${waits} ${citations(view.edition, rules)}</p></section>`;
}

/** The choice of the one hand that a player with several boxes may look at, from left to right as the boxes lie. */
function examinationPanel({ name, view }: PlayerTable, hands: BoxView[]): TemplateResult {
  return html`<section class="panel ask" role="alert" tabindex="-1"><h2>${t("Which hand will you look at?")}</h2>
    <p>${t("You may look at one hand. The others are played blind.")} <b class="late">${whenLate(view)}</b></p>
    <div class="row">${[...hands].reverse().map(
      ({ box }) => html`<button type="button" class="button" ?disabled=${!live.online}
        @click=${() => perform(name, { do: "examine", box })}>${t("Look at box {box}", { box })}</button>`,
    )}</div></section>`;
}
