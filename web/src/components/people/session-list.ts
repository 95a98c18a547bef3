/** The sessions of one person, each with a button that ends it. */

import { html, nothing, type TemplateResult } from "lit";

import type { SessionView } from "../../api/types";

function when(moment: string | null): string {
  return moment ? new Date(moment).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "not known";
}

/** Browsers and systems whose own name is not the one that people know. */
const KNOWN: Record<string, string> = {
  Edg: "Edge",
  OPR: "Opera",
  "Mac OS X": "macOS",
  python: "A program",
  "Python-urllib": "A program",
  curl: "A program",
};

/** The name of a browser, shortened to what people know. */
function browserName(agent: string): string {
  const name = /(Firefox|Edg|OPR|Chrome|Safari|curl|python|Python-urllib)/.exec(agent)?.[1] ?? "";
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(agent)?.[1] ?? "";
  const parts = [name, system].filter(Boolean).map((part) => KNOWN[part] ?? part);
  return parts.join(" on ") || agent.slice(0, 40) || "Browser not known";
}

export function sessionList(sessions: SessionView[], end: (session: SessionView) => void): TemplateResult {
  return html`<ul class="people sessions">${sessions.map((session) => {
    const browser = browserName(session.browser);
    const opened = when(session.opened);
    const address = session.address ? `, from ${session.address}` : "";
    return html`<li data-session=${session.id}>
      <div class="grow"><b title=${session.browser}>${browser}</b>
        ${session.this ? html`<span class="tag">This one</span>` : nothing}
        ${session.locked ? html`<span class="tag">Locked</span>` : nothing}
        <div><small class="quiet">Opened ${opened}, last used ${when(session.used)}${address}</small></div></div>
      <button type="button" class="button small ghost" @click=${() => end(session)}
        >Sign out<span class="sr"> ${browser}, opened ${opened}</span></button></li>`;
  })}</ul>`;
}
