/** Players who may not play on, and the ruling that lets one play again. */

import { html, nothing, type TemplateResult } from "lit";

import { cited } from "./paragraph";
import { store } from "./store";
import { NO_NAMES, POSTS } from "./words";

/** As the server lists it: it says who lifts a bar, and whether that is whoever asks. */
export interface Bar {
  player: string;
  table: string;
  game: string;
  operator: string;
  everywhere: boolean;
  rules: string[];
  by: string;
  may: boolean;
}

export function barsPanel(bars: Bar[], done: () => void): TemplateResult | typeof nothing {
  if (!bars.length) return nothing;
  return html`<section aria-label="Barred players" class="queue"><h2>Barred players <span class="count">${bars.length}</span></h2>
    ${bars.map((bar) => html`<article class="panel" data-bar="${bar.player}/${bar.table}"><h3>${bar.player}</h3>
      <p>Barred at ${bar.table}: may not bet at ${bar.everywhere ? `any table of ${bar.operator} in this house` : "this table"}. ${cited(bar.game, bar.rules)}</p>
      ${bar.may ? lifting(bar, done) : html`<p class="note">Only the ${POSTS[bar.by] ?? bar.by} or above lifts this.</p>`}</article>`)}</section>`;
}

function lifting(bar: Bar, done: () => void): TemplateResult {
  const lift = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const button = form.querySelector("button")!;
    const text = String(new FormData(form).get("text")).trim();
    button.disabled = true;
    const lifted = await store.ask(bar.table, { do: "rule", decision: "allow", player: bar.player, ...(text ? { text } : {}) });
    button.disabled = false;
    if (!lifted) return;
    form.reset();
    store.toast(`${bar.player} may play again.`);
    done();
  };
  return html`<form class="bets-form" @submit=${lift}><label>In your words, for the record <input name="text" maxlength="300" autocomplete="off" placeholder=${NO_NAMES}></label>
    <button class="button small">Let ${bar.player} play again</button></form>`;
}
