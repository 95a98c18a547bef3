/** The choice of the page's language, each by the name that its readers know. */

import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

import { inputValue } from "../../lib/forms";
import { toast } from "../../lib/state/toasts";
import { LANGUAGES, type Language, language, setLanguage, t } from "../../lib/text/language";

export function languageChoice(): TemplateResult {
  const choose = (event: Event): void => {
    const chosen = inputValue(event) as Language;
    setLanguage(chosen).catch(() => toast(t("The server does not answer."), "refusal"));
  };
  return html`<label class="language"><span>${t("Language")}<span lang="en" class="sr"> / Language</span></span>
    <select name="language" .value=${live(language())} @change=${choose}>${Object.entries(LANGUAGES).map(
      ([tag, name]) => html`<option value=${tag} lang=${tag} ?selected=${tag === language()}>${name}</option>`,
    )}</select></label>`;
}
