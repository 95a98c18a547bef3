import type { Procedure, Terms } from "../../api/types";
import type { LiveView } from "../../lib/play/table-view";
import { title } from "../../lib/text/labels";
import { t } from "../../lib/text/language";

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
  perform: (command: Record<string, unknown>) => Promise<boolean>;
  /** Read the procedure again. */
  reload: () => void;
}

/** The name of a place where cards lie: a box, the dealer or the community cards. */
export function placeName(place: string): string {
  return /^\d/.test(place) ? t("Box {place}", { place }) : title(place);
}
