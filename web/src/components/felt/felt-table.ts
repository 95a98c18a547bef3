import { html, nothing, type PropertyValues, svg, type TemplateResult } from "lit";

import type { BetKind, BoxView, Line, PayTable, TableView } from "../../api/types";
import { StateElement } from "../../lib/element";
import { cents, short, totalOf } from "../../lib/money";
import { direction, totalNet } from "../../lib/play/results";
import { holeCardsName } from "../../lib/text/card-names";
import { title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";
import { describeBox } from "../../lib/text/narration";
import { payText } from "../../lib/text/odds";
import { sentence } from "../../lib/text/sentences";
import { stack } from "../table/chips";
import { payTable } from "../table/pay-tables";
import { CardMotion } from "./card-motion";
import { cloth } from "./cloth";
import type { FeltControls, FeltTerms } from "./controls";
import { type Block, CARD_RATIO, type Geometry, geometryOf, rowOf, turned, turnedBack } from "./geometry";
import { dealerHand, handMarks } from "./hand-marks";
import { identityOf, identityStyle } from "./identity";
import { type Lie, laidCards } from "./laid-cards";
import { betSpot, printedSpot, type SpotState } from "./spot";
import { STANDINGS, standingName } from "./standings";

/** Spots of a box from left to right, as the layouts have them. */
const ORDER = ["side", "entry", "payout", "jackpot"];

let count = 0;

/**
 * The felt of a table, drawn for the size it is given: set a width and a height, and it uses them.
 *
 *   <felt-table .terms=${terms} .view=${view} .print=${payTablesOf(name)} .controls=${{...}}></felt-table>
 *
 * `terms` say which game it is and which spots it has; any rulebook's terms will do. `view` is a table view as the
 * server sends it, live or from a replay. `print` are the pay tables on the cloth. Without `controls` nothing can be
 * tapped. From 980 x 400 pixels on, every box shows its spots; a smaller felt shows small boxes, and those of
 * `controls.boxes` large under them (or beside them, on a phone on its side).
 * Boxes in use carry `data-mine`, their spots `data-bet`, every box's button `data-box`.
 */
export class FeltTable extends StateElement {
  static override properties = {
    terms: { attribute: false },
    view: { attribute: false },
    print: { attribute: false },
    controls: { attribute: false },
  };
  terms!: FeltTerms;
  view!: TableView;
  print: PayTable[] = [];
  controls: FeltControls = {};
  private size = { w: 0, h: 0 };
  private geometry: Geometry | undefined;
  private motion = new CardMotion();
  private readonly uid = `felt${++count}`;
  private readonly observer = new ResizeObserver(([entry]) => {
    const { width: w, height: h } = entry!.contentRect;
    if (Math.abs(w - this.size.w) < 1 && Math.abs(h - this.size.h) < 1) return;
    this.size = { w, h };
    this.requestUpdate();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  protected override willUpdate(_: PropertyValues): void {
    if (!this.view || !this.terms) return;
    this.motion.follow(this.view);
  }

  /** Cards of a box, of the dealer and of the community, as the game deals them; a view may hold more. */
  private get cardPlaces(): { hand: number; dealer: number; board: number } {
    const { terms, view } = this;
    return {
      hand: Math.max(terms.box_cards, ...view.boxes.map(({ cards }) => cards.length)),
      dealer: Math.max(terms.dealer_cards, view.dealer.cards.length),
      board: Math.max(terms.community_cards, view.community.length),
    };
  }

  private get placed(): BetKind[] {
    return this.terms.bets
      .filter(({ kind }) => kind !== "decision" && (kind !== "jackpot" || this.terms.jackpot_bet))
      .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  }

  private get decisions(): BetKind[] {
    return this.terms.bets.filter(({ kind }) => kind === "decision");
  }

  private measure(): Geometry {
    const rows = (of: PayTable[]): number => of.reduce((sum, { rows: { length } }) => sum + length + 1.6, 0);
    const [jackpot, others] = this.printed();
    return geometryOf(this.size.w, this.size.h, {
      boxes: this.view.boxes.length || this.terms.boxes,
      board: this.cardPlaces.board,
      dealerCards: this.cardPlaces.dealer,
      handCards: this.cardPlaces.hand,
      spots: this.placed.length,
      decisions: this.decisions.length,
      focus: this.controls.boxes ?? [],
      printedRows: Math.max(rows(jackpot), rows(others), 1),
      printedLetters: Math.max(...this.print.flatMap((table) => table.rows.map(lettersOf)), 0),
    });
  }

  private printed(): [jackpot: PayTable[], others: PayTable[]] {
    return [this.print.filter(({ of }) => of === "jackpot"), this.print.filter(({ of }) => of !== "jackpot")];
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.size.w || !this.view || !this.terms) return nothing;
    const { terms } = this;
    const g = this.measure();
    this.geometry = g;
    const identity = identityOf(terms.game, terms.operator);
    const { board, dealer } = this.cardPlaces;
    const drawing = cloth(g, {
      operator: terms.operator,
      title: terms.title,
      hasShoe: /shoe/.test(terms.dealing),
      dealerCards: dealer,
      board,
      identity,
      id: this.uid,
    });
    return html`<section class="felt ${g.shape}" aria-label=${t("The felt")} style=${identityStyle(identity)}>
      <svg class="cloth" viewBox="0 0 ${g.w} ${g.h}" aria-hidden="true">${drawing}</svg>
      ${g.print.size ? this.payTables(g) : nothing}
      ${this.dealerPlaces(g, board)}
      <div class="positions" role="group" aria-label=${t("Betting boxes, clockwise from the dealer's left")}>
        ${[...g.seats].reverse().map((seat) => this.seat(seat))}
        ${[...g.blocks].sort((a, b) => a.x - b.x).map((block) => this.block(block))}
      </div>
    </section>`;
  }

  private payTables({ print: { left, right, size } }: Geometry): TemplateResult {
    const [jackpot, others] = this.printed();
    const side = (tables: PayTable[], { x, y, w, h }: typeof left, where: string): TemplateResult =>
      html`<div class="print ${where}" style="left:${x - w / 2}px;top:${y - h / 2}px;width:${w}px;font-size:${size}px"
        >${tables.map((table) => payTable(table))}</div>`;
    return html`${side(others, left, "left")}${side(jackpot, right, "right")}`;
  }

  private dealerPlaces(g: Geometry, board: number): TemplateResult {
    const { view } = this;
    const place = (name: string, at: Geometry["dealer"], codes: string[], label: string, places: number) =>
      html`<div class="place ${name}" style="left:${at.x}px;top:${at.y}px;--card:${at.card}px"
        ><h2>${label}</h2>${this.cards(name, codes, label, {
          size: at.card,
          wide: at.card * 1.07 * Math.max(places, codes.length),
          places,
          at: [at.x, at.y],
          angle: 0,
        })}</div>`;
    const low = g.dealer.y + (g.dealer.card * CARD_RATIO) / 2;
    return html`${place("dealer-hand", g.dealer, view.dealer.cards, t("Dealer's cards"), this.cardPlaces.dealer)}
      ${board ? place("board", g.board, view.community, t("Community cards"), board) : nothing}
      <p class="hand-name dealer-name" style=${
        g.handName
          ? `top:${low + 3}px;left:${g.rail + 6}px;font-size:${(g.handName / 1.45).toFixed(1)}px`
          : `top:${low + 3}px;left:${g.dealer.x}px`
      }
        >${dealerHand(view)}</p>`;
  }

  /** Cards of one place, coming from the shoe. */
  private cards(
    place: string,
    codes: string[],
    label: string,
    lie: Omit<Lie, "shoe" | "marks">,
  ): TemplateResult | typeof nothing {
    const { active, boxes = [] } = this.controls;
    const own = active && boxes.includes(active) ? active : boxes[0];
    const box = this.view.boxes.find(({ cards }) => cards === codes) ?? this.view.boxes[(own ?? 0) - 1];
    const marks = handMarks(this.view, box);
    return laidCards(place, codes, label, { ...lie, marks, shoe: this.geometry!.shoe }, this.motion);
  }

  /** Cents on a spot: of the page's player at their own boxes, of every player elsewhere. */
  private staked(box: BoxView, { bet }: BetKind, lines: Line[]): number {
    const { player } = this.controls;
    const isOurs = (stake: { player: string }): boolean => !player || !this.isUsed(box.box) || stake.player === player;
    if (this.view.stage === "void") return 0;
    const settled = lines.filter((line) => line.bet === bet && isOurs(line));
    if (settled.length) return settled.reduce((sum, line) => sum + cents(line.staked), 0);
    return totalOf(box.stakes.filter((stake) => stake.bet === bet && isOurs(stake)));
  }

  /** The style of a box: how it stands, or that no bet is taken there. */
  private stateOf(box: BoxView): string {
    return this.controls.isClosed?.(box) ? "closed" : STANDINGS[box.stands];
  }

  private isUsed(box: number): boolean {
    return this.controls.boxes?.includes(box) ?? false;
  }

  private spots(block: Block, box: BoxView): TemplateResult[] {
    const { x, y, angle, w } = block;
    const { tray } = this.geometry!;
    const isUsed = this.isUsed(box.box);
    const lines = this.view.lines.filter((line) => line.box === box.box);
    const row = (bets: BetKind[], size: number, at: number): TemplateResult[] => {
      const step = Math.min(
        size * (bets.length > 2 ? 1.06 : 1.2),
        bets.length > 1 ? (w - size) / (bets.length - 1) : 0,
      );
      return bets.map((bet, i) => {
        const left = (i - (bets.length - 1) / 2) * step;
        const state: SpotState = {
          bet,
          staked: this.staked(box, bet, lines),
          lines: this.linesOn(bet, lines).filter((line) => !isUsed || this.isOwnLine(line)),
          control: isUsed ? this.controls.spot?.(box, bet) : undefined,
          size,
          x: left,
          y: at,
          tray: turned(tray.x - x - left, tray.y - y - at, angle),
        };
        return isUsed ? betSpot(state, this.view.stage === "void") : printedSpot(state);
      });
    };
    return [...row(this.decisions, block.decision, block.decisionsAt), ...row(this.placed, block.spot, block.spotsAt)];
  }

  /** The lines of a spot; a payout that has no spot of its own lies on the Ante's. */
  private linesOn({ bet, kind }: BetKind, lines: Line[]): Line[] {
    const hasSpot = (line: Line): boolean => this.terms.bets.some((other) => other.bet === line.bet);
    return lines.filter((line) => line.bet === bet || (kind === "entry" && !hasSpot(line)));
  }

  private isOwnLine(line: Line): boolean {
    return !this.controls.player || line.player === this.controls.player;
  }

  private result(box: number): number | null {
    const lines = this.view.lines.filter((line) => line.box === box);
    const result = totalNet(lines);
    return lines.length && (this.view.stage !== "void" || result) ? result : null;
  }

  /** The button of a box, with all that lies there in words. */
  private describe(box: BoxView): string {
    const total = totalOf(this.view.stage === "void" ? [] : box.stakes);
    const owner = this.controls.owner?.(box) ?? "";
    const free = box.stakes.length ? t("taken") : t("no player");
    return describeBox(box, owner || free, total, standingName(box), this.result(box.box));
  }

  private block(block: Block): TemplateResult | typeof nothing {
    const box = this.view.boxes[block.box - 1];
    if (!box) return nothing;
    const { x, y, w, h, angle } = block;
    const isUsed = this.isUsed(box.box);
    const standing = standingName(box);
    const classes = `block ${isUsed ? "used" : ""} ${box.box === this.controls.active ? "active" : ""} ${this.stateOf(
      box,
    )}`;
    const style =
      `left:${x - w / 2}px;top:${y - h / 2}px;width:${w}px;height:${h}px;--angle:${angle.toFixed(2)}deg;` +
      `--spot:${block.spot.toFixed(1)}px;--plate-y:${block.plateAt.toFixed(1)}px;` +
      `--cards-y:${block.cardsAt.toFixed(1)}px`;
    const label = this.controls.handLabel?.(box.box) ?? t("Cards of box {box}", { box: box.box });
    const besideX = block.isBeside ? -w * 0.22 : 0;
    const cards = this.cards(String(box.box), box.cards, label, {
      size: block.card,
      wide: block.isBeside ? w * 0.5 : w,
      places: this.cardPlaces.hand,
      at: turnedBack(x, y, besideX, block.cardsAt, angle),
      angle,
    });
    const places = html`<svg class="hand-places" viewBox="0 0 ${w} ${h}" aria-hidden="true"
      >${this.handPlaces(block, besideX)}</svg>`;
    if (!isUsed) {
      return html`<div class=${classes} style=${style}>${places}<div class="as-seen" aria-hidden="true">
        ${this.spots(block, box)}<div class="held">${cards}</div>${this.plate(box, standing)}</div>
        ${this.tile(box, "cover", nothing, block)}</div>`;
    }
    const isWide = this.geometry!.shape === "wide";
    return html`<article class="${classes} ${block.isBeside ? "beside" : ""}" style=${style} aria-label=${t(
      "Box {box}",
      { box: box.box },
    )}
      data-mine=${box.box}>
      ${places}${this.spots(block, box)}
      <div class="held" style="--held-x:${besideX}px">${cards}</div>
      <div class="plate" style="--plate-x:${this.plateX(block, besideX)}px">${
        isWide ? this.tile(box, "small", html`${box.box}`) : html`<h2>${t("Box {box}", { box: box.box })}</h2>`
      }
        <p class="hand-name" data-test="hand">${this.handName(box)}</p>
        ${this.controls.note?.(box) ?? nothing}</div>
    </article>`;
  }

  /** Where the plate begins beside the cards, from the middle of the block. */
  private plateX({ w, card: size }: Block, besideX: number): number {
    const row = rowOf(this.cardPlaces.hand, size, w * 0.5);
    return besideX + (row.at(-1) ?? 0) + size / 2 + 6;
  }

  private handPlaces(block: Block, besideX: number): unknown {
    const { w, h, card: size, cardsAt } = block;
    const wide = block.isBeside ? w * 0.5 : w;
    return rowOf(this.cardPlaces.hand, size, wide).map(
      (x) => svg`<rect x=${w / 2 + besideX + x - size / 2} y=${h / 2 + cardsAt - (size * CARD_RATIO) / 2} width=${size}
        height=${size * CARD_RATIO} rx=${size * 0.09}/>`,
    );
  }

  private handName(box: BoxView): string {
    return this.controls.handName?.(box) ?? (sentence(box.hand) || holeCardsName(box.cards));
  }

  private plate(box: BoxView, standing: string): TemplateResult {
    const result = this.result(box.box);
    const word = standing && result === null ? standing : (this.controls.owner?.(box) ?? sentence(box.hand));
    return html`<div class="plate"><span class="number">${box.box}</span><span class="name">${word}</span>
      ${result === null ? nothing : html`<span class="net ${direction(result)}">${signedShort(result)}</span>`}</div>`;
  }

  private tile(
    box: BoxView,
    style: string,
    content: TemplateResult | typeof nothing,
    block?: Block,
  ): TemplateResult | typeof nothing {
    const { choose, mayChoose, active } = this.controls;
    const isActive = box.box === active;
    const tap = (event: MouseEvent): void =>
      choose?.(box.box, block && event.detail ? this.betUnder(event, block) : undefined);
    return html`<button type="button" class="tile ${style}" data-box=${box.box}
      aria-pressed=${isActive ? "true" : "false"}
      ?disabled=${!choose || !(mayChoose?.(box) ?? true)} @click=${tap}
      ><span class="sr">${this.describe(box)}</span><span class="as-seen" aria-hidden="true"
      >${content}</span></button>`;
  }

  /** The bet on whose printed spot a tap fell. */
  private betUnder({ clientX, clientY }: MouseEvent, { box }: Block): BetKind | undefined {
    const marks = this.querySelector(`[data-box="${box}"]`)?.parentElement?.querySelectorAll<HTMLElement>(
      "[data-mark]",
    );
    const hit = [...(marks ?? [])].find((mark) => {
      const { left, right, top, bottom } = mark.getBoundingClientRect();
      return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    });
    return this.placed.find(({ bet }) => bet === hit?.dataset.mark);
  }

  /** A small box: its number, cards and chips; a box that is drawn large below shows only whose it is. */
  private seat(seat: Geometry["seats"][number]): TemplateResult | typeof nothing {
    const box = this.view.boxes[seat.box - 1];
    if (!box) return nothing;
    const isLarge = this.isUsed(seat.box) && this.geometry!.shape !== "seats";
    const total = totalOf(this.view.stage === "void" ? [] : box.stakes);
    const standing = standingName(box);
    const result = this.result(seat.box);
    const cards = this.cards(`seat${seat.box}`, box.cards, "", {
      size: seat.card,
      wide: seat.w - 4,
      places: 1,
      at: [seat.x, seat.y],
      angle: 0,
    });
    const rest = isLarge
      ? html`<span class="pin" aria-hidden="true">▾</span>`
      : html`<span class="held">${cards}</span>
          ${
            total && result === null
              ? html`<span class="chips">${stack(total)}<span>${short(total)}</span></span>`
              : nothing
          }`;
    const style = `left:${seat.x - seat.w / 2}px;top:${seat.y - seat.h / 2}px;width:${seat.w}px;height:${seat.h}px`;
    const content = html`<span class="number">${seat.box}</span>${rest}
      ${result === null ? nothing : html`<span class="net ${direction(result)}">${signedShort(result)}</span>`}
      <span class="name">${result === null ? standing || (this.controls.owner?.(box) ?? "") : ""}</span>`;
    const isActive = seat.box === this.controls.active;
    return html`<div class="seat ${isLarge ? "large" : ""} ${isActive ? "active" : ""} ${this.stateOf(box)}"
      style=${style}
      >${this.tile(box, "", content)}</div>`;
  }
}
customElements.define("felt-table", FeltTable);

/** Letters of a line of a pay table, with the space between its two parts. */
const lettersOf = ({ hand, pays }: PayTable["rows"][number]): number =>
  title(hand).length + (pays.endsWith("%") ? t("{share} of meter", { share: pays }) : payText(pays)).length + 1;

const signedShort = (value: number): string => `${value > 0 ? "+" : ""}${short(value)}`;
