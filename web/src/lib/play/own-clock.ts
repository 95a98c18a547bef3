/** What the clock of a table means for its player: what follows when it runs out, also while the page is offline. */

import type { ChoiceView } from "../../api/types";
import { show, totalOf } from "../money";
import { tables } from "../state/tables";
import { label } from "../text/labels";
import { t } from "../text/language";
import type { LiveView } from "./table-view";

/** Seconds until the clock of a view runs out. */
export function secondsLeft(view: LiveView): number {
  if (!view.clock) return 0;
  return Math.max(view.clock.left - (performance.now() - view.arrived) / 1000, 0);
}

/** The choice that is made for a player whose time is up; empty where the hand leaves the round instead. */
function lateChoice(choices: readonly ChoiceView[]): string {
  return label(choices.find(({ when_late }) => when_late)?.choice ?? "");
}

/** What a player loses at their boxes when the clock runs out, in cents. */
function lostWhenLate(choices: readonly ChoiceView[]): number {
  const boxes = new Map(choices.map((choice) => [choice.box, choice.loses_when_late || "0"]));
  return totalOf([...boxes.values()].map((amount) => ({ amount })));
}

/** What follows when the clock runs out, in a few words, at one box or at every box with these choices; empty where no
 *  clock runs.
 */
export function whenLate({ choices, clock }: LiveView, box?: number): string {
  if (clock?.phase !== "deciding") return "";
  const due = choices.filter((choice) => box === undefined || choice.box === box);
  const lost = lostWhenLate(due);
  if (lost) return t("No decision in time: you lose {amount}.", { amount: show(lost) });
  return t("No decision in time: {choice}.", { choice: lateChoice(due) || t("your hand is out") });
}

function offlineText(seconds: number, choices: readonly ChoiceView[]): string {
  const lost = lostWhenLate(choices);
  if (lost)
    return t("Your clock runs on: back within {seconds} s, or you lose {amount}.", { seconds, amount: show(lost) });
  switch (choices.find(({ when_late }) => when_late)?.choice) {
    case "check":
      return t("Your clock runs on: back within {seconds} s, or your hand checks.", { seconds });
    default:
      return t("Your clock runs on: back within {seconds} s, or your hand is out.", { seconds });
  }
}

/** What has happened to a decision whose time ran out while the page was offline. */
function lateText(choices: readonly ChoiceView[]): string {
  if (lostWhenLate(choices)) return t("Your time has run out: the hand was folded unless you had decided.");
  switch (choices.find(({ when_late }) => when_late)?.choice) {
    case "check":
      return t("Your time has run out: the hand checked unless you had decided.");
    default:
      return t("Your time has run out: the hand is out unless you had decided.");
  }
}

/** What an offline player should know of a decision that is due: the seconds and what follows, or what has happened at
 *  the table of the page.
 */
export function offlineClock(table: string): string {
  for (const view of tables.views.values()) {
    const seconds = Math.ceil(secondsLeft(view));
    if (!view.choices.length || !view.clock) continue;
    if (seconds) return offlineText(seconds, view.choices);
    if (view.table === table) return lateText(view.choices);
  }
  return "";
}
