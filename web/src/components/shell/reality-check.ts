import { html, nothing, type TemplateResult } from "lit";

import type { SessionOfPlay } from "../../api/types";
import { StateElement } from "../../lib/element";
import { post } from "../../lib/forms";
import { cents, signed } from "../../lib/money";
import { ownBoxes } from "../../lib/play/own-bets";
import { session } from "../../lib/state/session";
import { tables } from "../../lib/state/tables";
import { plural, t } from "../../lib/text/language";

/** Says when a player's own limits ask for it how the player stands, and since when the limits count, on any page. At a
 *  table it waits for a round in which the player has no bet yet, and stands in the dock in the place of the chips.
 */
export class RealityCheck extends StateElement {
  static override properties = { table: { attribute: false } };
  /** The table of the page; empty on other pages. */
  table = "";
  private timer = 0;
  private isBusy = false;
  private told: SessionOfPlay | undefined;
  /** When the server told it, by the clock of this page. */
  private toldAt = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = window.setInterval(() => this.told && this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  private acknowledge = async (): Promise<void> => {
    if (this.isBusy) return;
    this.isBusy = true;
    await post("/api/play/check", {}, t("Reality check"));
    await session.refresh();
    this.isBusy = false;
    this.requestUpdate();
  };

  /** Whether the player has bets in the round of this table, or its result in front of them. */
  private get isPlaying(): boolean {
    const view = tables.views.get(this.table);
    return view !== undefined && view.stage !== "idle" && ownBoxes(view).length > 0;
  }

  override render(): TemplateResult | typeof nothing {
    const now = session.me?.account?.limits.session ?? undefined;
    if (now !== this.told) [this.told, this.toldAt] = [now, performance.now()];
    if (!now) return nothing;
    const since = Math.floor((performance.now() - this.toldAt) / 1000);
    const isOver = now.ends !== null && now.ends <= since;
    const isDue = now.check !== null && now.check <= since;
    if ((!isOver && !isDue) || this.isPlaying) return nothing;
    return html`<section class="panel ask" role="alert"
      aria-labelledby="reality-check">
      <h2 id="reality-check">${isOver ? t("Your time limit is over") : t("Reality check")}</h2>
      <p>${plural(
        now.minutes + Math.floor(since / 60),
        "Since your limits began to count, {count} minute ago: {net}.",
        "Since your limits began to count, {count} minutes ago: {net}.",
        { net: signed(cents(now.net)) },
      )}
        ${
          isOver
            ? t("A round in play is finished; new bets are taken after six hours without one.")
            : t("Chips on a table count as staked until the round is over.")
        }</p>
      <div class="row">${
        isOver
          ? nothing
          : html`<button type="button" class="button" ?disabled=${this.isBusy}
              @click=${this.acknowledge}>${t("I have seen it, play on")}</button>`
      }<a class="button ghost" href="#/my-rounds">${t("My rounds")}</a></div></section>`;
  }
}
customElements.define("reality-check", RealityCheck);
