import { html, nothing, type TemplateResult } from "lit";

import { failure } from "../api/http";
import type { KnownPerson, RemovedPerson, SignedOut } from "../api/types";
import { alert } from "../components/alert";
import "../components/confirm-dialog";
import type { ConfirmDialog } from "../components/confirm-dialog";
import "../components/people/account-dialog";
import type { AccountDialog } from "../components/people/account-dialog";
import "../components/people/enrolment-form";
import { type PersonActions, personLine } from "../components/people/person-line";
import "../components/second-signatures";
import { PollingElement } from "../lib/element";
import { inputValue, readForm } from "../lib/forms";
import { requests } from "../lib/state/requests";
import { toast } from "../lib/state/toasts";
import { POSTS } from "../lib/text/labels";

/** People that are listed at once: a demonstration has a player for every guest it ever had. */
const LISTED = 100;
/** The order of the list: the posts that run the house come first. */
const ORDER = Object.keys(POSTS).reverse();

const path = (name: string): string => `/api/people/${encodeURIComponent(name)}`;

/** Everybody who may log in. The administrator enrols, signs out and removes them, and erases their names. */
export class PeoplePage extends PollingElement {
  protected readonly interval = 4000;
  private people: KnownPerson[] | null = null;
  private removed: RemovedPerson[] = [];
  private search = "";
  /** The person whose account is open. */
  private managed = "";
  private error = "";

  protected async load(): Promise<void> {
    try {
      const people = await requests.list<KnownPerson>("/api/people");
      const removed = await requests.list<RemovedPerson>("/api/removed-people");
      this.people = people.sort(
        (a, b) => ORDER.indexOf(a.post) - ORDER.indexOf(b.post) || a.name.localeCompare(b.name),
      );
      this.removed = removed.sort((a, b) => a.name.localeCompare(b.name));
      this.error = "";
    } catch (error) {
      this.error = failure(error);
    }
    this.requestUpdate();
  }

  private actions: PersonActions = {
    manage: (name) => {
      this.managed = name;
      this.requestUpdate();
      this.querySelector<AccountDialog>("account-dialog")?.open(name);
    },
    signOut: (name) =>
      void this.sendAndToast(async () => {
        const { sessions } = await requests.send<SignedOut>("POST", `${path(name)}/sign-out`);
        return `${name} is signed out everywhere: ${sessions} ${sessions === 1 ? "session is" : "sessions are"} over.`;
      }),
    remove: (name) =>
      this.confirmDialog?.open({
        kind: "removal",
        title: `Remove ${name}?`,
        text:
          `${name} may no longer log in, and every session is over at once. ` +
          "What was played, ruled and signed stays on the record.",
        action: "Remove",
        confirm: async () => {
          await requests.send("DELETE", path(name));
          toast(`${name} may no longer log in.`);
          this.focusList();
        },
      }),
    assign: (event, name) => {
      const { data } = readForm(event);
      const body = { pits: data.getAll("pit").map(String), tables: data.getAll("table").map(String) };
      void this.sendAndToast(async () => {
        await requests.send("POST", `${path(name)}/assign`, body);
        return `${name}: the assignment is in force.`;
      });
    },
  };

  private erase({ name, id }: RemovedPerson): void {
    this.confirmDialog?.open({
      kind: "erasure",
      title: `Erase the name of ${name}?`,
      text:
        `This cannot be undone. Every record stays and knows the person as ${id}. ` +
        "Backups made before still hold the name.",
      action: "Erase",
      confirm: async () => {
        await requests.send("POST", `${path(id)}/erase`);
        toast(`The name is erased. Records know the person as ${id}.`);
        this.focusList();
      },
    });
  }

  private get confirmDialog(): ConfirmDialog | null {
    return this.querySelector("confirm-dialog");
  }

  /** Focus the list once the dialog is closed: the line with the button that opened it goes away. */
  private focusList(): void {
    window.setTimeout(() => this.querySelector<HTMLElement>("#known")?.focus());
  }

  /** Send a request and show the sentence that it returns, or the refusal. */
  private async sendAndToast(request: () => Promise<string>): Promise<void> {
    try {
      toast(await request());
    } catch (error) {
      toast(failure(error), "refusal");
    }
    await this.load();
  }

  private find = (event: Event): void => {
    this.search = inputValue(event);
    this.requestUpdate();
  };

  override render(): TemplateResult {
    return html`<main class="people-page" id="main"><h1>People</h1>
      <second-signatures></second-signatures>
      <div class="beside"><enrolment-form @enrolled=${() => this.load()}></enrolment-form>${this.everybody()}</div>
      ${this.removed.length ? this.removedPeople() : nothing}
      <account-dialog .person=${this.people?.find(({ name }) => name === this.managed)}
        @changed=${() => this.load()}></account-dialog>
      <confirm-dialog @answered=${() => this.load()}></confirm-dialog></main>`;
  }

  private everybody(): TemplateResult {
    const people = this.people ?? [];
    const signedIn = people.filter(({ sessions }) => sessions).length;
    return html`<section class="panel" aria-labelledby="known"><h2 id="known" tabindex="-1">Who may log in</h2>
      ${alert(this.error)}
      ${
        this.people
          ? html`<p class="quiet">${people.length} known, ${signedIn} signed in. “Sign out” ends every session of a
              person at once.</p>
              <label class="find">Find a name or a post <input type="search" autocomplete="off" autocapitalize="none"
                maxlength="40" .value=${this.search} @input=${this.find}></label>
              ${this.found(people)}`
          : html`<p>${this.error ? nothing : "Loading …"}</p>`
      }</section>`;
  }

  private found(people: KnownPerson[]): TemplateResult {
    const search = this.search.trim().toLowerCase();
    const matches = people.filter(
      ({ name, post }) => name.toLowerCase().includes(search) || POSTS[post]?.includes(search),
    );
    const more = `The first ${LISTED} of ${matches.length}: type a part of a name to find the others.`;
    return html`<ul class="people">${matches.slice(0, LISTED).map((person) => personLine(person, this.actions))}</ul>
      ${matches.length > LISTED ? html`<p class="quiet">${more}</p>` : nothing}
      ${matches.length ? nothing : html`<p class="quiet">No person matches. Type a shorter part of the name.</p>`}`;
  }

  private removedPeople(): TemplateResult {
    return html`<section class="panel" aria-labelledby="removed"><h2 id="removed">Removed</h2>
      <p class="quiet">They may no longer log in. Records know them by their ids; the names can be erased.</p>
      <ul class="people">${this.removed.slice(0, LISTED).map(
        (person) => html`<li data-removed=${person.id}>
          <div class="grow"><b>${person.name}</b> <div><small class="quiet">${person.id}</small></div></div>
          <div class="row"><button type="button" class="button small ghost" @click=${() => this.erase(person)}
            >Erase the name<span class="sr"> of ${person.name}</span></button></div></li>`,
      )}</ul></section>`;
  }
}
customElements.define("people-page", PeoplePage);
