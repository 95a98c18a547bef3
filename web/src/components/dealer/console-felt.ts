/** The dealer's felt: bets by tapping, a chip and then a spot; the last tap can be taken back. */

import { html, nothing, type TemplateResult } from "lit";

import type { BetKind, BoxView } from "../../api/types";
import { cents, short, show } from "../../lib/money";
import { betLimits } from "../../lib/play/bet-limits";
import { TRAY } from "../../lib/play/betting";
import { payTablesOf } from "../../lib/state/pay-tables";
import { patronName, title } from "../../lib/text/labels";
import "../felt/felt-table";
import { t } from "../../lib/text/language";
import type { FeltControls } from "../felt/controls";
import { chip } from "../table/chips";
import { staffTable } from "../table/staff-table";
import type { BetEntry } from "./bet-entry";
import { chipsOf, type DealerTable, seatAt } from "./dealer-table";
import { EnteredBets, type Placed } from "./entered-bets";

export class ConsoleFelt {
  private box = 0;
  private chip = 2500;
  private readonly bets: EnteredBets;

  /** `tapped` is called with the box that the dealer taps. */
  constructor(
    private readonly changed: () => void,
    private readonly tapped: (box: number) => void,
    private readonly entry: () => BetEntry,
  ) {
    this.bets = new EnteredBets(changed);
  }

  /** The box that the dealer has tapped; 0 for none. */
  get chosen(): number {
    return this.box;
  }

  select(box: number): void {
    this.box = box;
    this.changed();
  }

  render(table: DealerTable): TemplateResult {
    const { view, terms, name } = table;
    return html`<section class="felt-panel console-felt" aria-label=${t("The table")}>
      <felt-table .terms=${terms} .view=${beforeActs(view)}
        .print=${payTablesOf(name)} .controls=${this.controls(table)}
        ></felt-table>
      <details class="as-list" open><summary>${t(
        "The boxes as a list",
      )}</summary>${staffTable(view)}</details></section>`;
  }

  private controls(table: DealerTable): FeltControls {
    const { view } = table;
    const isBetting = view.stage === "betting";
    const owner = ({ box, stakes }: BoxView): string => {
      const player = stakes[0]?.player ?? view.lines.find((line) => line.box === box)?.player;
      return patronName(table.name, player ?? seatAt(table, box)?.player ?? "");
    };
    if (!isBetting) return { owner, ...settledBox(view) };
    return {
      owner,
      boxes: this.box ? [this.box] : [],
      active: this.box,
      choose: (box, bet) => {
        this.tapped(box);
        this.select(box);
        if (!this.hasChips(table, box)) this.takeBuyIn();
        else if (bet) void this.place(table, box, bet);
      },
      spot: ({ box }, bet) =>
        bet.kind === "decision"
          ? {}
          : {
              act: () => void this.place(table, box, bet),
              isDisabled: table.isHeld,
              hint: this.hint(table, box, bet),
              says: t("place {amount}", { amount: short(this.amountOn(table, bet)) }),
            },
    };
  }

  private hint({ terms }: DealerTable, box: number, { bet, kind }: BetKind): string {
    if (kind === "jackpot") return terms.jackpot_bet ? short(cents(terms.jackpot_bet)) : "";
    const [low, high] = betLimits(terms, box, bet) ?? [];
    return low && high ? `${short(cents(low))}–${short(cents(high))}` : "";
  }

  private amountOn({ terms }: DealerTable, { kind }: BetKind): number {
    return kind === "jackpot" ? cents(terms.jackpot_bet ?? "0") : this.chip;
  }

  private async place(table: DealerTable, box: number, bet: BetKind): Promise<void> {
    const player = this.entry().player(table, box);
    if (!player) return this.takeBuyIn();
    if (await this.bets.place(table, { box, player, bet: bet.bet, amount: this.amountOn(table, bet) }))
      this.entry().placed();
  }

  /** Whether bets can be placed at a box: chips lie there, its patron holds some, or the dealer has named a player. */
  private hasChips(table: DealerTable, box: number): boolean {
    const seat = seatAt(table, box);
    return Boolean(
      table.view.boxes[box - 1]?.stakes.length || (seat && cents(seat.balance)) || this.entry().isNamed(box),
    );
  }

  /** A box without a player: its money comes first. */
  private takeBuyIn(): void {
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>(".buy-in [name=paid]")?.focus());
  }

  /** The chips to tap, the last round's bets, and the last tap taken back. */
  tray(table: DealerTable): TemplateResult {
    const { box } = this;
    this.bets.follow(table);
    const last = this.bets.last(table);
    const missing = this.bets.missing(table);
    const needsMoney = box > 0 && !this.hasChips(table, box);
    return html`<div class="console-tray" role="group" aria-label=${t("Chips")}>
      <p class="quiet">${
        needsMoney
          ? t("Box {box} has no chips: tap them for its buy-in, or name a player below.", { box })
          : advice(table, box, this.entry().player(table, box))
      }</p>
      <div class="chips-row" role="radiogroup" aria-label=${t("Which chip")}>${TRAY.map(
        (value) => html`<button type="button" role="radio" class="pick" data-chip=${value / 100}
          aria-checked=${value === this.chip ? "true" : "false"} aria-label=${t("Chip of {value}", {
            value: short(value),
          })}
          @click=${() => this.pick(value, needsMoney)}>${chip(value)}</button>`,
      )}</div>
      <div class="tools"><button type="button" class="button small ghost" data-tool="undo" data-repeat
        ?disabled=${!last || table.isHeld}
        @click=${() => this.bets.undo(table)}>${undoText(last)}</button>
        ${
          table.view.round > 1
            ? html`<button type="button" class="button small ghost" ?disabled=${!missing.length || table.isHeld}
                @click=${() => this.bets.repeat(table)}>${t("As in the last round")}</button>`
            : nothing
        }</div></div>`;
  }

  /** Choose a chip; for a box without a player it is money for the buy-in. */
  private pick(value: number, isBuyIn: boolean): void {
    this.chip = value;
    if (isBuyIn) this.entry().addMoney(value);
    this.changed();
  }
}

/** The view with the chips that lie on the felt until their act is confirmed. */
function beforeActs(view: DealerTable["view"]): DealerTable["view"] {
  const { settling, stage } = view;
  if (!settling) return view;
  const due = settling.acts.slice(settling.done);
  const isDue = (box: number, bet: string): boolean => due.some((act) => act.box === box && act.bet === bet);
  const boxes = view.boxes.map((box) => ({
    ...box,
    stakes: due
      .filter((act, i) => act.box === box.box && !due.slice(0, i).some((o) => o.box === act.box && o.bet === act.bet))
      .map(({ player, bet, lies }) => ({ player, bet, amount: lies })),
  }));
  // Chips of a void round lie there until they are given back.
  const shown = stage === "void" && due.length ? "settled" : stage;
  return { ...view, stage: shown, boxes, lines: view.lines.filter(({ box, bet }) => !isDue(box, bet)) };
}

/** The box whose chips move now: the felt lights it. */
function settledBox({ settling }: DealerTable["view"]): Pick<FeltControls, "boxes" | "active"> {
  const box = settling?.mispay?.box ?? settling?.acts[settling.done]?.box;
  return box ? { boxes: [box], active: box } : {};
}

/** What to tap next, and the chips that the patron of the chosen box holds. */
function advice(table: DealerTable, box: number, player: string): TemplateResult {
  if (!box) return html`${t("Tap a box, then a chip and its spots.")}`;
  const held = chipsOf(table, player);
  const chips =
    held || seatAt(table, box)
      ? html` <b data-test="box-chips">${t("Chips: {balance}.", { balance: show(held) })}</b>`
      : "";
  const isNamed = patronName(table.name, player) === player;
  return html`${
    isNamed ? t("Box {box}, {player}: tap the spots.", { box, player }) : t("Box {box}: tap the spots.", { box })
  }${chips}`;
}

function undoText(last: Placed[] | undefined): string {
  const [only, more] = last ?? [];
  if (more) return t("Undo “as in the last round”");
  return only ? t("Undo box {box} {bet}", { box: only.box, bet: title(only.bet) }) : t("Undo");
}
