/** The moment of a major hit: twenty seconds on the whole screen. */

import { html, type TemplateResult } from "lit";

import type { HitView } from "../../api/types";
import { show } from "../../lib/money";
import { t } from "../../lib/text/language";
import { termName } from "../term";
import { odometer } from "./odometer";

/** Milliseconds for which a hit has the screen to itself. */
export const TAKEOVER = 20_000;

const RAYS = Array.from({ length: 24 }, (_, i) => html`<i style="--turn:${i * 15}deg"></i>`);
const CHIPS = Array.from({ length: 36 }, (_, i) => {
  const [place, late, spin, size] = [(i * 61) % 100, ((i * 37) % 50) / 10, i % 2 ? 1 : -1, 1 + (i % 3) / 2];
  const style = `--x:${place};--late:${late}s;--spin:${spin};--size:${size}`;
  return html`<i style=${style}></i>`;
});

export function takeover({ table, box, hand, amount }: HitView, done: () => void): TemplateResult {
  return html`<section class="takeover" role="alert" aria-label=${t("Jackpot won")} @click=${done}>
    <div class="rays" aria-hidden="true">${RAYS}</div><div class="falling" aria-hidden="true">${CHIPS}</div>
    <div class="won"><p class="cry">${t("Jackpot")}</p><p class="hand">${termName(hand)}</p>
      <p class="sum"><span class="sr">${show(amount)}</span>${odometer(show(amount))}</p>
      <p class="where">${table} <span>${t("box {box}", { box })}</span></p></div></section>`;
}
