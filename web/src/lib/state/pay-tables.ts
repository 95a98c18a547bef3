/** The pay tables that are printed on the layouts, as the terms of each table have them. */

import { isTemporary } from "../../api/http";
import type { PayTable } from "../../api/types";
import { changed } from "./changes";
import { RETRY, requests } from "./requests";

const known = new Map<string, PayTable[]>();

/** Read the pay tables of a table; where that fails, try again as long as they are wanted. */
export async function loadPayTables(table: string, isWanted: () => boolean): Promise<void> {
  const path = `/api/tables/${encodeURIComponent(table)}/layout`;
  // A page of a table that does not exist says so itself.
  const none = (error: unknown): PayTable[] => {
    if (isTemporary(error)) throw error;
    return [];
  };
  const printed = await requests.refresh(path, requests.list<PayTable>(path).catch(none));
  if (printed) known.set(table, printed);
  else window.setTimeout(() => isWanted() && void loadPayTables(table, isWanted), RETRY);
  changed();
}

export function payTablesOf(table: string): PayTable[] {
  return known.get(table) ?? [];
}
