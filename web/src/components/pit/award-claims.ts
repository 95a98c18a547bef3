/** Major awards: locked when their turn comes, paid when two people have verified them, or denied. */

import { html, nothing, type TemplateResult } from "lit";

import type { AwardCase } from "../../api/types";
import { readForm } from "../../lib/forms";
import { perform } from "../../lib/state/live";
import { session } from "../../lib/state/session";
import { noNames, postName, title } from "../../lib/text/labels";
import { awardText } from "../table/awards";
import { card } from "../table/cards";
import "../table/round-log";
import "../table/round-table";
import { list, t } from "../../lib/text/language";

export function awardClaims(awards: AwardCase[]): TemplateResult | typeof nothing {
  if (!awards.length) return nothing;
  return html`<section aria-label=${t("Jackpot claims")} class="queue">
    <h2>${t("Jackpot claims")} <span class="count alarm">${awards.length}</span></h2>
    ${awards.map(claimPanel)}</section>`;
}

function claimPanel(award: AwardCase): TemplateResult {
  const { hand, table, round, box, cards, signed, may } = award;
  return html`<article class="panel ask" data-claim=${table}>
    <h3>${t("{hand} at {table}, round {round}, box {box}", { hand: title(hand), table, round, box })}</h3>
    <p>${cards.map(card)}</p>
    <p data-test="award-state">${awardText(award)}
      ${signed.length ? t("Verified by {names}.", { names: list(signed) }) : ""}</p>
    <div class="beside"><round-table .table=${table} .round=${round}></round-table>
      <round-log .table=${table} .round=${round}></round-log></div>
    <div class="row">${verification(award)}
      ${may.includes("release") ? release(award) : nothing}
      ${may.includes("deny") ? denial(award) : whoDenies(award)}</div></article>`;
}

function verification({ table, award, signed, missing, may }: AwardCase): TemplateResult | typeof nothing {
  const hasSigned = missing > 0 && signed.includes(session.me?.name ?? "");
  if (!hasSigned && !may.includes("verify")) return nothing;
  return html`<button type="button" class="button small" ?disabled=${hasSigned}
    @click=${() => perform(table, { do: "verify_award", award })}
    >${hasSigned ? t("You have signed") : t("I have verified it")}</button>`;
}

function release({ table }: AwardCase): TemplateResult {
  return html`<button type="button" class="button small"
    @click=${() =>
      perform(table, { do: "rule", decision: "release_award" })}>${t("Do not wait: lock it now")}</button>`;
}

/** Who may say no, for a person of the pit who may not. */
function whoDenies({ denied_by }: AwardCase): TemplateResult | typeof nothing {
  if (!denied_by) return nothing;
  return html`<p class="quiet" data-test="who-denies">${t(
    "Not proved? Do not sign: the {post} may deny the claim here.",
    {
      post: postName(denied_by),
    },
  )}</p>`;
}

/** The form that denies a claim, with the reason in words. */
function denial({ table, award }: AwardCase): TemplateResult {
  const deny = (event: SubmitEvent): void => {
    const text = readForm(event).field("text").trim();
    if (text) void perform(table, { do: "deny_award", award, text });
  };
  return html`<details class="deny"><summary>${t("Deny the claim …")}</summary><form @submit=${deny}>
    <label>${t(
      "Why it does not prove right",
    )} <input name="text" required maxlength="400" placeholder=${noNames()}></label>
    <button type="submit" class="button small danger">${t("Deny it")}</button></form></details>`;
}
