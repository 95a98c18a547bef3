import { html, nothing, type TemplateResult } from "lit";

import type { FeltBody, Finding, Lawful, PileBody, PossibleLayout, Procedure } from "../../api/types";
import { StateElement } from "../../lib/element";
import { readForm } from "../../lib/forms";
import { cents, signed } from "../../lib/money";
import type { LiveView } from "../../lib/play/table-view";
import { requests } from "../../lib/state/requests";
import { refuse } from "../../lib/state/toasts";
import { t } from "../../lib/text/language";
import { placeName } from "../dealer/dealer-table";
import { served } from "../served";

/** The incidents for which a document asks whether, or in which order, cards can be put back. */
const RECONSTRUCTED = new Set([
  "burn_missed",
  "misdealt",
  "wrong_box_count",
  "wrong_dealer_count",
  "wrong_community_count",
  "dealing_error",
  "simultaneous_draw",
]);

/** Cards with spaces or commas between them. */
const CARDS = "\\s*(([AKQJT2-9][cdhs]|\\?\\?)[\\s,;]*)*";

/** The facts from which the layouts of a table were computed last, so that the ruling carries them. */
export const statedFacts = new Map<string, FeltBody>();

/** Whether a decision is about cards that may be put back. */
export const isAboutCards = ({ by, incident }: Lawful): boolean => by !== null && RECONSTRUCTED.has(incident);

/** What lies on the felt after a dealing error, and the layouts that it allows, before a supervisor rules. */
export class FeltFacts extends StateElement {
  static override properties = { view: { attribute: false }, incident: { attribute: false } };
  view!: LiveView;
  incident = "";
  private finding: Finding | null = null;
  /** Cards that are burnt by the procedure, as far as the round has come. */
  private burnt = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.countBurnt();
  }

  private async countBurnt(): Promise<void> {
    const path = `/api/tables/${encodeURIComponent(this.view.table)}/procedure`;
    this.burnt = (await requests.refresh(path, requests.get<Procedure>(path)))?.burnt ?? 0;
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const boxes = this.view.boxes.filter(({ stakes }) => stakes.length).map(({ box }) => String(box));
    const places = [...boxes, "dealer", "community", "burn"];
    return html`<details class="felt-facts"><summary>${t("Can it be reconstructed?")}</summary>
      <form class="bets-form" @submit=${(event: SubmitEvent) => this.compute(event, places)}>
        <p class="quiet">${t("The cards at each place in the order they came; ?? for a card that nobody has seen.")}</p>
        ${places.map(
          (place) => html`<div class="row"><label>${placeName(place)} <input name=${place} autocomplete="off"
              autocapitalize="none" spellcheck="false" maxlength="60" placeholder="?? ??"
              pattern=${CARDS} title=${t("Cards such as As Kd, or ?? for one that nobody has seen")}
              value=${this.known(place)}></label>
            <label class="switch"><input type="checkbox" name="mixed-${place}"><span>${t(
              "mixed up",
            )}</span></label></div>`,
        )}
        <label>${t("Drawn together, as in 1:2 2:1 for card 2 of box 1 and card 1 of box 2")}
          <input name="together" autocomplete="off" maxlength="60" value=${this.drawn}></label>
        <label>${t("It went wrong first with card number, where that is known")}
          <input name="at" type="number" min="1" max="52" autocomplete="off"></label>
        <label class="switch"><input type="checkbox" name="twice"><span>${t(
          "Two things may have gone wrong",
        )}</span></label>
        <button class="button small ghost">${t("Compute the layouts")}</button></form>
      ${this.finding ? findingPanel(this.finding) : nothing}</details>`;
  }

  /** Cards that came together, where that was reported of boxes: the last one of each. */
  private get drawn(): string {
    const { boxes, awaiting } = this.view;
    if (this.incident !== "simultaneous_draw") return "";
    const named = awaiting[0]?.named ?? [];
    return named.map((box) => `${box}:${boxes[box - 1]?.cards.length || 1}`).join(" ");
  }

  /** The cards that the table has on record at a place; of the burnt ones it knows how many. */
  private known(place: string): string {
    const { boxes, dealer, community } = this.view;
    const burn = Array<string>(Math.max(this.burnt - Number(this.incident === "burn_missed"), 0)).fill("??");
    const held: Record<string, string[]> = { dealer: dealer.cards, community, burn };
    return (held[place] ?? boxes[Number(place) - 1]?.cards ?? []).join(" ");
  }

  private async compute(event: SubmitEvent, places: string[]): Promise<void> {
    const { data, field } = readForm(event);
    const piles: Record<string, PileBody> = {};
    for (const place of places) {
      const cards = field(place).replace(/[,;]/g, " ").trim();
      if (cards) piles[place] = { cards, ordered: !data.has(`mixed-${place}`) };
    }
    const drawn = field("together").trim().split(/\s+/).filter(Boolean);
    const group = drawn.map((one): [string, number] => {
      const [place = "", number = "1"] = one.split(":");
      return [place, Number(number) - 1];
    });
    const facts: FeltBody = {
      incident: this.incident,
      piles,
      ...(group.length ? { together: [group] } : {}),
      ...(field("at") ? { at: Number(field("at")) - 1 } : {}),
      ...(data.has("twice") ? { slips: 2 } : {}),
    };
    try {
      const path = `/api/tables/${encodeURIComponent(this.view.table)}/reconstruction`;
      this.finding = await requests.send<Finding>("POST", path, { ...facts });
      statedFacts.set(this.view.table, facts);
    } catch (error) {
      refuse(error);
    }
    this.requestUpdate();
  }
}
customElements.define("felt-facts", FeltFacts);

function findingPanel({ says, layouts }: Finding): TemplateResult {
  return html`<div role="status" data-test="finding"><p class="say">${served(says)}</p>
    <ol class="layouts">${layouts.map(layoutItem)}</ol></div>`;
}

function layoutItem({ moves, money }: PossibleLayout): TemplateResult {
  const nets = Object.entries(money ?? {}).map(([box, net]) => t("Box {box} {net}", { box, net: signed(cents(net)) }));
  const worth = nets.length
    ? t("With the bets as they lie: {nets}.", { nets: nets.join(", ") })
    : t("In money: not every card is known.");
  return html`<li>${
    moves.length
      ? html`<ul>${moves.map((move) => html`<li>${served(`${move}.`)}</li>`)}</ul>`
      : t("Every card lies where it belongs.")
  }<p class="quiet">${worth}</p></li>`;
}
