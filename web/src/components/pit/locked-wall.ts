/** The wall of the pit while its session is locked: where a person is needed, and nothing of any person. */

import { html, nothing, type TemplateResult } from "lit";

import type { LockedFloor, LockedTable } from "../../api/types";
import { PollingElement } from "../../lib/element";
import { lobby } from "../../lib/state/lobby";
import { requests } from "../../lib/state/requests";
import { gameKind, pitPhase } from "../../lib/text/labels";
import { type Plain, t } from "../../lib/text/language";
import { minutes } from "../../lib/text/time";
import { ring } from "./alarm-bell";
import { type Item, KINDS } from "./attention-bar";
import { isUnseen } from "./voided-rounds";
import { byName, FEW, type Lamp, URGENT } from "./wall";

const SAYS: Partial<Record<Lamp, Plain>> = {
  mispay: "Stopped by a mispay",
  ruling: "Waits for a ruling",
  jackpot: "Jackpot",
  stuck: "Stuck",
  closed: "Closed",
};

export class LockedWall extends PollingElement {
  protected readonly interval = 3000;
  private floor: LockedFloor | null = null;

  protected async load(): Promise<void> {
    const path = "/api/lock-screen";
    const before = this.counts.reduce((sum, [, count]) => sum + count, 0);
    const read = await requests.refresh(path, requests.get<LockedFloor>(path));
    const isFirst = this.floor === null;
    this.floor = read ?? this.floor;
    if (!isFirst && this.counts.reduce((sum, [, count]) => sum + count, 0) > before) ring();
    this.requestUpdate();
  }

  /** How much of each kind waits for a person. */
  private get counts(): [Item["kind"], number][] {
    if (!this.floor) return [];
    const { tables, calls, proposals, alarms, voided } = this.floor;
    const at = (lamp: Lamp): number => tables.filter((table) => table.lamp === lamp).length;
    const all: [Item["kind"], number][] = [
      ["alarm", alarms],
      ["mispay", at("mispay")],
      ["award", at("jackpot")],
      ["ruling", at("ruling")],
      ["call", calls],
      ["sign", proposals],
      ["void", voided.filter(isUnseen).length],
      ["stuck", at("stuck")],
    ];
    return all.filter(([, count]) => count);
  }

  override render(): TemplateResult {
    const { counts } = this;
    const tables = [...(this.floor?.tables ?? [])].sort((a, b) => urgency(a) - urgency(b) || byName(a, b));
    return html`<section class="attention ${counts.length ? "busy" : ""}" role="status" aria-label=${t("Waiting")}>
        ${this.floor && !counts.length ? html`<p class="calm">${t("Nothing is waiting.")}</p>` : nothing}
        ${counts.map(
          ([kind, count]) => html`<span class="waits ${kind}" data-kind=${kind}
            ><span class="kind">${t(KINDS[kind])}</span> <b>${count}</b></span>`,
        )}</section>
      <ul class="wall tiles ${tables.length <= FEW ? "few" : ""}" aria-label=${t("Tables")}>${tables.map(tile)}</ul>`;
  }
}
customElements.define("locked-wall", LockedWall);

function urgency({ lamp }: LockedTable): number {
  const place = URGENT.indexOf(lamp);
  return place < 0 ? URGENT.length : place;
}

function tile({ table, game, lamp, stage, seconds, boxes, taken }: LockedTable): TemplateResult {
  const says = SAYS[lamp];
  const phase = says ? t(says) : pitPhase(stage);
  return html`<li class="spot-of ${game} lamp-${lamp}" data-table=${table}><div class="seen">
    <span class="head"><span class="name">${table}
      <small>${gameKind(lobby.terms.get(table)?.title ?? "")}</small></span>
      <span class="time">${minutes(seconds)}</span></span>
    <span class="foot"><span class="phase">${phase}</span>
      <span class="boxes" role="img" aria-label=${t("{taken} of {boxes} boxes in play", {
        taken: taken.length,
        boxes,
      })}>${Array.from(
        { length: boxes },
        (_, i) => html`<i class=${taken.includes(i + 1) ? "lit" : ""}></i>`,
      )}</span></span></div></li>`;
}
