/** The form that begins a training round. */

import { html, type TemplateResult } from "lit";

import type { TrainedGame } from "../../api/types";

export function trainingForm(games: TrainedGame[], submit: (event: SubmitEvent) => void): TemplateResult {
  return html`<section class="panel"><h2>Deal a round</h2>
    <p class="quiet">You are the dealer of a whole round, and its players err. Every step is graded.</p>
    <form @submit=${submit}><div class="row"><label>Game to deal <select name="game">${games.map(
      ({ edition, operator, title }) => html`<option value=${edition}>${operator} ${title}</option>`,
    )}</select></label>
      <label>Seed, to deal the same round again <input name="seed" inputmode="numeric" pattern="[0-9]{1,15}"
        autocomplete="off"></label></div>
      <button class="button">Deal a round</button></form></section>`;
}
