import { html, nothing, type TemplateResult } from "lit";

import type { PostLine } from "../../api/types";
import { StateElement } from "../../lib/element";
import { isChecked, readForm } from "../../lib/forms";
import { requests } from "../../lib/state/requests";
import { toast } from "../../lib/state/toasts";
import { postName, title } from "../../lib/text/labels";
import { either, list, t } from "../../lib/text/language";
import { failure } from "../../lib/text/sentences";
import { alert } from "../alert";

/** The form that enrols a person; it sends the event "enrolled" after a request. */
export class EnrolmentForm extends StateElement {
  private isShown = false;
  private posts: PostLine[] = [];
  private isBusy = false;
  private error = "";

  override connectedCallback(): void {
    super.connectedCallback();
    void this.loadPosts();
  }

  private async loadPosts(): Promise<void> {
    this.posts = (await requests.refresh("/api/posts", requests.list<PostLine>("/api/posts"))) ?? this.posts;
    this.requestUpdate();
  }

  private enrol = async (event: SubmitEvent): Promise<void> => {
    const { form, field } = readForm(event);
    if (this.isBusy) return;
    const [name, post] = [field("name").trim(), field("post")];
    this.isBusy = true;
    this.error = "";
    this.requestUpdate();
    try {
      const body = { name, post, password: field("password") };
      const { second } = await requests.send<{ second?: string }>("POST", "/api/people", body);
      toast(
        second
          ? t("{name} is proposed: another person signs, {post}.", { name, post: this.signers(post) })
          : t("{name} may log in: {post}.", { name, post: postName(post) }),
      );
      this.isShown = false;
      form.reset();
    } catch (error) {
      this.error = failure(error);
    }
    this.isBusy = false;
    this.requestUpdate();
    this.dispatchEvent(new Event("enrolled"));
  };

  private showPassword = (event: Event): void => {
    this.isShown = isChecked(event);
    this.requestUpdate();
  };

  override render(): TemplateResult {
    return html`<section class="panel" aria-label=${t("Enrol a person")}><h2>${t("Enrol a person")}</h2>
      <form @submit=${this.enrol}>
        <label>${t("Name")} <input name="name" required maxlength="40" autocomplete="off" autocapitalize="none"
          pattern=".*[^. ].*" title=${t("More than dots and spaces")}></label>
        <label>${t("Post")} <select name="post">${this.posts.map(
          ({ post }) => html`<option value=${post}>${title(postName(post))}</option>`,
        )}</select></label>
        <label>${t("Password")} <input name="password" type=${
          this.isShown ? "text" : "password"
        } required maxlength="200"
          autocomplete="new-password" autocapitalize="none" aria-describedby="how-long"></label>
        <label class="switch"><input type="checkbox" .checked=${this.isShown} @change=${this.showPassword}
          ><span>${t("Show it while I type")}</span></label>
        ${this.signatureNotice()}
        <p class="quiet" id="how-long">${t("12 characters or more, and not easy to guess.")} ${t(
          "The house keeps no copy that can be read: give the password to the person yourself.",
        )}</p>
        ${alert(this.error)}
        <button class="button" ?disabled=${this.isBusy}>${t("Enrol")}</button></form></section>`;
  }

  /** The posts that may sign for a new person of this post: "administrator or shift manager". */
  private signers(post: string): string {
    const posts = this.posts.find((line) => line.post === post)?.signed_by ?? [];
    return either(posts.map(postName));
  }

  private signatureNotice(): TemplateResult | typeof nothing {
    const signed = this.posts.find(({ signed_by }) => signed_by.length);
    if (!signed) return nothing;
    const alone = this.posts.filter(({ signed_by }) => !signed_by.length).map(({ post }) => postName(post));
    return html`<p class="quiet">${
      alone.length
        ? t("Every post except {posts} needs a second signature, by another person: {signers}.", {
            posts: list(alone),
            signers: this.signers(signed.post),
          })
        : t("Every post needs a second signature, by another person: {signers}.", {
            signers: this.signers(signed.post),
          })
    }</p>`;
  }
}
customElements.define("enrolment-form", EnrolmentForm);
