/** A person in the list of people who may log in: post, sessions, assignment, and what the administrator may do. */

import { html, nothing, type TemplateResult } from "lit";

import type { KnownPerson } from "../../api/types";
import { lobby } from "../../lib/state/lobby";
import { session } from "../../lib/state/session";
import { POSTS, title } from "../../lib/text/labels";

/** What the buttons of a line do. */
export interface PersonActions {
  manage: (name: string) => void;
  signOut: (name: string) => void;
  remove: (name: string) => void;
  assign: (event: SubmitEvent, name: string) => void;
}

export function personLine(person: KnownPerson, actions: PersonActions): TemplateResult {
  const { name, id, post } = person;
  const isOwn = name === session.me?.name;
  const button = (act: (name: string) => void, text: string, details: string): TemplateResult =>
    html`<button type="button" class="button small ghost" @click=${() => act(name)}
      >${text}<span class="sr"> ${details}</span></button>`;
  return html`<li data-person=${name}>
    <div class="grow"><b>${name}</b> ${isOwn ? html`<small class="quiet">you</small>` : nothing}
      <div><small class="quiet">${title(POSTS[post] ?? post)}${id === name ? nothing : ` · ${id}`}</small>
        ${tags(person).map((tag) => html`<span class="tag">${tag}</span> `)}</div>
      ${person.assignable ? assignment(person, actions) : nothing}</div>
    <div class="row">${button(actions.manage, "Account", `of ${name}`)}
      ${person.sessions ? button(actions.signOut, "Sign out", `${name} everywhere`) : nothing}
      ${person.may.includes("remove") ? button(actions.remove, "Remove", name) : nothing}</div></li>`;
}

function tags({ sessions, second_factor, break_glass, alarm }: KnownPerson): string[] {
  return [
    sessions > 1 ? `Signed in ${sessions} times` : sessions ? "Signed in" : "",
    second_factor ? "Second factor" : "",
    break_glass ? `Break-glass${alarm ? ", used" : ""}` : "",
  ].filter(Boolean);
}

/** Where a person of the staff works. */
function assignment({ name, pits, tables }: KnownPerson, { assign }: PersonActions): TemplateResult {
  const known = [...new Set(lobby.tables.map((table) => table.pit))].sort();
  const places = [...pits.map((pit) => `in pit ${pit}`), ...tables.map((table) => `at table ${table}`)];
  const box = (kind: "pit" | "table", value: string, isOn: boolean): TemplateResult =>
    html`<label class="pill"><input type="checkbox" name=${kind} value=${value} .checked=${isOn}
      ><span>${value}</span></label>`;
  return html`<details class="measures">
    <summary>Works ${places.join(" and ") || "everywhere"}<span class="sr">: ${name}</span></summary>
    <form @submit=${(event: SubmitEvent) => assign(event, name)}>
      <fieldset><legend>Pits</legend>
        <div class="row">${known.map((pit) => box("pit", pit, pits.includes(pit)))}</div></fieldset>
      <fieldset><legend>Tables</legend>
        <div class="row">${lobby.tables.map(({ table }) => box("table", table, tables.includes(table)))}</div>
      </fieldset>
      <p class="quiet">With neither, everywhere.</p>
      <button class="button small">Assign<span class="sr"> ${name}</span></button></form></details>`;
}
