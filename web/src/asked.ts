/** What the rules ask of a player besides his decisions, and what his round waits for. */

import { html, nothing, type TemplateResult } from "lit";

import { show } from "./money";
import { cited } from "./paragraph";
import { store } from "./store";
import type { Seen, Terms } from "./types";
import { POSTS, title } from "./words";

export function asked(table: string, view: Seen, terms: Terms): TemplateResult | typeof nothing {
  const mine = view.boxes.filter((box) => box.stakes.some((stake) => stake.player === store.me?.name));
  const own = new Set(mine.map((box) => box.box));
  const options = view.awaiting.filter((answer) => answer.box !== null && own.has(answer.box));
  if (options.length) {
    const first = options[0]!;
    return html`<section class="panel ask" role="alert" tabindex="-1"><h2>${first.says}: the choice is yours</h2>
      <p>${cited(view.game, first.rules)}</p>
      ${options.map((option) => {
        const money = option.money[String(option.box)];
        const says = money?.effect === "returned" ? `${show(money.returned)} back` : `${show(money?.in_play ?? "0")} stays in play`;
        return html`<button type="button" class="button" ?disabled=${!store.online} @click=${() =>
          store.ask(table, { do: "choose", box: option.box, option: option.answer })}>
          Box ${option.box}: ${title(option.answer)}<small>${says}</small></button>`;
      })}</section>`;
  }
  const waits = view.awaiting.find((answer) => answer.by);
  if (waits)
    return html`<section class="panel ask" role="status"><h2>${waits.says}</h2>
      <p>The round waits for the ${POSTS[waits.by!] ?? waits.by} or above${view.clock
        ? "; if nobody has ruled when the clock runs out, the hand is folded" : ""}. ${cited(view.game, waits.rules)}</p></section>`;
  const looks = mine.filter((box) => box.may_examine);
  if (looks.length > 1)
    return html`<section class="panel ask" role="alert" tabindex="-1"><h2>Which hand will you look at?</h2>
      <p>You may look at one hand. The others are played blind.</p>
      <div class="row">${looks.map(
        (box) => html`<button type="button" class="button" ?disabled=${!store.online} @click=${() =>
          store.ask(table, { do: "examine", box: box.box })}>Look at box ${box.box}</button>`,
      )}</div></section>`;
  if (view.stage === "betting" && own.size > 1 && terms.one_look)
    return html`<p class="panel note">With several boxes you may look at one hand; the others are played blind.</p>`;
  return nothing;
}
