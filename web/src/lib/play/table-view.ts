/** Views of a table as the page keeps them. */

import type { AwardCase, TableMessage, TableView } from "../../api/types";

/** A view with the moment at which it arrived, for its clock. */
export interface LiveView extends TableMessage {
  arrived: number;
  /** When the table entered this phase, in milliseconds of this device's clock. */
  since: number;
}

/** The view without the stakes of a void round: every bet went back, so no chips lie on the table. */
export function withoutVoidStakes<View extends TableView>(view: View): View {
  return view.stage === "void" ? { ...view, boxes: view.boxes.map((box) => ({ ...box, stakes: [] })) } : view;
}

export function isOver(view: TableView): boolean {
  return view.stage === "settled" || view.stage === "void";
}

export const isOpenAward = ({ state }: AwardCase): boolean => state === "claimed" || state === "locked";

/** The award cases of this round and the open ones of earlier rounds. */
export function awardsOf(view: TableView): AwardCase[] {
  return [...(view.awards ?? []), ...(view.earlier_awards ?? [])];
}
