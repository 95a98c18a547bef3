/** The form in which a dealer enters the bets of players without a screen. */

import { html, nothing, type TemplateResult } from "lit";

import { commandId } from "../../api/command-id";
import type { BetKind, RoundStep, SeatedPlayer, Stake } from "../../api/types";
import { AMOUNT, amount, inputValue, readForm } from "../../lib/forms";
import { cents, plain, short, show } from "../../lib/money";
import { requests } from "../../lib/state/requests";
import { refuse, toast } from "../../lib/state/toasts";
import { title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import type { DealerTable } from "./dealer-table";

export class BetEntry {
  /** The money of a buy-in as typed or tapped. */
  private paid = "";
  private entry = { box: 1, player: "", bet: "ante", amount: "25.00" };

  /** `seat` is called with the box and the player whom the dealer names. */
  constructor(
    private readonly changed: () => void,
    private readonly seat: (box: number, player: string) => void,
  ) {}

  /** Enter bets for a box from now on. */
  choose(box: number, player = ""): void {
    if (box !== this.entry.box) this.paid = "";
    this.set({ box, player: player || this.entry.player });
  }

  /** Add a chip to the money of the buy-in. */
  addMoney(value: number): void {
    this.paid = plain((new RegExp(`^(${AMOUNT})$`).test(this.paid) ? cents(amount(this.paid)) : 0) + value);
    this.changed();
  }

  private set(fields: Partial<BetEntry["entry"]>): void {
    this.entry = { ...this.entry, ...fields };
    this.changed();
  }

  render(table: DealerTable): TemplateResult {
    const { isBusy } = table;
    const place = (event: Event): void => {
      event.preventDefault();
      this.seat(this.entry.box, this.entry.player);
      void table.perform({ do: "bet", ...this.entry, amount: amount(this.entry.amount) });
    };
    return html`<section class="panel" aria-label=${t("Enter bets")}><h2>${t("Enter bets")}</h2>
      <form class="bets-form" @submit=${place}>
        ${this.boxes(table)}
        <label>${t("Player")} <input name="player" required maxlength="40" autocomplete="off" autocapitalize="none"
          .value=${this.entry.player} @input=${(event: Event) => this.set({ player: inputValue(event) })}></label>
        ${this.kinds(table)}
        <label>${t("Amount")} <input name="amount" inputmode="decimal" required pattern=${AMOUNT}
          .value=${this.entry.amount} @input=${(event: Event) => this.set({ amount: inputValue(event) })}></label>
        <button class="button" ?disabled=${isBusy}>${t("Place")}</button>
      </form>
      ${this.chipsOut(table)} ${withdrawals(table)}
    </section>`;
  }

  /** Chips for money at the table; without a name the patron is known by table and box. */
  buyIn({ name }: DealerTable): TemplateResult {
    const { box } = this.entry;
    const buy = async (event: SubmitEvent): Promise<void> => {
      const { form, field } = readForm(event);
      const known = field("patron").trim();
      const body = { id: commandId(), box, amount: amount(field("paid")), ...(known ? { player: known } : {}) };
      try {
        const path = `/api/tables/${encodeURIComponent(name)}/buy-in`;
        const { player, balance } = await requests.send<SeatedPlayer>("POST", path, body);
        form.reset();
        this.paid = "";
        this.set({ player });
        this.seat(box, player);
        toast(t("Box {box}: {balance} in chips for {player}.", { box, balance: show(balance), player }));
      } catch (error) {
        refuse(error);
      }
    };
    return html`<form class="buy-in" @submit=${buy}><h3>${t("Buy-in at box {box}", { box })}</h3><div class="row pair">
      <label>${t("Money")} <input name="paid" inputmode="decimal" required pattern=${AMOUNT} .value=${this.paid}
        @input=${(event: Event) => {
          this.paid = inputValue(event);
        }}></label>
      <label>${t("For a known player")} <input name="patron" maxlength="40" autocomplete="off" autocapitalize="none"
        placeholder=${t("empty: Box {box}", { box })}></label>
      <button class="button small ghost">${t("Take it")}</button></div></form>`;
  }

  /** Chips that the player named above takes away, or has changed into chips of another value. */
  private chipsOut({ name }: DealerTable): TemplateResult {
    const { player } = this.entry;
    const send = async (event: SubmitEvent): Promise<void> => {
      const { form, field } = readForm(event);
      const chip = field("chip").trim();
      const body = { id: commandId(), player, amount: amount(field("out")), ...(chip ? { chip: amount(chip) } : {}) };
      try {
        const path = `/api/tables/${encodeURIComponent(name)}/${chip ? "colour-change" : "chips-out"}`;
        const { balance } = await requests.send<SeatedPlayer>("POST", path, body);
        form.reset();
        toast(
          chip
            ? t("{player}: {amount} changed into chips of {chip}.", {
                player,
                amount: show(body.amount),
                chip: show(body.chip!),
              })
            : t("{player} takes chips away and has {left} left.", { player, left: show(balance) }),
        );
      } catch (error) {
        refuse(error);
      }
    };
    return html`<form class="buy-in" @submit=${send}>
      <h3>${t("Chips out or colour change for {player}", { player: player || t("nobody") })}</h3><div class="row pair">
      <label>${t("Chips")} <input name="out" inputmode="decimal" required pattern=${AMOUNT}></label>
      <label>${t("Into chips of")} <input name="chip" inputmode="decimal" pattern=${AMOUNT}
        placeholder=${t("empty: out")}></label>
      <button class="button small ghost" ?disabled=${!player}>${t("Give")}</button></div></form>`;
  }

  private boxes({ view }: DealerTable): TemplateResult {
    return html`<fieldset><legend>${t("Box")}</legend><div class="row">${view.boxes.map(
      ({ box, stakes }) => html`<label class="pill"><input type="radio" name="box" .checked=${this.entry.box === box}
        @change=${() => this.choose(box, stakes[0]?.player)}><span>${box}</span></label>`,
    )}</div></fieldset>`;
  }

  private kinds({ terms }: DealerTable): TemplateResult {
    const choose = ({ bet, kind }: BetKind): void =>
      this.set({ bet, ...(kind === "jackpot" ? { amount: terms.jackpot_bet! } : {}) });
    return html`<fieldset><legend>${t("Bet")}</legend><div class="row">${betKinds(terms).map(
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

/** The bets that are placed before the deal at a table. */
function betKinds({ bets, jackpot_bet }: DealerTable["terms"]): BetKind[] {
  return bets.filter(({ kind }) => kind !== "decision" && (kind !== "jackpot" || jackpot_bet));
}

/** Place the bets of the last round again, in the order of the layout. */
export async function repeatBets(table: DealerTable): Promise<void> {
  const order = betKinds(table.terms).map(({ bet }) => bet);
  const bets = (await lastBets(table)).sort((a, b) => order.indexOf(a.bet) - order.indexOf(b.bet));
  for (const { box, player, bet, amount: staked } of bets)
    await table.perform({ do: "bet", box, player, bet, amount: staked });
}

/** The bets of the last round as they were when its bets were closed, by whichever dealer. */
async function lastBets({ name, view }: DealerTable): Promise<(Stake & { box: number })[]> {
  try {
    const path = `/api/tables/${encodeURIComponent(name)}/rounds/${view.round - 1}`;
    const { steps } = await requests.get<{ steps: RoundStep[] }>(path);
    const closed = steps.find(({ event }) => event.type === "BetsClosed");
    if (!closed) toast(t("Bets were never closed in the last round."));
    return closed?.view.boxes.flatMap(({ box, stakes }) => stakes.map((stake) => ({ box, ...stake }))) ?? [];
  } catch (error) {
    refuse(error);
    return [];
  }
}
