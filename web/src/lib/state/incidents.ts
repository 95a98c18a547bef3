/** What each incident is called in the rulebooks' words; read once, when a page first names one. */

import type { IncidentWords } from "../../api/types";
import { label } from "../text/labels";
import { sentence } from "../text/sentences";
import { changed } from "./changes";
import { requests } from "./requests";

const known = new Map<string, string>();
let isAsked = false;

async function load(): Promise<void> {
  isAsked = true;
  const read = await requests.list<IncidentWords>("/api/incidents").catch(() => undefined);
  isAsked = read !== undefined;
  for (const { incident, says } of read ?? []) known.set(incident, says);
  if (read) changed();
}

/** The words of an incident; until they are read, its name. */
export function incidentName(incident: string): string {
  if (!isAsked) void load();
  const says = known.get(incident);
  return says ? sentence(says) : label(incident);
}
