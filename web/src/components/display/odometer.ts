/** Figures on turning wheels. Only transforms move, so that a screen in the room keeps its frames. */

import { html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

const WHEEL = html`${Array.from({ length: 10 }, (_, digit) => html`<i>${digit}</i>`)}`;

/** An amount as "184,250.00"; each digit is a wheel, counted from the right so that a new digit joins at the left. */
export function odometer(amount: string): TemplateResult {
  const places = [...amount].map((sign, i) => ({ sign, key: amount.length - i }));
  return html`<span class="odometer" aria-hidden="true">${repeat(
    places,
    ({ key }) => key,
    ({ sign, key }) =>
      /\d/.test(sign)
        ? html`<span class="digit ${key <= 2 ? "cent" : ""}"
            ><span class="wheel" style="--at:${sign}">${WHEEL}</span></span>`
        : html`<span class="sign ${key <= 3 ? "cent" : ""}">${sign}</span>`,
  )}</span>`;
}
