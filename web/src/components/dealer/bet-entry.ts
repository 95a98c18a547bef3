/** The form in which a dealer enters the bets of players without a screen. */

import { html, nothing, type TemplateResult } from "lit";

import { commandId } from "../../api/command-id";
import type { BetKind, SeatedPlayer } from "../../api/types";
import { enterToNext } from "../../lib/focus";
import { AMOUNT, amount, inputValue, readForm } from "../../lib/forms";
import { cents, chipCount, plain, short, show } from "../../lib/money";
import { placeableKinds } from "../../lib/play/own-bets";
import { requests } from "../../lib/state/requests";
import { refuse, toast } from "../../lib/state/toasts";
import { patronName, title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { chipsOf, type DealerTable, playerAt, seatAt } from "./dealer-table";

const IS_AMOUNT = new RegExp(`^(${AMOUNT})$`);

export class BetEntry {
  /** The money of a buy-in as typed or tapped. */
  private paid = "";
  /** The last buy-in at the table, to be given back where it was taken by mistake. */
  private bought: { box: number; player: string; amount: number } | null = null;
  /** The chips that go out, as typed. */
  private out = "";
  /** `player` is null until the dealer types another name than that of the box's patron. */
  private entry: { box: number; player: string | null; bet: string; amount: string } = {
    box: 1,
    player: null,
    bet: "ante",
    amount: "25.00",
  };

  /** `select` is called with the box for which the dealer has entered something. */
  constructor(
    private readonly changed: () => void,
    private readonly select: (box: number) => void,
  ) {}

  /** Enter bets for a box from now on, for the patron who sits there. */
  choose(box: number): void {
    if (box === this.entry.box) return;
    this.paid = "";
    this.set({ box, player: null });
  }

  /** Add a chip to the money of the buy-in. */
  addMoney(value: number): void {
    this.paid = plain((IS_AMOUNT.test(this.paid) ? cents(amount(this.paid)) : 0) + value);
    this.changed();
  }

  private set(fields: Partial<BetEntry["entry"]>): void {
    this.entry = { ...this.entry, ...fields };
    this.changed();
  }

  /** Whose bets are entered at a box: the patron who sits there, or whom the dealer has named for the chosen one. */
  player(table: DealerTable, box = this.entry.box): string {
    return this.isNamed(box) ? this.entry.player!.trim() : playerAt(table, box);
  }

  /** Whether the dealer has named a player for a box: their chips are bet there, not bought. */
  isNamed(box: number): boolean {
    return box === this.entry.box && Boolean(this.entry.player?.trim());
  }

  /** A bet was placed: chips that were tapped for a buy-in are not taken. */
  placed(): void {
    this.paid = "";
  }

  render(table: DealerTable): TemplateResult {
    const { isBusy } = table;
    const player = this.player(table);
    const place = async (event: Event): Promise<void> => {
      event.preventDefault();
      const { box, bet } = this.entry;
      this.select(box);
      if (!(await table.perform({ do: "bet", box, player, bet, amount: amount(this.entry.amount) }))) return;
      this.placed();
      this.set({ player: null });
    };
    return html`<section class="panel" aria-label=${t("Enter bets")}><h2>${t("Enter bets")}</h2>
      <form class="bets-form" @submit=${place} @keydown=${enterToNext}>
        ${this.boxes(table)}
        <label>${t("Player")} <input name="player" required maxlength="40" autocomplete="off" autocapitalize="none"
          .value=${player} @input=${(event: Event) => this.set({ player: inputValue(event) })}></label>
        ${this.kinds(table)}
        <label>${t("Amount")} <input name="amount" inputmode="decimal" required pattern=${AMOUNT}
          .value=${this.entry.amount} @input=${(event: Event) => this.set({ amount: inputValue(event) })}></label>
        <button class="button" data-tool="place" ?disabled=${isBusy}>${t("Place")}</button>
      </form>
      ${this.chipsOut(table, player)} ${withdrawals(table)}
    </section>`;
  }

  /** Chips for money at the table; without a name the patron is known by table and box. */
  buyIn(table: DealerTable): TemplateResult {
    const { box } = this.entry;
    const { name } = table;
    const buy = async (event: SubmitEvent): Promise<void> => {
      const { field } = readForm(event);
      const known = field("patron").trim();
      // A name without money: the player's chips are bet here from now on.
      if (!field("paid")) return this.select(box);
      const body = { id: commandId(), box, amount: amount(field("paid")), ...(known ? { player: known } : {}) };
      try {
        const path = `/api/tables/${encodeURIComponent(name)}/buy-in`;
        const { player, balance } = await requests.send<SeatedPlayer>("POST", path, body);
        this.paid = "";
        this.bought = { box, player, amount: cents(body.amount) };
        this.set({ player: null });
        this.select(box);
        table.reload();
        const chips = chipCount(cents(body.amount));
        toast(
          t("{player}: {chips}. They have {balance}.", {
            player: patronName(name, player),
            chips,
            balance: show(balance),
          }),
        );
      } catch (error) {
        refuse(error);
      }
    };
    const type = (event: Event): void => {
      this.paid = inputValue(event);
      this.changed();
    };
    const seat = seatAt(table, box);
    const chips = IS_AMOUNT.test(this.paid) ? chipCount(cents(amount(this.paid))) : "";
    const known = this.entry.player ?? (seat && !seat.anonymous ? seat.player : "");
    const rename = (event: Event): void => this.set({ player: inputValue(event) || null });
    return html`<form class="buy-in" @submit=${buy}><h3>${t("Buy-in at box {box}", { box })}</h3><div class="row pair">
      <label>${t("Money")} <input name="paid" inputmode="decimal" pattern="[0-9]+([.,]00)?"
        title=${t("A whole amount such as 50")} ?required=${!this.isNamed(box)}
        .value=${this.paid} @input=${type}></label>
      <label>${t("For a known player")} <input name="patron" maxlength="40" autocomplete="off" autocapitalize="none"
        .value=${known} placeholder=${t("empty: Box {box}", { box })} @input=${rename}></label>
      <button class="button small ghost">${t("Take it")}</button>
      <span class="quiet" data-test="buy-in-chips">${chips}</span>${this.mistaken(table)}</div></form>`;
  }

  /** Money that was taken is on record: the way back is that the chips go out again. */
  private mistaken(table: DealerTable): TemplateResult | typeof nothing {
    const { bought } = this;
    const { box } = this.entry;
    if (!bought || bought.box !== box || playerAt(table, box) !== bought.player) return nothing;
    // Chips that were bet meanwhile are not the player's to give back.
    const left = Math.min(bought.amount, chipsOf(table, bought.player));
    if (!left) return nothing;
    const giveBack = (): void => {
      this.out = plain(left);
      this.changed();
      requestAnimationFrame(() => document.querySelector<HTMLInputElement>("[name=out]")?.focus());
    };
    return html`<button type="button" class="button small ghost" data-tool="buy-in-back" @click=${giveBack}
      >${t("Give {amount} back", { amount: show(left) })}</button>`;
  }

  /** Chips that the player named above takes away, or has changed into chips of another value. */
  private chipsOut(table: DealerTable, player: string): TemplateResult | typeof nothing {
    const { name } = table;
    const who = patronName(name, player);
    const send = async (event: SubmitEvent): Promise<void> => {
      const { form, field } = readForm(event);
      const chip = field("chip").trim();
      const out = { id: commandId(), player, amount: amount(field("out")) };
      const body = chip ? { ...out, chip: amount(chip) } : { ...out, box: this.entry.box };
      try {
        const path = `/api/tables/${encodeURIComponent(name)}/${chip ? "colour-change" : "chips-out"}`;
        const { balance } = await requests.send<SeatedPlayer>("POST", path, body);
        form.reset();
        this.out = "";
        if (!chip && this.bought?.player === player) this.bought = null;
        table.reload();
        const size = chip ? cents(amount(chip)) : 0;
        toast(
          chip
            ? t("{player}: {amount} changed into {count} chips of {chip}.", {
                player: who,
                amount: show(body.amount),
                count: cents(body.amount) / size,
                chip: show(size),
              })
            : t("{player} takes chips away and has {left} left.", { player: who, left: show(balance) }),
        );
      } catch (error) {
        refuse(error);
      }
    };
    if (!player) return nothing;
    return html`<form class="buy-in" @submit=${send}>
      <h3>${t("Chips out or colour change for {player}", { player: who })}</h3><div class="row pair">
      <label>${t("Chips")} <input name="out" inputmode="decimal" required pattern=${AMOUNT}
        .value=${this.out} @input=${(event: Event) => (this.out = inputValue(event))}></label>
      <label>${t("Into chips of")} <input name="chip" inputmode="decimal" pattern=${AMOUNT}
        placeholder=${t("empty: out")}></label>
      <button class="button small ghost">${t("Give")}</button></div></form>`;
  }

  private boxes({ view }: DealerTable): TemplateResult {
    return html`<fieldset><legend>${t("Box")}</legend><div class="row">${view.boxes.map(
      ({ box }) => html`<label class="pill"><input type="radio" name="box" .checked=${this.entry.box === box}
        @change=${() => this.choose(box)}><span>${box}</span></label>`,
    )}</div></fieldset>`;
  }

  private kinds({ terms }: DealerTable): TemplateResult {
    const choose = ({ bet, kind }: BetKind): void =>
      this.set({ bet, ...(kind === "jackpot" ? { amount: terms.jackpot_bet! } : {}) });
    return html`<fieldset><legend>${t("Bet")}</legend><div class="row">${[...placeableKinds(terms)].reverse().map(
      (kind) => html`<label class="pill"><input type="radio" name="bet" .checked=${this.entry.bet === kind.bet}
        @change=${() => choose(kind)}><span>${title(kind.bet)}</span></label>`,
    )}</div></fieldset>`;
  }
}

function withdrawals({ view, perform }: DealerTable): TemplateResult | typeof nothing {
  const bets = view.boxes.flatMap(({ box, stakes }) => stakes.map((stake) => ({ box, ...stake })));
  if (!bets.length) return nothing;
  return html`<h3>${t("Take a bet back")}</h3><div class="row">${bets.map(
    ({ box, bet, player, amount: staked }) => html`<button type="button" class="button small ghost"
      @click=${() => perform({ do: "withdraw", player, box, bet })}
      >${t("Box {box} {bet} {staked}", { box, bet: title(bet), staked: short(cents(staked)) })}</button>`,
  )}</div>`;
}
