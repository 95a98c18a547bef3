/** The decisions that the rules ask of one player at one table. */

import type { ChoiceView } from "../../api/types";
import { lateHands } from "../state/late-hands";
import { live, perform } from "../state/live";
import { tables } from "../state/tables";
import type { LiveView } from "./table-view";

/** Milliseconds for which a new decision takes no answer: the second of two taps was meant for the one before it. */
const NEW = 350;

export class Decisions {
  private isBusy = false;
  private isNew = false;
  private due = "";

  constructor(
    private readonly table: string,
    private readonly changed: () => void,
  ) {}

  /** Whether the buttons of a decision take an answer now. */
  get isOpen(): boolean {
    return !this.isBusy && !this.isNew && live.online;
  }

  /** Notice that another decision is due. */
  follow(view: LiveView): void {
    const choices = view.choices.map(({ box, choice }) => `${box}${choice}`).join(" ");
    const due = choices ? `${view.round} ${view.community.join("")} ${choices}` : "";
    if (due === this.due) return;
    this.due = due;
    this.isNew = due !== "";
    window.setTimeout(() => {
      if (this.due !== due) return;
      this.isNew = false;
      this.changed();
    }, NEW);
  }

  /** Send a choice; `accept` is called where it is sent. */
  async decide({ box, choice }: ChoiceView, accept: () => void): Promise<void> {
    if (this.isBusy || this.isNew) return;
    this.isBusy = true;
    accept();
    const view = tables.views.get(this.table);
    if (view && choice === "fold") lateHands.fold(view, box);
    this.changed();
    await perform(this.table, { do: "decide", box, choice });
    this.isBusy = false;
    this.changed();
  }
}
