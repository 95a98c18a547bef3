import { html, nothing, type TemplateResult } from "lit";

/** The sentence about a request that has failed; it renders nothing where the sentence is empty. */
export function alert(sentence: string): TemplateResult | typeof nothing {
  return sentence ? html`<p class="wrong" role="alert">${sentence}</p>` : nothing;
}
