import { html, nothing, type TemplateResult } from "lit";

import type { AwardCase, HitTime, HitView, Ladder, LinkView, LobbyTable } from "../api/types";
import { odometer } from "../components/display/odometer";
import { payLadder } from "../components/display/pay-ladder";
import { TAKEOVER, takeover } from "../components/display/takeover";
import { ticker } from "../components/display/ticker";
import { termName } from "../components/term";
import { PollingElement } from "../lib/element";
import { show } from "../lib/money";
import { live } from "../lib/state/live";
import { lobby } from "../lib/state/lobby";
import { requests } from "../lib/state/requests";
import { settings } from "../lib/state/settings";
import { tables } from "../lib/state/tables";
import { title, versioned } from "../lib/text/labels";
import { list, plural, rich, t } from "../lib/text/language";
import { dayTime } from "../lib/text/time";

/** Hits that the display lists at most. */
const LISTED = 5;
/** Milliseconds for which the ladder of one game stands, where the link joins several. */
const LADDER_TURN = 12_000;

/**
 * The jackpot display: one figure that can be read from across the room, what each hand pays now, the last hits, and
 * what is pending. `#/display/LINK/sign` is the small sign at a table; a screen on its end gets the portrait layout.
 */
export class DisplayPage extends PollingElement {
  static override properties = { link: { attribute: false }, layout: { attribute: false } };
  link = "main";
  layout = "";
  protected readonly interval = 60_000;
  private ladders: Ladder[] = [];
  private turn = 0;
  private turnTimer = 0;
  /** How many hits the link had when the page rendered last, and the hit that has the screen now. */
  private hitsSeen = -1;
  private hit: HitView | undefined;
  private hitTimer = 0;
  /** Ladders and hits are here. Until then nothing is drawn under the head, because it would move. */
  private isLoaded = false;
  /** When each hit was paid. */
  private times = new Map<string, string>();

  override connectedCallback(): void {
    super.connectedCallback();
    live.watch("link", this.link);
    this.turnTimer = window.setInterval(() => {
      this.turn++;
      this.requestUpdate();
    }, LADDER_TURN);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.turnTimer);
    window.clearTimeout(this.hitTimer);
  }

  protected async load(): Promise<void> {
    await lobby.refresh();
    if (lobby.linkNames.includes(this.link)) {
      const path = `/api/links/${encodeURIComponent(this.link)}/ladder`;
      this.ladders = (await requests.refresh(path, requests.list<Ladder>(path))) ?? this.ladders;
      await this.loadHits();
    }
    this.isLoaded = true;
    this.requestUpdate();
  }

  private async loadHits(): Promise<void> {
    const path = `/api/links/${encodeURIComponent(this.link)}/hits`;
    const hits = await requests.refresh(path, requests.list<HitTime>(path));
    if (hits) this.times = new Map(hits.map((hit) => [keyOf(hit), hit.at]));
    this.requestUpdate();
  }

  /** Give the screen to a hit that was not there when the page rendered last. */
  protected override willUpdate(): void {
    const link = tables.links.get(this.link);
    if (!link) return;
    if (this.hitsSeen >= 0 && link.hits > this.hitsSeen) {
      this.celebrate(link.last_hits[0]);
      void this.loadHits();
    }
    this.hitsSeen = link.hits;
  }

  private celebrate(hit: HitView | undefined): void {
    this.hit = hit;
    window.clearTimeout(this.hitTimer);
    this.hitTimer = window.setTimeout(this.endTakeover, TAKEOVER);
  }

  private endTakeover = (): void => {
    this.hit = undefined;
    this.requestUpdate();
  };

  override render(): TemplateResult {
    const link = tables.links.get(this.link);
    const joined = lobby.tables.filter((line) => line.link === this.link);
    const isKnown = link || joined.length || !lobby.tables.length;
    const isStill = !settings.current.motion;
    return html`<main class="display ${this.layout === "sign" ? "sign" : ""} ${isStill ? "still" : ""}" id="main"
      data-brand=${this.brand}>
      <header><h1>${this.brand || "Croupier"} <span>${
        joined[0]?.currency
          ? t("Progressive jackpot, {currency}", { currency: joined[0].currency })
          : t("Progressive jackpot")
      }</span></h1></header>
      ${
        isKnown
          ? nothing
          : html`<p class="notice" role="status">${t("There is no link {link} here", { link: this.link })}</p>`
      }
      ${this.isLoaded ? this.boards(link, joined, !!isKnown) : nothing}
      ${this.hit ? takeover(this.hit, this.endTakeover) : nothing}
    </main>`;
  }

  private boards(link: LinkView | undefined, joined: readonly LobbyTable[], isKnown: boolean): TemplateResult {
    return html`${this.meter(link)} ${this.notices(link)}
      <div class="boards">${payLadder(this.ladders[this.turn % (this.ladders.length || 1)], link?.meter)}
        ${isKnown ? this.hits(link) : nothing}</div>
      ${ticker(joined)}
      <footer class="quiet"><span data-test="versions">${this.versions()}</span>
        <span class="corner">${lobby.demo ? t("Demonstration: no money.") : ""} <a href="#/">${t("Tables")}</a>
          <button type="button" class="button small ghost"
            @click=${() =>
              void document.documentElement.requestFullscreen()}>${t("Full screen")}</button></span></footer>`;
  }

  private meter(link: LinkView | undefined): TemplateResult {
    const text = link ? show(link.meter) : "";
    return html`<p class="meter ${link?.awards.length ? "is-held" : ""}" style="--long:${Math.max(text.length, 8)}"
      ><span class="figure sr">${text}</span>${text ? odometer(text) : nothing}</p>`;
  }

  private notices(link: LinkView | undefined): TemplateResult {
    const suspended = link?.suspended ?? [];
    return html`<div class="notices">
      ${
        link?.closed
          ? html`<p class="notice" role="status">${t("No jackpot bets are taken at the moment")}</p>`
          : nothing
      }
      ${
        suspended.length && !link?.closed
          ? html`<p class="notice" role="status">${t("No jackpot bets at {suspended} at the moment", {
              suspended: suspended.join(", "),
            })}</p>`
          : nothing
      }
      ${link?.awards.map(pending)}
      ${
        live.online
          ? nothing
          : html`<p class="offline" role="alert">${t(
              "No connection: this is the last value known. Trying again …",
            )}</p>`
      }</div>`;
  }

  /** The operator of the link's tables; empty where the link joins several. */
  private get brand(): string {
    const [first, ...others] = new Set(lobby.tables.filter(({ link }) => link === this.link).map((t) => t.operator));
    return others.length ? "" : (first ?? "");
  }

  /** The rule documents by which the tables of this link play. */
  private versions(): string {
    const played = lobby.tables.filter((line) => line.link === this.link);
    return [...new Set(played.map((line) => `${line.operator} ${versioned(line)}`))].join(" · ");
  }

  private timeOf(hit: HitView): TemplateResult | typeof nothing {
    const at = this.times.get(keyOf(hit));
    return at ? html` · <time datetime=${at}>${dayTime(at)}</time>` : nothing;
  }

  private hits(link: LinkView | undefined): TemplateResult {
    return html`<section class="hits"><h2>${t("Last hits")}</h2>
      ${
        link?.last_hits.length
          ? html`<ol>${link.last_hits.slice(0, LISTED).map(
              (hit) => html`<li><b>${show(hit.amount)}</b><span>${termName(hit.hand)}</span>
                <span class="quiet">${t("{table}, box {box}", {
                  table: hit.table,
                  box: hit.box,
                })}${this.timeOf(hit)}</span></li>`,
            )}</ol>`
          : html`<p class="quiet">${t("None yet. When it is won, it starts again at {amount}.", {
              amount: link ? show(link.reset) : "…",
            })}</p>`
      }
    </section>`;
  }
}
customElements.define("display-page", DisplayPage);

const keyOf = ({ table, round, box, hand }: HitTime | HitView): string => `${table} ${round} ${box} ${hand}`;

/** An award that is claimed or locked: nobody has it yet. */
function pending({ hand, table, box, amount, waits_for, missing }: AwardCase): TemplateResult {
  const what = t("{hand} at {table}, box {box}:", { hand: title(hand), table, box });
  const waits = waits_for.length
    ? t("waits for an earlier deal at {tables}", { tables: list(waits_for) })
    : t("waits for an earlier deal");
  const locked = rich("{amount} locked, being verified", { amount: html`<b>${show(amount ?? "0")}</b>` });
  const signatures = missing ? `, ${plural(missing, "{count} signature to come", "{count} signatures to come")}` : "";
  return html`<p class="pending ${amount === null ? "" : "locked"}" role="status"
    ><span class="lock">${amount === null ? t("Pending") : t("Locked")}</span> ${what}
    ${amount === null ? waits : html`${locked}${signatures}`}</p>`;
}
