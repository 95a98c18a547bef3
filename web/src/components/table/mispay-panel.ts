/** A mispay that stops a table: who has too much or too little, what puts it right, and who may let it stand. */

import { html, type TemplateResult } from "lit";

import type { MispayView, ResolutionView } from "../../api/types";
import { readForm } from "../../lib/forms";
import { cents, chipCount } from "../../lib/money";
import type { LiveView } from "../../lib/play/table-view";
import { perform } from "../../lib/state/live";
import { noNames, postName, title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { citations } from "../rules/citations";
import { served } from "../served";

export function mispayPanel({ table, edition }: LiveView, mispay: MispayView): TemplateResult {
  return html`<article class="mispay" role="alert" data-mispay=${table}>
    <h3>${t("Stop: box {box}, {bet}", { box: mispay.box, bet: title(mispay.bet) })}</h3>
    <p class="say">${served(mispay.says)}</p>
    <p class="quiet">${t("In chips: {chips}.", { chips: chipCount(Math.abs(cents(mispay.over))) })}</p>
    <p>${citations(edition, mispay.rules)} <span class="quiet">${t("Entered by {who}.", { who: mispay.who })}</span></p>
    ${mispay.resolutions.map((way) => resolution(table, edition, way))}
    <p class="quiet">${t(
      "After the next round has begun it stands.",
    )} ${citations(edition, mispay.late_rules)}</p></article>`;
}

function resolution(table: string, edition: string, way: ResolutionView): TemplateResult {
  const resolve = async (event: SubmitEvent): Promise<void> => {
    const { form, field } = readForm(event);
    const button = form.querySelector("button")!;
    button.disabled = true;
    const text = field("text").trim();
    await perform(table, { do: "resolve_mispay", put_right: way.put_right, ...(text ? { text } : {}) });
    button.disabled = false;
  };
  const reason = html`<label>${t("Why, for the record")} <input name="text" required maxlength="300" autocomplete="off"
    placeholder=${noNames()}></label>`;
  return html`<section class="answer"><p>${served(way.says)} ${citations(edition, way.rules)}</p>${
    way.may
      ? html`<form class="bets-form" @submit=${resolve}>${way.put_right ? "" : reason}
          <button class="button small ${way.put_right ? "" : "ghost"}" ?data-focus=${way.put_right}
            >${way.put_right ? t("It is put right") : t("Let it stand")}</button></form>`
      : html`<p class="note">${t("This takes the {by} or above.", { by: postName(way.by) })}</p>`
  }</section>`;
}
