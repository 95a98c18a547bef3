import { html, nothing, type TemplateResult } from "lit";

import { StateElement } from "../../lib/element";
import { to } from "../../lib/navigation";
import { forgetHand, type OpenHand, openHands } from "../../lib/play/open-hand";
import { secondsLeft, whenLate } from "../../lib/play/own-clock";
import { lateHands } from "../../lib/state/late-hands";
import { live } from "../../lib/state/live";
import { playedRounds } from "../../lib/state/played-rounds";
import { stageName } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { resultText } from "../player/own-result";

const isTurn = ({ view, isOver }: OpenHand): boolean => !isOver && Boolean(view?.choices.length);

/** Seconds until the player's decision is made for them; none where it is not their turn. */
const secondsOf = (hand: OpenHand): number =>
  isTurn(hand) && hand.view?.clock ? Math.ceil(secondsLeft(hand.view)) : Number.POSITIVE_INFINITY;

/** Milliseconds for which the end of a hand is said at another table, whose menu lies under this bar. */
const SAID = 20_000;

/** In the header of every page but the table's own: leads a player back to their hand in play, with the seconds of
 *  their turn. It says when time has run out and what the round has brought, until the player opens another page.
 */
export class WayBack extends StateElement {
  static override properties = { table: { attribute: false } };
  /** The table of the page; empty on other pages. */
  table = "";
  private followed: string[] = [];
  /** Tables whose hand this bar has shown in play. */
  private shown = new Set<string>();
  /** When a hand was first seen to be over, by table. */
  private ended = new Map<string, number>();
  private clock = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.clock = window.setInterval(() => this.followed.length && this.requestUpdate(), 1000);
    window.addEventListener("hashchange", this.forgetOver);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.clock);
    window.removeEventListener("hashchange", this.forgetOver);
    this.follow([]);
  }

  private forgetOver = (): void => {
    for (const { table, isOver } of openHands()) if (isOver) forgetHand(table);
  };

  private follow(followed: string[]): void {
    for (const table of followed) if (!this.followed.includes(table)) live.watch("table", table, "way-back");
    for (const table of this.followed) if (!followed.includes(table)) live.unwatch("table", table, "way-back");
    this.followed = followed;
  }

  protected override updated(): void {
    const hands = openHands();
    for (const { table, isOver } of hands) {
      if (!isOver) {
        this.shown.add(table);
        this.ended.delete(table);
        continue;
      }
      const since = this.ended.get(table) ?? performance.now();
      this.ended.set(table, since);
      if (!this.shown.has(table) || (this.table && performance.now() - since > SAID)) forgetHand(table);
    }
    this.follow(hands.map(({ table }) => table));
  }

  override render(): TemplateResult | typeof nothing {
    const [first] = openHands()
      .filter(({ table, isOver }) => table !== this.table && (!isOver || this.shown.has(table)))
      .sort((a, b) => Number(a.isOver) - Number(b.isOver) || secondsOf(a) - secondsOf(b));
    if (!first) return nothing;
    const { head, says, seconds } = words(first);
    return html`<a class="way-back ${isTurn(first) ? "turn" : ""}" href=${to("table", first.table)} data-test="way-back"
        ><b>${head}</b> <span>${first.table} · ${seconds ? html`<b>${seconds}</b> ` : nothing}${says}</span></a>
      <p class="sr" role="status">${head}. ${says}</p>`;
  }
}
customElements.define("way-back", WayBack);

function words(hand: OpenHand): { head: string; says: string; seconds?: string } {
  const { table, round, view } = hand;
  const head = lateHands.boxes(table, round).length ? t("Time ran out: folded") : t("Return to your hand");
  if (hand.isOver) {
    const played = playedRounds.list.find((each) => each.table === table && each.round === round);
    const says = played ? resultText(played) : t("Settled");
    return { head: head === t("Return to your hand") ? t("Your hand is over") : head, says };
  }
  if (!view || !isTurn(hand)) return { head, says: stageName(view?.stage ?? "playing") };
  const seconds = secondsOf(hand);
  if (seconds === 0) return { head: t("Time ran out"), says: whenLate(view) };
  return Number.isFinite(seconds)
    ? { head, seconds: t("Your turn: {seconds} s", { seconds }), says: whenLate(view) }
    : { head, says: t("Your decision") };
}
