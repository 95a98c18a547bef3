import { html, nothing, type TemplateResult } from "lit";

import type { LobbyTable } from "../api/types";
import { identityOf, identityStyle } from "../components/felt/identity";
import { tablePicture } from "../components/felt/table-picture";
import "../components/jackpot-meter";
import { PollingElement } from "../lib/element";
import { cents, short } from "../lib/money";
import { go, to } from "../lib/navigation";
import { lobby } from "../lib/state/lobby";
import { session } from "../lib/state/session";
import { refuse } from "../lib/state/toasts";
import { capital, stageName, versioned } from "../lib/text/labels";
import { t } from "../lib/text/language";

/** Every table of the house: game, operator, limits, boxes taken, and the meter. */
export class LobbyPage extends PollingElement {
  protected readonly interval = 4000;

  protected load(): Promise<boolean> {
    return lobby.refresh();
  }

  override render(): TemplateResult {
    const links = new Set(lobby.tables.map((table) => table.link).filter((link) => link !== null));
    return html`<main class="lobby" id="main">
      ${[...links].map((link) => this.banner(link))}
      <h1>${
        session.me?.home === "tables" && session.may("deal") ? t("Choose a table to deal") : t("Choose a table")
      }</h1>
      ${
        lobby.demo && !session.me
          ? html`<p class="quiet">${t("Tap one and you sit down as a guest, with demo chips: no money, no name.")}</p>`
          : nothing
      }
      <ul class="tables">${lobby.tables.map((table) => this.card(table))}</ul>
      ${lobby.tables.length ? nothing : html`<p>${t("No table is open yet.")}</p>`}
    </main>`;
  }

  private banner(link: string): TemplateResult {
    return html`<section class="banner" aria-label=${t("Progressive jackpot")}>
      <h2>${t("Progressive jackpot, {currency}", {
        currency: lobby.tables.find((table) => table.link === link)?.currency ?? "",
      })}</h2>
      <p class="big"><jackpot-meter .link=${link}></jackpot-meter></p>
      <p class="quiet">${t("One meter for every table of this house.")}
        <a href=${to("display", link)}>${t("Full screen")}</a></p>
    </section>`;
  }

  private card(table: LobbyTable): TemplateResult {
    const ante = table.limits.ante;
    const taken = table.elsewhere ? "–" : table.seats_taken;
    const kind = [table.staffed ? t("dealer") : "", table.physical ? t("real cards") : ""].filter(Boolean).join(", ");
    const identity = identityOf(table.game, table.operator);
    return html`<li class="table-card">
      <a href=${to("table", table.table)} style=${identityStyle(identity)}
        @click=${(event: Event) => this.sit(event, table)}>
        ${tablePicture(table, identity)}
        <span class="what"><strong>${table.table}</strong>
          <span>${versioned(table)}</span><span class="quiet">${table.operator}</span>
        ${kind ? html`<span class="tag">${capital(kind)}</span>` : nothing}</span>
        <dl>
          <div><dt>${t("Ante")}</dt>
            <dd>${ante ? `${short(cents(ante[0]))}–${short(cents(ante[1]))} ${table.currency}` : "–"}</dd></div>
          <div><dt>${t("Jackpot bet")}</dt>
            <dd>${table.jackpot_bet ? `${short(cents(table.jackpot_bet))} ${table.currency}` : t("none")}</dd></div>
          <div><dt>${t("Boxes taken")}</dt><dd>${t("{taken} of {boxes}", { taken, boxes: table.boxes })}</dd></div>
          <div><dt>${t("Now")}</dt><dd>${this.state(table)}</dd></div>
        </dl>
      </a></li>`;
  }

  /** What happens at a table at the moment. */
  private state(table: LobbyTable): string {
    if (table.missing) return t("Rulebook not installed");
    if (table.closed) return t("Closed");
    if (table.stage === "idle" && table.staffed) return t("Waits for a dealer");
    return table.stage ? stageName(table.stage) : t("At another server");
  }

  /** Sit down at a table; in a demonstration, a visitor becomes a guest at the first one. */
  private async sit(event: Event, table: LobbyTable): Promise<void> {
    // Its page says which server runs it; a visitor does not become a guest for that.
    if (table.elsewhere) return;
    if (session.me) {
      if (session.may("deal") && table.staffed) {
        event.preventDefault();
        go(to("dealer", table.table));
      }
      return;
    }
    event.preventDefault();
    if (!lobby.demo) return go(to("login", "table", table.table));
    try {
      await session.enter("/api/guest");
      go(to("table", table.table));
    } catch (error) {
      refuse(error);
    }
  }
}
customElements.define("lobby-page", LobbyPage);
