import { html, nothing, type TemplateResult } from "lit";

import { session } from "../lib/state/session";
import { t } from "../lib/text/language";

/** The button that saves the dispute pack of a round; `path` is the address of the round. */
export function packLink(path: string): TemplateResult | typeof nothing {
  if (!session.may("handle_disputes")) return nothing;
  return html`<a class="button small ghost" href="${path}/dispute-pack" download>${t("Dispute pack")}</a>`;
}
