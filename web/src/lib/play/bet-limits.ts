import type { Money, Terms } from "../../api/types";
import { cents } from "../money";

/** The least and the most that may lie on a bet of a box: the pit may have limited its Ante below the table's. */
export function betLimits(
  { limits, box_limits }: Pick<Terms, "limits" | "box_limits">,
  box: number,
  bet: string,
): [Money, Money] | undefined {
  const limit = limits[bet];
  const most = bet === "ante" ? box_limits[box] : undefined;
  return limit && most && cents(most) < cents(limit[1]) ? [limit[0], most] : limit;
}
