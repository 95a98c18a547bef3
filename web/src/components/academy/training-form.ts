/** Where a learner begins: the games to read about, and the form that begins a training round. */

import { html, type TemplateResult } from "lit";

import type { TrainedGame } from "../../api/types";
import { t } from "../../lib/text/language";

export function gameList(games: TrainedGame[]): TemplateResult {
  return html`<section class="panel"><h2>${t("Learn a game")}</h2>
    <p class="quiet">${t("Read how a round goes first; then answer drills, then deal rounds.")}</p>
    <ul class="sittings">${games.map(
      ({
        edition,
        operator,
        title,
      }) => html`<li><a class="grow" href="#/academy/game/${edition}">${operator} ${title}</a>
        <span class="quiet">${edition}</span></li>`,
    )}</ul></section>`;
}

export function trainingForm(games: TrainedGame[], submit: (event: SubmitEvent) => void): TemplateResult {
  return html`<section class="panel"><h2>${t("Deal a round")}</h2>
    <p class="quiet">${t("You are the dealer of a whole round, and its players err. Every step is graded.")}</p>
    <form @submit=${submit}><div class="row"><label>${t("Game to deal")} <select name="game">${games.map(
      ({ edition, operator, title }) => html`<option value=${edition}>${operator} ${title}</option>`,
    )}</select></label>
      <label>${t("Seed, to deal the same round again")} <input name="seed" inputmode="numeric" pattern="[0-9]{1,15}"
        title=${t("Digits alone, such as 77")} autocomplete="off"></label></div>
      <button class="button">${t("Deal a round")}</button></form></section>`;
}
