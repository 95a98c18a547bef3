import type { BoxSeat, Procedure, Terms } from "../../api/types";
import { cents } from "../../lib/money";
import type { LiveView } from "../../lib/play/table-view";
import { title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";

export type Command = Record<string, unknown>;

/** What the components of the dealer's console render, and what they can do. */
export interface DealerTable {
  name: string;
  terms: Terms;
  view: LiveView;
  procedure: Procedure | null;
  /** A command waits for its answer. */
  isBusy: boolean;
  /** No step may be taken now: a command waits for its answer, or the page does not show the table's step yet. */
  isHeld: boolean;
  /** Send a command; true where it was accepted. */
  perform: (command: Command) => Promise<boolean>;
  /** Run commands that belong together: no other one is sent meanwhile. */
  performTogether: (work: (send: DealerTable["perform"]) => Promise<void>) => Promise<void>;
  /** Open the next round; asks before it where an award is not signed yet. */
  openBets: () => void;
  /** Steps of dealing that are done and whose cards are not on record yet; `say` sets them. */
  said: number;
  say: (said: number) => void;
  /** Read the procedure again. */
  reload: () => void;
}

/** The patron who sits at a box, as the server knows it from bets and buy-ins. */
export function seatAt({ procedure }: DealerTable, box: number): BoxSeat | undefined {
  return procedure?.seats?.find((seat) => seat.box === box);
}

/** The chips that a player holds who sits somewhere at this table, in cents; zero for a stranger. */
export function chipsOf({ procedure }: DealerTable, player: string): number {
  return cents(procedure?.seats?.find((seat) => seat.player === player)?.balance ?? "0");
}

/** The player of a box: whose chips lie there, or the patron who sits there; empty for none. */
export function playerAt(table: DealerTable, box: number): string {
  return table.view.boxes[box - 1]?.stakes[0]?.player ?? seatAt(table, box)?.player ?? "";
}

/** The name of a place where cards lie: a box, the dealer or the community cards. */
export function placeName(place: string): string {
  return /^\d/.test(place) ? t("Box {place}", { place }) : title(place);
}
