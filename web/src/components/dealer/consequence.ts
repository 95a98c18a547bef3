/** What follows from a report, before it is confirmed. */

import { html, type TemplateResult } from "lit";

import type { Lawful, Preview, Refusal } from "../../api/types";
import { label, postName, title } from "../../lib/text/labels";
import { either, t } from "../../lib/text/language";
import { citations } from "../rules/citations";
import { served } from "../served";
import { boxMoney, optionEffect } from "../table/box-money";

export function consequence(game: string, preview: Preview | Refusal | null): TemplateResult {
  if (!preview) return html`<p>${t("Loading what follows …")}</p>`;
  if (!preview.accepted)
    return html`<p class="wrong" role="status">${served(preview.message)} ${citations(game, preview.rules ?? [])}</p>`;
  const { awaiting, money, rules } = preview;
  const answers = awaiting.map(
    (answer) => html`<h4>${answerTitle(answer)}</h4>
      ${answer.by ? boxMoney(answer.money) : html`<p>${optionEffect(answer.money[String(answer.box)])}</p>`}`,
  );
  return html`<section class="consequence" aria-live="polite" data-test="consequence"><h3>${t("What follows")}</h3>
    <p><b>${summary(preview)}</b> ${citations(game, rules)}</p>
    ${awaiting.length ? answers : boxMoney(money)}</section>`;
}

/** An answer, and the box that it is about. */
export function answerTitle({ answer, box }: Pick<Lawful, "answer" | "box">): string {
  return box ? t("{answer}, box {box}", { answer: title(answer), box }) : title(answer);
}

function summary({ stage, redealt, awaiting }: Preview): string {
  if (stage === "void") return t("The round is void: every bet goes back.");
  if (redealt) return t("Everything is dealt again.");
  const [first] = awaiting;
  if (!first) return t("The round goes on.");
  const answers = either([...new Set(awaiting.map(({ answer }) => label(answer)))]);
  return first.by
    ? t("The round waits for the {by} or above: {answers}.", { by: postName(first.by), answers })
    : t("Players choose: {answers}.", { answers });
}
