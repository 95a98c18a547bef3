/** The house's name on its cloth, above a page that has little else. */

import { html, type TemplateResult } from "lit";

export const houseSign = (): TemplateResult =>
  html`<div class="house-sign" aria-hidden="true"><img src="/icon.svg" alt="" width="64" height="64">Croupier</div>`;
