/** The sessions of one person, each with a button that ends it. */

import { html, nothing, type TemplateResult } from "lit";

import type { SessionView } from "../../api/types";
import { t } from "../../lib/text/language";
import { dateTime } from "../../lib/text/time";

function when(moment: string | null): string {
  return moment ? dateTime(moment) : t("not known");
}

/** Browsers and systems whose own name is not the one that people know. */
const KNOWN: Record<string, string> = {
  Edg: "Edge",
  OPR: "Opera",
  "Mac OS X": "macOS",
};
const PROGRAMS = ["python", "Python-urllib", "curl"];

/** The name of a browser, shortened to what people know. */
function browserName(agent: string): string {
  const name = /(Firefox|Edg|OPR|Chrome|Safari|curl|python|Python-urllib)/.exec(agent)?.[1] ?? "";
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(agent)?.[1] ?? "";
  const known = PROGRAMS.includes(name) ? t("A program") : (KNOWN[name] ?? name);
  const on = KNOWN[system] ?? system;
  if (known && on) return t("{browser} on {system}", { browser: known, system: on });
  return known || on || agent.slice(0, 40) || t("Browser not known");
}

export function sessionList(sessions: SessionView[], end: (session: SessionView) => void): TemplateResult {
  return html`<ul class="people sessions">${sessions.map((session) => {
    const browser = browserName(session.browser);
    const [opened, used] = [when(session.opened), when(session.used)];
    return html`<li data-session=${session.id}>
      <div class="grow"><b title=${session.browser}>${browser}</b>
        ${session.this ? html`<span class="tag">${t("This one")}</span>` : nothing}
        ${session.locked ? html`<span class="tag">${t("Locked")}</span>` : nothing}
        <div><small class="quiet">${
          session.address
            ? t("Opened {opened}, last used {used}, from {address}", { opened, used, address: session.address })
            : t("Opened {opened}, last used {used}", { opened, used })
        }</small></div></div>
      <button type="button" class="button small ghost" @click=${() => end(session)}
        >${t("Sign out")}<span class="sr"> ${t("{browser}, opened {opened}", {
          browser,
          opened,
        })}</span></button></li>`;
  })}</ul>`;
}
