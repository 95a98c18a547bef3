/** The coach of one player at one table: what each choice is worth in antes, as the server's lab counts it. */

import type { ChoiceView, HouseEdge, PracticeAnswer, PracticePosition } from "../../api/types";
import { totalOf } from "../money";
import { live } from "../state/live";
import { requests } from "../state/requests";
import { session } from "../state/session";
import { settings } from "../state/settings";
import { failure } from "../text/sentences";
import type { LiveView } from "./table-view";

interface Decision {
  round: number;
  box: number;
  /** How many community cards lay open. */
  community: number;
  choice: string;
  /** The Ante, in cents. */
  ante: number;
}

export interface JudgedDecision extends Decision {
  /** What the choice cost, in antes; zero for the best one. */
  cost: number;
  best: string;
}

/** Decisions that are kept at most, also while the player visits other pages. */
const KEPT = 100;
/** Milliseconds until the server is asked again for what its lab is still counting. */
const EDGE_RETRY = 1500;
const VALUES_RETRY = 300;

const communityOf = (view: LiveView): number => view.community.filter((card) => card !== "??").length;
const keyOf = (round: number, box: number, community: number): string => `${round}/${box}/${community}`;

export class Coach {
  state: PracticeAnswer["state"] | "" = "";
  message = "";
  edge: HouseEdge = { state: "loading" };
  private positions = new Map<string, PracticePosition>();
  private decisions: Decision[] = [];
  /** The positions whose values were requested last. */
  private requested = "";
  /** The lab was asked for since practice was switched on. */
  private isLoaded = false;
  private timer = 0;
  private stopped = false;
  private edgeRequest = 0;

  constructor(
    private readonly table: string,
    private readonly changed: () => void,
  ) {
    const kept = sessionStorage.getItem(this.storageKey);
    if (!kept) return;
    const { positions, decisions } = JSON.parse(kept);
    [this.positions, this.decisions] = [new Map(positions), decisions];
  }

  private get storageKey(): string {
    return `croupier.decisions.${this.table}.${session.me?.name ?? ""}`;
  }

  private save(): void {
    const positions = [...this.positions].slice(-KEPT);
    sessionStorage.setItem(this.storageKey, JSON.stringify({ positions, decisions: this.decisions }));
  }

  private get path(): string {
    return `/api/tables/${encodeURIComponent(this.table)}`;
  }

  /** Read the house edge on the current terms; the request also loads the lab for the decisions. */
  async loadEdge(): Promise<void> {
    window.clearTimeout(this.timer);
    this.edge = { state: "loading" };
    await this.readEdge(++this.edgeRequest);
  }

  private async readEdge(request: number): Promise<void> {
    const edge = await requests.refresh(`${this.path}/edge`, requests.get<HouseEdge>(`${this.path}/edge`));
    if (request !== this.edgeRequest || this.stopped) return;
    if (edge) this.edge = edge;
    if (!edge || edge.state === "loading")
      this.timer = window.setTimeout(() => void this.readEdge(request), EDGE_RETRY);
    this.changed();
  }

  stop(): void {
    this.stopped = true;
    window.clearTimeout(this.timer);
  }

  /** Request the values of the decisions that are due, once for each position; loads the lab when practice begins. */
  look(view: LiveView): void {
    if (!settings.current.practice) this.isLoaded = false;
    if (!settings.current.practice || !live.online) return;
    if (!this.isLoaded) void this.readValues("");
    this.isLoaded = true;
    const due = view.boxes.filter(
      ({ box, cards }) => !cards.includes("??") && view.choices.some((choice) => choice.box === box),
    );
    const wanted = due.map(({ box }) => keyOf(view.round, box, communityOf(view))).join(" ");
    if (!wanted || wanted === this.requested) return;
    this.requested = wanted;
    void this.readValues(wanted);
  }

  private async readValues(wanted: string): Promise<void> {
    let answer: PracticeAnswer;
    try {
      answer = await requests.get<PracticeAnswer>(`${this.path}/practice`);
    } catch (error) {
      answer = { state: "missing", message: failure(error), boxes: [] };
    }
    [this.state, this.message] = [answer.state, answer.message ?? ""];
    for (const position of answer.boxes)
      this.positions.set(keyOf(answer.round ?? 0, position.box, position.board), position);
    this.save();
    const isWanted = (): boolean => wanted === this.requested && !this.stopped;
    if (answer.state === "loading" && isWanted())
      window.setTimeout(() => isWanted() && void this.readValues(wanted), VALUES_RETRY);
    this.changed();
  }

  /** Keep what the player chose, to judge it when its values are known. */
  keep(view: LiveView, { box, choice }: ChoiceView): void {
    const stakes = view.boxes[box - 1]?.stakes ?? [];
    const ante = totalOf(stakes.filter((stake) => stake.bet === "ante" && stake.player === session.me?.name));
    const decision = { round: view.round, box, community: communityOf(view), choice, ante };
    this.decisions = [...this.decisions.slice(-KEPT), decision];
    this.save();
  }

  /** The values of the choices that a box has now, where the server has sent them. */
  position(view: LiveView, box: number): PracticePosition | undefined {
    return this.positions.get(keyOf(view.round, box, communityOf(view)));
  }

  /** Every decision whose values are known, of one round or of all. */
  judged(round?: number): JudgedDecision[] {
    const decisions = this.decisions.filter((decision) => round === undefined || decision.round === round);
    return decisions.flatMap((decision) => {
      const options = this.positions.get(keyOf(decision.round, decision.box, decision.community))?.options;
      const chosen = options?.find((option) => option.choice === decision.choice);
      return options?.[0] && chosen ? [{ ...decision, cost: chosen.cost, best: options[0].choice }] : [];
    });
  }
}
