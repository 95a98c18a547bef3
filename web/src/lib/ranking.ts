import { session } from "./state/session";

/** The roles that rule, from the lowest to the highest. */
const RANKING = ["dealer", "pit_supervisor", "pit_manager", "shift_manager"];

/** Whether this person has the role or a higher one. The server decides; this only hides what it would refuse. */
export function mayRule(role: string): boolean {
  return RANKING.indexOf(session.me?.post ?? "") >= RANKING.indexOf(role);
}
