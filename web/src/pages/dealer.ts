import { html, nothing, type TemplateResult } from "lit";

import { isTemporary } from "../api/http";
import type { AwardCase, Procedure } from "../api/types";
import { alert } from "../components/alert";
import "../components/confirm-dialog";
import type { ConfirmDialog } from "../components/confirm-dialog";
import { awardPayment } from "../components/dealer/award-payment";
import { BetEntry } from "../components/dealer/bet-entry";
import { CardCorrection } from "../components/dealer/cards/correction";
import { CardEntry } from "../components/dealer/cards/entry";
import { ConsoleFelt } from "../components/dealer/console-felt";
import type { Command, DealerTable } from "../components/dealer/dealer-table";
import { DecisionList } from "../components/dealer/decision-list";
import { givenRulings } from "../components/dealer/given-rulings";
import { HandOver } from "../components/dealer/hand-over";
import { nextStep } from "../components/dealer/next-step";
import { OptionList } from "../components/dealer/option-list";
import { payAndTake } from "../components/dealer/pay-and-take";
import "../components/dealer/report-dialog";
import type { ReportDialog } from "../components/dealer/report-dialog";
import "../components/dealer/supervisor-call";
import { OpeningCount } from "../components/dealer/tray-count";
import { citations } from "../components/rules/citations";
import { served } from "../components/served";
import { awardBanner } from "../components/table/award-banner";
import { awardList } from "../components/table/awards";
import { CardOrder } from "../components/table/card-order";
import { restartNotice } from "../components/table/restart-notice";
import { StateElement } from "../lib/element";
import { FocusKeeper } from "../lib/focus";
import { cents, show, signed, totalOf } from "../lib/money";
import { awardsOf, isOpenAward, isOver } from "../lib/play/table-view";
import { live, perform } from "../lib/state/live";
import { lobby } from "../lib/state/lobby";
import { loadPayTables } from "../lib/state/pay-tables";
import { RETRY, requests } from "../lib/state/requests";
import { session } from "../lib/state/session";
import { tables } from "../lib/state/tables";
import { endPhaseToasts } from "../lib/state/toasts";
import { shieldTaps } from "../lib/tap-shield";
import { capital, label, versioned } from "../lib/text/labels";
import { list, t } from "../lib/text/language";
import { failure } from "../lib/text/sentences";
import { hour } from "../lib/text/time";

/** Milliseconds between two readings: a signature or a hand-over is not an event of the table. */
const POLL = 3000;

/** What has the focus in a new step, the first that is there. Bets are never closed, and no box decides, by a second
 *  press of Enter. */
const FIRST = ["[autofocus]", ".pick[aria-checked=true]", ".due", "[data-action]:enabled"];

/** An act is confirmed by a press of its own: a key that is held down confirms nothing more. */
function withoutRepeats(event: KeyboardEvent): void {
  if (event.repeat && event.key === "Enter") event.preventDefault();
}

/** The dealer's console: the words to say, the next step, bets and cards from the keyboard, what to pay and take. */
export class DealerPage extends StateElement {
  static override properties = { name: { attribute: false } };
  name = "";
  private procedure: Procedure | null = null;
  /** The event of the table and the hits of its link that the procedure was requested for, and that it describes. */
  private requestedSeq = "";
  private loadedSeq = "-";
  private poll = 0;
  /** Steps of dealing that are done of those that are put on record together. */
  private said = 0;
  private shownStep = "";
  private isBusy = false;
  private error = "";
  private changed = (): void => this.requestUpdate();
  private cardEntry = new CardEntry(this.changed);
  private felt = new ConsoleFelt(
    this.changed,
    (box) => this.betEntry.choose(box),
    () => this.betEntry,
  );
  private betEntry = new BetEntry(this.changed, (box) => this.felt.select(box));
  private correction = new CardCorrection(this.changed);
  private decisionList = new DecisionList(this.changed);
  private optionList = new OptionList(this.changed);
  private handOver = new HandOver(this.changed);
  private openingCount = new OpeningCount(this.changed);
  /** Awards about which the dealer was asked before the next round. */
  private asked = new Set<number>();
  private cardOrder = new CardOrder(this.changed);
  private focusKeeper = new FocusKeeper(this);

  override connectedCallback(): void {
    super.connectedCallback();
    this.focusKeeper.start();
    this.addEventListener("keydown", withoutRepeats);
    shieldTaps(this);
    lobby.find(this.name);
    live.watch("table", this.name);
    const link = lobby.terms.get(this.name)?.link;
    if (link) live.watch("link", link);
    void loadPayTables(this.name, () => this.isConnected);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    live.unwatch("table", this.name);
    this.focusKeeper.stop();
  }

  protected override willUpdate(): void {
    this.focusKeeper.remember();
  }

  protected override updated(): void {
    // The felt renders after the page.
    requestAnimationFrame(() => this.focusKeeper.restore());
    const view = tables.views.get(this.name);
    // Of commands that are sent together, the last one says where the table stands.
    const hits = tables.links.get(lobby.terms.get(this.name)?.link ?? "")?.hits;
    const seq = `${view?.seq} ${hits}`;
    if (!view || seq === this.requestedSeq || this.isBusy) return;
    this.requestedSeq = seq;
    void this.loadProcedure();
  }

  private async loadProcedure(): Promise<void> {
    const seq = this.requestedSeq;
    const isWanted = (): boolean => seq === this.requestedSeq && this.isConnected;
    try {
      const procedure = await requests.get<Procedure>(`/api/tables/${encodeURIComponent(this.name)}/procedure`);
      if (seq !== this.requestedSeq) return;
      window.clearTimeout(this.poll);
      // A signature, a hand-over or a buy-in elsewhere is not an event of this table.
      if (isWanted()) this.poll = window.setTimeout(() => isWanted() && this.reload(), POLL);
      if (seq !== this.loadedSeq) this.said = 0;
      [this.procedure, this.loadedSeq, this.error] = [procedure, seq, ""];
    } catch (error) {
      if (isTemporary(error)) window.setTimeout(() => isWanted() && void this.loadProcedure(), RETRY);
      // What is shown stays where it was only to be read again.
      if (seq !== this.loadedSeq) this.error = failure(error);
    }
    this.requestUpdate();
    await this.updateComplete;
    requestAnimationFrame(() => this.followStep());
  }

  /** Show the top of a new step, and put the focus on what is done first in it, where nothing else has it. */
  private followStep(): void {
    const view = tables.views.get(this.name);
    const turn = Object.keys(this.procedure?.turn ?? {});
    const step = `${view?.round} ${view?.stage} ${view?.may?.includes("open")} ${this.procedure?.at} ${turn}`;
    const isNew = this.shownStep !== "" && step !== this.shownStep;
    this.shownStep = step;
    const next = this.querySelector(".next");
    // While bets are open the dealer scrolls to the form below.
    const isAway = view?.stage !== "betting" && next && next.getBoundingClientRect().top < 0;
    if (isNew && isAway) window.scrollTo(0, 0);
    if (!document.activeElement?.matches("body, main")) return;
    const first = isNew || this.focusKeeper.isLost ? FIRST : FIRST.slice(0, 1);
    const field = first.map((each) => this.querySelector<HTMLElement>(`.next ${each}`)).find(Boolean);
    field?.focus({ preventScroll: isNew });
  }

  private perform = async (command: Command): Promise<boolean> => {
    let done = false;
    await this.performTogether(async (send) => {
      done = await send(command);
    });
    return done;
  };

  private performTogether: DealerTable["performTogether"] = async (work) => {
    if (this.isBusy) return;
    this.isBusy = true;
    this.requestUpdate();
    await work(async (command) => {
      const done = await perform(this.name, command);
      // A refusal is over with the step that was accepted after it.
      if (done) endPhaseToasts();
      return done;
    });
    this.isBusy = false;
    this.requestUpdate();
  };

  /** Play may go on while an award waits for its signatures; its cards must stay. A correction ends with its round, and
   * a dealer has one table. */
  private async openBets(table: DealerTable): Promise<void> {
    const awards = awardsOf(table.view).filter((each) => isOpenAward(each) && !this.asked.has(each.award));
    const open = async (): Promise<void> => {
      for (const { award } of awards) this.asked.add(award);
      await this.perform({ do: "open" });
    };
    await this.loadProcedure(); // a round at another table is not an event of this one
    const others = this.procedure?.deals_at ?? [];
    const isCorrected = Boolean(this.procedure?.corrections.length);
    if (!awards.length && !others.length && !isCorrected) return open();
    const says = [
      isCorrected
        ? t("A correction of this round waits for its signature: once bets are open it can no longer be made.")
        : "",
      ...awards.map(({ box }) => t("The award at box {box} is not signed yet: keep its cards apart.", { box })),
      others.length
        ? t("You deal at {tables}, where a round is in play. The pit sees it.", { tables: list(others) })
        : "",
    ];
    this.querySelector<ConfirmDialog>("confirm-dialog")?.open({
      kind: "",
      title: t("Open bets?"),
      text: says.filter(Boolean).join(" "),
      action: t("Open bets"),
      cancel: t("Wait"),
      confirm: open,
    });
  }

  private reload = (): void => void this.loadProcedure();

  private report = (): void => this.querySelector<ReportDialog>("report-dialog")?.open(this.name);

  override render(): TemplateResult {
    const [view, terms] = [tables.views.get(this.name), lobby.terms.get(this.name)];
    if (!terms)
      return html`<main class="narrow" id="main"><h1>${t("There is no table {name}", { name: this.name })}</h1>
        <p><a href="#/">${t("Tables")}</a></p></main>`;
    if (!view) return html`<main id="main"><p>${t("Loading the table …")}</p></main>`;
    const { name, procedure, isBusy } = this;
    const left = procedure?.left;
    const isHeld = isBusy || Boolean(left) || this.loadedSeq !== this.requestedSeq;
    const table: DealerTable = {
      name,
      view,
      terms,
      procedure,
      isBusy,
      isHeld,
      perform: this.perform,
      performTogether: this.performTogether,
      said: procedure?.deal ? this.said : 0,
      say: (said) => {
        this.said = said;
        this.requestUpdate();
      },
      openBets: () => void this.openBets(table),
      reload: this.reload,
    };
    return html`<main class="dealer-page ${terms.game}" id="main">
      ${this.heading(table)}
      <div class="console-top"><div class="console-work"><section class="next panel" aria-label=${t("The next step")}>${
        this.error
          ? alert(this.error)
          : left
            ? html`<p class="say" data-test="left">${served(left)}</p>`
            : this.correction.isShown(table)
              ? this.correction.render(table)
              : nextStep(table, this.cardEntry, this.decisionList, this.optionList, this.cardOrder)
      }${left ? nothing : this.work(table)}</section>
      <div class="told">${givenRulings(table)} ${awardPayment(table)} ${awardBanner(name, this.awards(table))}
        ${restartNotice(view)} ${this.correction.status(table)} ${this.handOver.status(table)}</div></div>
      ${this.felt.render(table)}</div>
      <div class="console"><div class="column">
        ${view.stage === "betting" && !left ? this.betEntry.render(table) : nothing}
        ${awardList(
          view.earlier_awards,
          t("Not of this round: pay nothing for it here."),
          procedure?.payments?.filter(({ paid_out, round }) => paid_out && round !== view.round),
        )}
        ${view.stage === "idle" ? nothing : this.openingCount.render(table, "panel")}
        ${terms.staffed && !left ? this.handOver.render(table) : nothing}</div>
        <div class="column">
        <section class="panel last" aria-label=${t(
          "The procedure",
        )}><h2>${t("Procedure")}</h2>${this.steps(table)}</section></div>
      </div>
      <report-dialog></report-dialog><confirm-dialog></confirm-dialog>
    </main>`;
  }

  /** What hands do beside the words: chips and buy-ins while bets are open, the settlement when the round is over. */
  private work(table: DealerTable): TemplateResult | typeof nothing {
    if (this.error || this.correction.isShown(table)) return nothing;
    if (table.view.stage === "betting")
      return html`<div class="work">${this.felt.tray(table)}
        ${this.felt.chosen ? this.betEntry.buyIn(table) : nothing}</div>`;
    if (table.view.stage === "idle") return this.openingCount.render(table, "work");
    return isOver(table.view) && !table.view.awaiting.length ? payAndTake(table) : nothing;
  }

  /** The awards of this table, and those of its link. */
  private awards({ view, terms }: DealerTable): AwardCase[] {
    const linked = terms.link ? (tables.links.get(terms.link)?.awards ?? []) : [];
    const own = awardsOf(view);
    return [...own, ...linked.filter(({ award }) => !own.some((known) => known.award === award))];
  }

  private heading(table: DealerTable): TemplateResult {
    const { view, terms, procedure } = table;
    const staked = totalOf(view.boxes.flatMap(({ stakes }) => stakes));
    const meter = terms.link ? tables.links.get(terms.link)?.meter : undefined;
    const jackpot = meter
      ? html` · <span data-test="meter">${t("jackpot {meter}", { meter: show(meter) })}</span>`
      : nothing;
    const bank = procedure ? signed(cents(procedure.bank)) : "…";
    const cards = terms.physical ? t("real cards") : t("the program deals");
    const dealing = terms.dealing === "standard" ? "" : `${label(terms.dealing)} · `;
    const name = capital(session.me?.name ?? "");
    const taken = procedure?.handed_over;
    const time = hour(taken && taken.to === session.me?.name ? taken.at : (session.me?.since ?? Date.now()));
    const shift = procedure?.left ? name : t("{name}, on shift since {time}", { name, time });
    return html`<div class="table-head">
      <div><h1>${terms.table} <span>${t("{name}, round {round}", {
        name: versioned(terms),
        round: view.round,
      })}</span></h1>
        ${terms.missing ? html`<p class="notice" role="status">${served(terms.missing)}</p>` : nothing}
        <p data-test="shift" title=${meter ? t("The bank is counted after contributions to the jackpot.") : nothing}>
          <span class="quiet">${terms.operator} · ${dealing}${cards} ·</span> ${shift} · ${t(
            "on the table {staked} · bank {bank} {currency}",
            {
              staked: show(staked),
              bank,
              currency: terms.currency,
            },
          )}${jackpot}</p>
      </div>
      <div class="row">${this.correction.opener(table)}<supervisor-call .table=${this.name}></supervisor-call>
        <button type="button" class="button danger" @click=${this.report}>${t("Irregularity")}</button></div></div>`;
  }

  private steps({ view, procedure, said }: DealerTable): TemplateResult {
    if (!procedure) return html`<p>…</p>`;
    const { steps } = procedure;
    const at = procedure.deals[said] ?? procedure.at;
    const state = (i: number): string => (at === null || i > at ? "" : i < at ? "past" : "now");
    return html`<ol class="steps">${steps.map(
      ({ says, rules }, i) => html`<li class=${state(i)} aria-current=${i === at ? "step" : "false"}>${served(says)}
        ${citations(view.edition, rules)}</li>`,
    )}</ol>`;
  }
}
customElements.define("dealer-page", DealerPage);
