import { to } from "./navigation";
import { lobby } from "./state/lobby";
import { session } from "./state/session";

/** The address of the page on which this person begins. */
export function homePage(): string {
  const home = session.me?.home ?? "tables";
  if (home === "display") return to("display", lobby.tables.find((table) => table.link)?.link ?? "main");
  return home === "tables" ? "#/" : to(home);
}
