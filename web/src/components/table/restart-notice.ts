import { html, nothing, type TemplateResult } from "lit";

import type { LiveView } from "../../lib/play/table-view";
import { t } from "../../lib/text/language";
import { hour } from "../../lib/text/time";

/** Says that the server began again in this round: whether that interrupted play is for people to report. */
export function restartNotice({ phase: { restarted } }: LiveView): TemplateResult | typeof nothing {
  if (!restarted) return nothing;
  const says = t("The house was started again at {time}, in this round. If that interrupted play, report it.", {
    time: hour(restarted),
  });
  return html`<p class="notice" role="status" data-test="restarted">${says}</p>`;
}
