/** Text that may come from the server in English, marked as English where the page is in another language. */

import { html, type TemplateResult } from "lit";

import { isEnglish, sentence } from "../lib/text/sentences";

/** A text of the page, or a sentence that was translated as far as the catalogue knows it. */
export function marked(text: string): TemplateResult | string {
  return isEnglish(text) ? html`<span lang="en">${text}</span>` : text;
}

/** A sentence of the server, in the language of the page where the catalogue knows it. */
export function served(text: string): TemplateResult | string {
  return marked(sentence(text));
}
