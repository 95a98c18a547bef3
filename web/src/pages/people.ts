import { html, nothing, type TemplateResult } from "lit";

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
import { refuse, toast } from "../lib/state/toasts";
import { POST_ORDER, postName } from "../lib/text/labels";
import { plural, t } from "../lib/text/language";
import { failure } from "../lib/text/sentences";

/** People that are listed at once: a demonstration has a player for every guest it ever had. */
const LISTED = 100;
/** The order of the list: the posts that run the house come first. */
const ORDER = [...POST_ORDER].reverse();

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
        return plural(
          sessions,
          "{name} is signed out everywhere: {count} session is over.",
          "{name} is signed out everywhere: {count} sessions are over.",
          { name },
        );
      }),
    remove: (name) =>
      this.confirmDialog?.open({
        kind: "removal",
        title: t("Remove {name}?", { name }),
        text: [
          t("{name} may no longer log in, and every session is over at once.", { name }),
          t("What was played, ruled and signed stays on the record."),
        ].join(" "),
        action: t("Remove"),
        confirm: async () => {
          await requests.send("DELETE", path(name));
          toast(t("{name} may no longer log in.", { name }));
          this.focusList();
        },
      }),
    assign: (event, name) => {
      const { data } = readForm(event);
      const body = { pits: data.getAll("pit").map(String), tables: data.getAll("table").map(String) };
      void this.sendAndToast(async () => {
        await requests.send("POST", `${path(name)}/assign`, body);
        return t("{name}: the assignment is in force.", { name });
      });
    },
  };

  private erase({ name, id }: RemovedPerson): void {
    this.confirmDialog?.open({
      kind: "erasure",
      title: t("Erase the name of {name}?", { name }),
      text: [
        t("This cannot be undone. Every record stays and knows the person as {id}.", { id }),
        t("Backups made before still hold the name."),
      ].join(" "),
      action: t("Erase"),
      confirm: async () => {
        await requests.send("POST", `${path(id)}/erase`);
        toast(t("The name is erased. Records know the person as {id}.", { id }));
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
      refuse(error);
    }
    await this.load();
  }

  private find = (event: Event): void => {
    this.search = inputValue(event);
    this.requestUpdate();
  };

  override render(): TemplateResult {
    return html`<main class="people-page" id="main"><h1>${t("People")}</h1>
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
    return html`<section class="panel" aria-labelledby="known"><h2 id="known" tabindex="-1">${t("Who may log in")}</h2>
      ${alert(this.error)}
      ${
        this.people
          ? html`<p class="quiet">${t(
              "{count} known, {signedIn} signed in. “Sign out” ends every session of a person at once.",
              { count: people.length, signedIn },
            )}</p>
              <label class="find">${t(
                "Find a name or a post",
              )} <input type="search" autocomplete="off" autocapitalize="none"
                maxlength="40" .value=${this.search} @input=${this.find}></label>
              ${this.found(people)}`
          : html`<p>${this.error ? nothing : t("Loading …")}</p>`
      }</section>`;
  }

  private found(people: KnownPerson[]): TemplateResult {
    const search = this.search.trim().toLowerCase();
    const matches = people.filter(
      ({ name, post }) => name.toLowerCase().includes(search) || postName(post).toLowerCase().includes(search),
    );
    const more = t("The first {shown} of {count}: type a part of a name to find the others.", {
      shown: LISTED,
      count: matches.length,
    });
    return html`<ul class="people">${matches.slice(0, LISTED).map((person) => personLine(person, this.actions))}</ul>
      ${matches.length > LISTED ? html`<p class="quiet">${more}</p>` : nothing}
      ${
        matches.length
          ? nothing
          : html`<p class="quiet">${t("No person matches. Type a shorter part of the name.")}</p>`
      }`;
  }

  private removedPeople(): TemplateResult {
    return html`<section class="panel" aria-labelledby="removed"><h2 id="removed">${t("Removed")}</h2>
      <p class="quiet">${t("They may no longer log in. Records know them by their ids; the names can be erased.")}</p>
      <ul class="people">${this.removed.slice(0, LISTED).map(
        (person) => html`<li data-removed=${person.id}>
          <div class="grow"><b>${person.name}</b> <div><small class="quiet">${person.id}</small></div></div>
          <div class="row"><button type="button" class="button small ghost" @click=${() => this.erase(person)}
            >${t("Erase the name")}<span class="sr"> ${t("of {name}", {
              name: person.name,
            })}</span></button></div></li>`,
      )}</ul></section>`;
  }
}
customElements.define("people-page", PeoplePage);
