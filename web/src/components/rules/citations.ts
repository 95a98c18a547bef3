/** The paragraphs of a result as buttons; a tap opens the rule in plain words. */

import { html, nothing, type TemplateResult } from "lit";

import type { StepEvent } from "../../api/types";
import { citation } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import type { RuleDialog } from "./rule-dialog";

export function citations(game: string, rules: readonly string[]): TemplateResult {
  const cited = [...new Set(rules)];
  // Several readings have one name: they are numbered.
  const readings = cited.filter((rule) => /^[a-z]/.test(rule));
  return html`<span class="rules">${cited.map(
    (rule) =>
      html`<button type="button" class="rule" @click=${() => openRule(game, rule)}>${citationText(rule)}${
        readings.length > 1 && readings.includes(rule) ? ` (${readings.indexOf(rule) + 1})` : nothing
      }</button>`,
  )}</span>`;
}

/** The citation with its sign for the eye, and the word "paragraph" for a screen reader. */
function citationText(rule: string): TemplateResult {
  const [before, sign, after] = citation(rule).split(/(¶ ?)/);
  if (!sign) return html`${before}`;
  return html`<span lang="en">${before}</span><span aria-hidden="true">${sign}</span><span class="sr">${t(
    "paragraph",
  )} </span>${after}`;
}

/** The paragraphs that an event cites. */
export function rulesOf(event: StepEvent): string[] {
  return "rules" in event ? (event.rules ?? []) : [];
}

export function openRule(game: string, rule: string): void {
  document.querySelector<RuleDialog>("rule-dialog")?.open(game, rule);
}
