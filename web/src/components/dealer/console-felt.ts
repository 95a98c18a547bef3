/** The dealer's felt: bets by tapping, a chip and then a spot; the last tap can be taken back. */

import { html, nothing, type TemplateResult } from "lit";

import type { BetKind, BoxView } from "../../api/types";
import { cents, plain, short, totalOf } from "../../lib/money";
import { TRAY } from "../../lib/play/betting";
import { payTablesOf } from "../../lib/state/pay-tables";
import { title } from "../../lib/text/labels";
import "../felt/felt-table";
import { t } from "../../lib/text/language";
import type { FeltControls } from "../felt/controls";
import { chip } from "../table/chips";
import { staffTable } from "../table/staff-table";
import { repeatBets } from "./bet-entry";
import type { DealerTable } from "./dealer-table";

/** A tap that placed chips: the bet, and what lay there before. */
interface Tap {
  round: number;
  box: number;
  player: string;
  bet: string;
  before: number;
}

export class ConsoleFelt {
  private box = 0;
  private chip = 2500;
  private taps: Tap[] = [];
  /** The player for whom bets are entered at a box where no chips lie yet. */
  private players = new Map<number, string>();

  /** `tapped` is called with the box that the dealer taps and its player, `bought` with a chip for a buy-in. */
  constructor(
    private readonly changed: () => void,
    private readonly tapped: (box: number, player: string) => void,
    private readonly bought: (value: number) => void,
  ) {}

  /** The box that the dealer has tapped; 0 for none. */
  get chosen(): number {
    return this.box;
  }

  playerAt(view: BoxView | undefined): string {
    return view?.stakes[0]?.player ?? this.players.get(view?.box ?? 0) ?? "";
  }

  /** Remember whose bets are entered at a box. */
  seat(box: number, player: string): void {
    this.players.set(box, player);
    this.box = box;
    this.changed();
  }

  render(table: DealerTable): TemplateResult {
    const { view, terms, name } = table;
    return html`<section class="felt-panel console-felt" aria-label=${t("The table")}>
      <felt-table .terms=${terms} .view=${view} .print=${payTablesOf(name)} .controls=${this.controls(table)}
        ></felt-table>
      <details class="as-list" open><summary>${t(
        "The boxes as a list",
      )}</summary>${staffTable(view)}</details></section>`;
  }

  private controls(table: DealerTable): FeltControls {
    const { view } = table;
    const isBetting = view.stage === "betting";
    const owner = ({ box, stakes }: BoxView): string =>
      stakes[0]?.player ?? view.lines.find((line) => line.box === box)?.player ?? "";
    if (!isBetting) return { owner, ...settledBox(view) };
    return {
      owner,
      boxes: this.box ? [this.box] : [],
      active: this.box,
      choose: (box, bet) => {
        this.box = box;
        this.tapped(box, this.playerAt(view.boxes[box - 1]));
        this.changed();
        if (!this.playerAt(view.boxes[box - 1])) this.takeBuyIn();
        else if (bet) void this.place(table, box, bet);
      },
      spot: ({ box }, bet) =>
        bet.kind === "decision"
          ? {}
          : {
              act: () => void this.place(table, box, bet),
              isDisabled: table.isHeld,
              hint: this.hint(table, bet),
              says: t("place {amount}", { amount: short(this.amountOn(table, bet)) }),
            },
    };
  }

  private hint({ terms }: DealerTable, { bet, kind }: BetKind): string {
    if (kind === "jackpot") return terms.jackpot_bet ? short(cents(terms.jackpot_bet)) : "";
    const [low, high] = terms.limits[bet] ?? [];
    return low && high ? `${short(cents(low))}–${short(cents(high))}` : "";
  }

  private amountOn({ terms }: DealerTable, { kind }: BetKind): number {
    return kind === "jackpot" ? cents(terms.jackpot_bet ?? "0") : this.chip;
  }

  private async place(table: DealerTable, box: number, bet: BetKind): Promise<void> {
    const view = table.view.boxes[box - 1];
    const player = this.playerAt(view);
    if (!player) return this.takeBuyIn();
    const before = totalOf(view?.stakes.filter((stake) => stake.bet === bet.bet && stake.player === player) ?? []);
    const amount = plain(this.amountOn(table, bet));
    const round = table.view.round;
    if (await table.perform({ do: "bet", box, player, bet: bet.bet, amount }))
      this.taps = [...this.taps.filter((tap) => tap.round === round), { round, box, player, bet: bet.bet, before }];
    this.changed();
  }

  /** A box without a player: its money comes first. */
  private takeBuyIn(): void {
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>(".buy-in [name=paid]")?.focus());
  }

  /** Take the last tap back: the bet goes back to what it was before. */
  private async undo(table: DealerTable): Promise<void> {
    const tap = this.taps.at(-1);
    if (!tap) return;
    const { box, player, bet, before } = tap;
    if (!(await table.perform({ do: "withdraw", box, player, bet }))) return;
    this.taps = this.taps.slice(0, -1);
    if (before) await table.perform({ do: "bet", box, player, bet, amount: plain(before) });
    this.changed();
  }

  /** The chips to tap, the last round's bets, and the last tap taken back. */
  tray(table: DealerTable): TemplateResult {
    const last = this.taps.filter(({ round }) => round === table.view.round).at(-1);
    const player = this.playerAt(table.view.boxes[this.box - 1]);
    const advice = !this.box
      ? t("Tap a box, then a chip and its spots.")
      : player
        ? t("Box {box}, {player}: tap the spots.", { box: this.box, player })
        : t("Box {box} has no player yet: tap chips for its buy-in, or name a player below.", { box: this.box });
    return html`<div class="console-tray" role="group" aria-label=${t("Chips")}>
      <p class="quiet">${advice}</p>
      <div class="chips-row" role="radiogroup" aria-label=${t("Which chip")}>${TRAY.map(
        (value) => html`<button type="button" role="radio" class="pick" data-chip=${value / 100}
          aria-checked=${value === this.chip ? "true" : "false"} aria-label=${t("Chip of {value}", {
            value: short(value),
          })}
          @click=${() => this.pick(value, this.box > 0 && !player)}>${chip(value)}</button>`,
      )}</div>
      <div class="tools"><button type="button" class="button small ghost" data-tool="undo"
        ?disabled=${!last || table.isHeld}
        @click=${() => this.undo(table)}>${
          last ? t("Undo box {box} {bet}", { box: last.box, bet: title(last.bet) }) : t("Undo")
        }</button>
        ${
          table.view.round > 1
            ? html`<button type="button" class="button small ghost" ?disabled=${table.isBusy}
                @click=${() => repeatBets(table)}>${t("As in the last round")}</button>`
            : nothing
        }</div></div>`;
  }

  /** Choose a chip; for a box without a player it is money for the buy-in. */
  private pick(value: number, isBuyIn: boolean): void {
    this.chip = value;
    if (isBuyIn) this.bought(value);
    this.changed();
  }
}

/** The box whose chips move now: the felt lights it. */
function settledBox({ settling }: DealerTable["view"]): Pick<FeltControls, "boxes" | "active"> {
  const box = settling?.mispay?.box ?? settling?.acts[settling.done]?.box;
  return box ? { boxes: [box], active: box } : {};
}
