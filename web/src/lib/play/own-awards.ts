/** Jackpot awards of the player of this page. */

import type { AwardCase } from "../../api/types";
import { type PlayedRound, playedRounds } from "../state/played-rounds";
import { ownBoxes } from "./own-bets";
import { awardsOf, isOpenAward, type LiveView } from "./table-view";

/** The awards of a round that this player has played. */
export function awardsOfRound(view: LiveView, { round, boxes }: PlayedRound): AwardCase[] {
  return awardsOf(view).filter((award) => award.round === round && boxes.includes(award.box));
}

/** The award of the last round here that is not paid yet: it waits for its turn or for signatures. */
export function openAward(table: string, view: LiveView): AwardCase | undefined {
  const last = playedRounds.lastAt(table);
  return last && awardsOfRound(view, last).find(isOpenAward);
}

/** The award that a settled round has just brought this player. */
export function newAward(view: LiveView): AwardCase | undefined {
  const boxes = ownBoxes(view).map(({ box }) => box);
  return view.awards?.find((award) => isOpenAward(award) && boxes.includes(award.box));
}
