/** A person in the list of people who may log in: post, sessions, assignment, and what the administrator may do. */

import { html, nothing, type TemplateResult } from "lit";

import type { KnownPerson } from "../../api/types";
import { lobby } from "../../lib/state/lobby";
import { session } from "../../lib/state/session";
import { postName, title } from "../../lib/text/labels";
import { list, t } from "../../lib/text/language";

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
    <div class="grow"><b>${name}</b> ${isOwn ? html`<small class="quiet">${t("you")}</small>` : nothing}
      <div><small class="quiet">${title(postName(post))}${id === name ? nothing : ` · ${id}`}</small>
        ${tags(person).map((tag) => html`<span class="tag">${tag}</span> `)}</div>
      ${person.assignable ? assignment(person, actions) : nothing}</div>
    <div class="row">${button(actions.manage, t("Account"), t("of {name}", { name }))}
      ${person.sessions ? button(actions.signOut, t("Sign out"), t("{name} everywhere", { name })) : nothing}
      ${person.may.includes("remove") ? button(actions.remove, t("Remove"), name) : nothing}</div></li>`;
}

function tags({ sessions, second_factor, break_glass, alarm }: KnownPerson): string[] {
  return [
    sessions > 1 ? t("Signed in {sessions} times", { sessions }) : sessions ? t("Signed in") : "",
    second_factor ? t("Second factor") : "",
    break_glass ? (alarm ? t("Break-glass, used") : t("Break-glass")) : "",
  ].filter(Boolean);
}

/** Where a person of the staff works. */
function assignment({ name, pits, tables }: KnownPerson, { assign }: PersonActions): TemplateResult {
  const known = [...new Set(lobby.tables.map((table) => table.pit))].sort();
  const places = [
    ...pits.map((pit) => t("in pit {pit}", { pit })),
    ...tables.map((table) => t("at table {table}", { table })),
  ];
  const box = (kind: "pit" | "table", value: string, isOn: boolean): TemplateResult =>
    html`<label class="pill"><input type="checkbox" name=${kind} value=${value} .checked=${isOn}
      ><span>${value}</span></label>`;
  return html`<details class="measures">
    <summary>${
      places.length ? t("Works {places}", { places: list(places) }) : t("Works everywhere")
    }<span class="sr">: ${name}</span></summary>
    <form @submit=${(event: SubmitEvent) => assign(event, name)}>
      <fieldset><legend>${t("Pits")}</legend>
        <div class="row">${known.map((pit) => box("pit", pit, pits.includes(pit)))}</div></fieldset>
      <fieldset><legend>${t("Tables")}</legend>
        <div class="row">${lobby.tables.map(({ table }) => box("table", table, tables.includes(table)))}</div>
      </fieldset>
      <p class="quiet">${t("With neither, everywhere.")}</p>
      <button class="button small">${t("Assign")}<span class="sr"> ${name}</span></button></form></details>`;
}
