import type { Terms } from "../../api/types";
import type { Betting } from "../../lib/play/betting";
import type { Coach } from "../../lib/play/coach";
import type { Decisions } from "../../lib/play/decisions";
import type { LiveView } from "../../lib/play/table-view";

/** What the components of the player's page render: one table, and this player at it. */
export interface PlayerTable {
  name: string;
  terms: Terms;
  view: LiveView;
  /** Whether the page still shows how the newest view came about. */
  isStaged: boolean;
  /** Whether this person plays; staff watch. */
  plays: boolean;
  betting: Betting;
  decisions: Decisions;
  coach: Coach;
}
