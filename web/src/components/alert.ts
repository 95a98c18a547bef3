import { html, nothing, type TemplateResult } from "lit";
import { marked } from "./served";

/** The sentence about a request that has failed; it renders nothing where the sentence is empty. */
export function alert(sentence: string): TemplateResult | typeof nothing {
  return sentence ? html`<p class="wrong" role="alert">${marked(sentence)}</p>` : nothing;
}
