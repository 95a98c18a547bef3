import { to } from "./navigation";
import { lobby } from "./state/lobby";
import { session } from "./state/session";

/** The page on which each post begins; every other post begins at the tables. */
const HOMES: Record<string, string> = {
  pit_supervisor: "#/pit",
  pit_manager: "#/pit",
  shift_manager: "#/pit",
  surveillance: "#/pit",
  auditor: "#/rounds",
  administrator: "#/people",
  cage: "#/cage",
};

/** The address of the page on which this person begins. */
export function homePage(): string {
  const post = session.me?.post ?? "";
  if (post === "display") return to("display", lobby.tables.find((table) => table.link)?.link ?? "main");
  return HOMES[post] ?? "#/";
}
