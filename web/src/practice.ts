/** Practice: what each choice is worth in antes, the best one, and what a mistake cost. Counted out by the server's lab. */

import { html, nothing, type TemplateResult } from "lit";

import { failure } from "./api";
import { cents, show } from "./money";
import { store } from "./store";
import type { ChoiceView, Seen } from "./types";
import { title, words } from "./words";

interface Worth {
  choice: string;
  value: number;
  exact: string;
  cost: number;
}

interface Position {
  box: number;
  board: number;
  options?: Worth[];
  counted?: string[];
  uncounted?: string[];
  wrong?: string;
}

interface Said {
  state: "ready" | "loading" | "missing";
  message?: string;
  round?: number;
  boxes: Position[];
}

type Edge =
  | { state: "ready"; edge: number; risk: number; sides: Record<string, number> }
  | { state: "loading" }
  | { state: "missing"; message: string };

interface Made {
  round: number;
  box: number;
  board: number;
  choice: string;
  ante: number;
}

export function antes(value: number): string {
  const size = Math.abs(value).toFixed(2);
  return Number(size) === 0 ? "0.00" : `${value > 0 ? "+" : "−"}${size}`;
}

const percent = (part: number): string => `${(100 * part).toFixed(2)}%`;
const board = (view: Seen): number => view.community.filter((card) => card !== "??").length;
const key = (round: number, box: number, cards: number): string => `${round}/${box}/${cards}`;

/** The coach of one player at one table. */
export class Coach {
  state: Said["state"] | "" = "";
  message = "";
  edge: Edge = { state: "loading" };
  private positions = new Map<string, Position>();
  private made: Made[] = [];
  private asked = "";
  private timer = 0;
  private gone = false;
  private begun = 0;

  constructor(private readonly table: string, private readonly changed: () => void) {}

  get path(): string {
    return `/api/tables/${encodeURIComponent(this.table)}`;
  }

  /** The house edge of the game on the terms of now; counting it also brings the lab in for the decisions. */
  async begin(): Promise<void> {
    window.clearTimeout(this.timer);
    this.edge = { state: "loading" };
    await this.count(++this.begun);
  }

  private async count(begun: number): Promise<void> {
    const edge = await store.refresh(`${this.path}/edge`, store.get<Edge>(`${this.path}/edge`));
    if (begun !== this.begun || this.gone) return;
    if (edge) this.edge = edge;
    if (!edge || edge.state === "loading") this.timer = window.setTimeout(() => void this.count(begun), 1500);
    this.changed();
  }

  end(): void {
    this.gone = true;
    window.clearTimeout(this.timer);
  }

  /** Ask for the values of the decisions that are due, once for each position. */
  look(view: Seen): void {
    if (!store.settings.practice || !store.online) return;
    const open = view.boxes.filter((box) => !box.cards.includes("??") && view.choices.some((c) => c.box === box.box));
    const asked = open.map((box) => key(view.round, box.box, board(view))).join(" ");
    if (!asked || asked === this.asked) return;
    this.asked = asked;
    void this.ask(asked);
  }

  private async ask(asked: string): Promise<void> {
    let said: Said;
    try {
      said = await store.get<Said>(`${this.path}/practice`);
    } catch (wrong) {
      said = { state: "missing", message: failure(wrong), boxes: [] };
    }
    [this.state, this.message] = [said.state, said.message ?? ""];
    for (const position of said.boxes) this.positions.set(key(said.round ?? 0, position.box, position.board), position);
    if (said.state === "loading" && asked === this.asked && !this.gone)
      window.setTimeout(() => asked === this.asked && !this.gone && void this.ask(asked), 700);
    this.changed();
  }

  /** What the player chose, to be judged when its values are known. */
  decided(view: Seen, choice: ChoiceView): void {
    const stakes = view.boxes[choice.box - 1]?.stakes.filter((s) => s.bet === "ante" && s.player === store.me?.name) ?? [];
    const ante = stakes.reduce((sum, s) => sum + cents(s.amount), 0);
    this.made = [...this.made.slice(-300), { round: view.round, box: choice.box, board: board(view), choice: choice.choice, ante }];
  }

  private judged(round?: number): (Made & { cost: number; best: string })[] {
    return this.made.filter((made) => round === undefined || made.round === round).flatMap((made) => {
      const options = this.positions.get(key(made.round, made.box, made.board))?.options;
      const chosen = options?.find((option) => option.choice === made.choice);
      return options?.[0] && chosen ? [{ ...made, cost: chosen.cost, best: options[0].choice }] : [];
    });
  }

  // ------------------------------------------------------------ drawing

  /** On the button of a choice. */
  worth(view: Seen, choice: ChoiceView): TemplateResult | typeof nothing {
    if (!store.settings.practice) return nothing;
    const options = this.positions.get(key(view.round, choice.box, board(view)))?.options;
    const option = options?.find((o) => o.choice === choice.choice);
    if (!option) return nothing;
    const best = options![0]!.choice === option.choice;
    return html`<small class="worth" data-worth=${choice.choice}>${antes(option.value)}<span class="sr"> antes</span>${best ? " · best" : ""}</small>`;
  }

  /** Under the choices: what the figures count, or why there are none yet. */
  note(view: Seen, box: number): TemplateResult | typeof nothing {
    if (!store.settings.practice) return nothing;
    const position = this.positions.get(key(view.round, box, board(view)));
    const cards = view.boxes[box - 1]?.cards ?? [];
    if (cards.includes("??")) return html`<p class="note coach">Practice: a hand that is played blind has no figures.</p>`;
    if (!position) {
      const says = this.state === "missing" ? this.message : "Practice: the lab is being loaded …";
      return html`<p class="note coach" role="status" data-test="coach">${says}</p>`;
    }
    if (!position.options) return html`<p class="note coach">${position.wrong ?? ""}</p>`;
    const list = (bets: string[]): string => bets.map(title).join(", ").replace(/, ([^,]*)$/, " and $1");
    return html`<details class="note coach" data-test="coach"><summary>In antes, over the whole round with the best play from here.</summary>
      <p>Counted: ${list(position.counted ?? [])}.${position.uncounted?.length ? ` Not counted: ${list(position.uncounted)}.` : ""}</p>
      <ul>${position.options.map((o) => html`<li>${title(o.choice)} <code>${o.exact}</code></li>`)}</ul></details>`;
  }

  /** After the round: every decision, and what a mistake cost. */
  review(round: number): TemplateResult | typeof nothing {
    const judged = store.settings.practice ? this.judged(round) : [];
    if (!judged.length) return nothing;
    return html`<section class="review" aria-label="Your decisions" data-test="review"><h3>Your decisions</h3><ul>${judged.map((made) => html`<li>
      ${judged.some((m) => m.box !== made.box) ? `Box ${made.box}, ` : ""}${title(made.choice)}:
      ${made.cost > 0
        ? html`<b class="down">a mistake of ${made.cost < 0.005 ? "less than 0.01" : made.cost.toFixed(2)} antes, ${show(Math.round(made.cost * made.ante))}</b>; better ${words(made.best)}.`
        : html`<b class="up">the best choice.</b>`}</li>`)}</ul></section>`;
  }

  /** In the session: how the game stands, and what mistakes have cost so far. */
  summary(plays: boolean): TemplateResult {
    const judged = this.judged();
    const cost = judged.reduce((sum, made) => sum + made.cost * made.ante, 0);
    const e = this.edge;
    return html`<section class="edge" aria-label="House edge" data-test="edge"><h3>House edge</h3>
      ${e.state === "ready"
        ? html`<p><b>${percent(e.edge)}</b> of the Ante with the best play, ${percent(e.risk)} of all that is staked.
            ${Object.entries(e.sides).map(([bet, edge]) => html`${title(bet)} ${percent(edge)}. `)}</p>`
        : html`<p class="quiet">${e.state === "missing" ? e.message : "Being counted by the lab …"}</p>`}
      ${store.settings.practice && judged.length
        ? html`<p>${judged.length} ${judged.length > 1 ? "decisions" : "decision"} in practice, mistakes of <b>${show(Math.round(cost))}</b>.</p>` : nothing}
      ${plays ? html`<label class="switch"><input type="checkbox" .checked=${store.settings.practice} @change=${(e: Event) =>
        store.set({ practice: (e.target as HTMLInputElement).checked })}><span>Practice<small>The exact value of each choice</small></span></label>` : nothing}
    </section>`;
  }

  /** The switch where the decision is made. */
  toggle(): TemplateResult {
    return html`<button type="button" class="button small ghost practice" aria-pressed=${store.settings.practice ? "true" : "false"}
      @click=${() => store.set({ practice: !store.settings.practice })}>Practice ${store.settings.practice ? "on" : "off"}</button>`;
  }
}
