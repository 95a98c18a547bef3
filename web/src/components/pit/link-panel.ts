/** A link: one person closes and opens it, two change its meter and its growth. */

import { html, type TemplateResult } from "lit";

import { commandId } from "../../api/command-id";
import { AMOUNT, amount, onSubmit, post } from "../../lib/forms";
import { show } from "../../lib/money";
import { requests } from "../../lib/state/requests";
import { tables } from "../../lib/state/tables";
import { toast } from "../../lib/state/toasts";
import { noNames } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import type { ConfirmDialog } from "../confirm-dialog";
import { rateFields } from "./opening-forms";

const proposed = (): string => t("Proposed: another person signs.");

export function linkPanel(name: string, done: () => void): TemplateResult {
  const link = tables.links.get(name);
  const path = `/api/links/${encodeURIComponent(name)}`;
  const reopen = (): Promise<boolean> => post(`${path}/reopen`, { id: commandId() }, t("The link is open again."));
  const close = (): void =>
    document.querySelector<ConfirmDialog>("confirm-dialog")?.open({
      kind: "close-link",
      title: t("Close the link {name}?", { name }),
      text: t(
        "From now on no table of the link takes jackpot bets; bets that lie there still count. It can be opened again.",
      ),
      action: t("Close the link"),
      cancel: t("Cancel"),
      confirm: async () => {
        await requests.send("POST", `${path}/close`, { id: commandId() });
        toast(t("The link is closed."));
      },
    });
  return html`<section class="panel" aria-label=${t("Link {name}", { name })}><h2>${t("Link {name}: {meter}", {
    name,
    meter: link ? show(link.meter) : "…",
  })}</h2>
    <p>${link?.closed ? t("Closed: no jackpot bets are taken.") : t("Open.")}</p>
    <button type="button" class="button small ghost" @click=${link?.closed ? reopen : close}
      >${link?.closed ? t("Open the link again") : t("Close the link")}</button>
    ${
      link?.closed
        ? correctionForm(path, done)
        : html`<p class="quiet">${t("Its meter is corrected only while it is closed, by two people.")}</p>`
    }
    <details class="measures"><summary>${t("How it grows")}</summary>
      ${growthForm(path, link?.reset, done)}</details></section>`;
}

function correctionForm(path: string, done: () => void): TemplateResult {
  const correct = onSubmit((field) => {
    return post(`${path}/adjust`, { amount: field("amount"), cause: field("cause") }, proposed());
  }, done);
  return html`<form class="bets-form" @submit=${correct}><h3>${t("Correct the meter")}</h3>
    <label>${t("By how much")} <input name="amount" required pattern="-?[0-9]+[.][0-9]{2}" placeholder="-12.50"
      title=${t("An amount such as 12.50 or -12.50")}></label>
    <label>${t("Why")} <input name="cause" required maxlength="400" placeholder=${noNames()}></label>
    <button class="button small">${t("Propose the correction")}</button></form>`;
}

function growthForm(path: string, reset: string | undefined, done: () => void): TemplateResult {
  const change = onSubmit((field) => {
    const rates = { contribution: field("contribution"), reserve: field("reserve") || "0" };
    return post(`${path}/parameters`, { reset: amount(field("reset")), ...rates }, proposed());
  }, done);
  return html`<form class="bets-form" @submit=${change}>
    <label>${t("Resets to")} <input name="reset" required inputmode="decimal" pattern=${AMOUNT}
      placeholder=${reset ?? ""}></label>
    ${rateFields()}
    <button class="button small">${t("Propose the change")}</button></form>`;
}
