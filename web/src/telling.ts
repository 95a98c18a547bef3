/** Events as sentences. */

import { show } from "./money";
import { cardName, title, words } from "./words";

export type Told = Record<string, unknown> & { type: string };

const ROLES = ["", "dealer", "pit supervisor", "pit manager", "shift manager"];

export function told(e: Told, me?: string): string {
  const box = `Box ${String(e["box"])}`;
  const own = me !== undefined && e["player"] === me;
  // To players others are known by their box, which stands before the sentence already.
  const named = String(e["player"] ?? "");
  const who = own ? "you" : named.startsWith(box) ? "the player" : named;
  const amount = typeof e["amount"] === "number" ? show(e["amount"]) : "";
  switch (e.type) {
    case "RoundOpened": return "“Place your bets, please.”";
    case "DeckCommitted": return "The deck is sealed, and its seal published.";
    case "DeckOpened": return "The deck can be checked against its seal.";
    case "BetPlaced": return `${box}: ${who} ${own ? "bet" : "bets"} ${amount} on ${title(String(e["bet"]))}.`;
    case "BetWithdrawn": return `${box}: ${who} ${own ? "take" : "takes"} ${title(String(e["bet"]))} back, ${amount}.`;
    case "BetsClosed": return "“No more bets.”";
    case "CardsDealt": return `Cards are dealt: ${(e["to"] as string[]).map((p) => (/^\d/.test(p) ? `box ${p}` : p)).join(", ")}.`;
    case "CardsTurned": return `Turned: ${Object.entries(e["cards"] as Record<string, string[]>).map(([p, c]) => `${/^\d/.test(p) ? `box ${p}` : p} ${c.map(cardName).join(", ")}`).join("; ")}.`;
    case "HandExamined": return `${box}: ${who} ${own ? "look" : "looks"} at the hand.`;
    case "HandDecided": return `${box}: ${title(String(e["choice"]))}${e["deemed"] ? ", as the rules say of whoever is away" : ""}.`;
    case "WalkedAway": return own ? "You did not decide in time." : `${who} walks away.`;
    case "BetSettled": return `${box}: ${title(String(e["bet"]))} ${words(String(e["outcome"]))}. ${String(e["because"] ?? "")}`;
    case "AwardClaimed": return `${box}: ${who} claims a jackpot award.`;
    case "AwardCase": return `${box}: the award of ${who}, ${words(String(e["hand"]))}, is ${String(e["what"])}${amount ? ` at ${amount}` : ""}${e["by"] ? ` by ${String(e["by"])}` : ""}. ${String(e["text"] ?? "")}`;
    case "AwardPaid": return `${box}: ${words(String(e["hand"]))} is paid ${amount}.`;
    case "RoundSettled": return "The round is settled.";
    case "RoundVoided": return `The round is void. ${String(e["because"] ?? "")}`;
    case "IncidentReported": return `Reported: ${words(String((e["report"] as Told)["incident"]))}.`;
    case "RulingAwaited": return `The round waits for the ${ROLES[Number(e["role"])] ?? "house"}: ${(e["decisions"] as string[]).map(words).join(" or ")}.`;
    case "RulingGiven": return `${e["who"] === "standing order" ? "By standing order, the" : "The"} ${ROLES[Number(e["by"])] ?? "house"} rules: ${words(String(e["decision"]))}. ${String(e["text"] ?? "")}`;
    case "OptionsOffered": return `Boxes ${(e["boxes"] as number[]).join(", ")} choose: ${(e["options"] as string[]).map(words).join(" or ")}.`;
    case "HandInvalidated": return `${box}: the hand is out of the round.`;
    case "BackingInvalidated": return `${box}: what ${who || "a player"} put there is out of the round.`;
    case "BetsForfeited": return `${box}: every bet is lost.`;
    case "RoundReopened": return "The settlement is unwound.";
    case "CardsRedealt": return "Everything is dealt again.";
    case "CardsCorrected": return "Cards that were entered wrong are put right.";
    case "MeterFrozen": return "Awards of this round are paid from the meter as it stands now.";
    case "JackpotBetsSuspended": return "No jackpot bets are taken at this table.";
    case "RevealRefused": return `${box}: the hand is not shown.`;
    case "HandProved": return `${box}: the hand is shown after all.`;
    case "HandViewed": return `${box}: staff look at the hand.`;
    case "HandHandled": return `${box}: ${who} touches the hand.`;
    case "OptionChosen": return `${box} chooses: ${words(String(e["option"]))}.`;
    default: return `${e.type.replace(/(?<=[a-z])(?=[A-Z])/g, " ")}${e["box"] ? `, box ${String(e["box"])}` : ""}${who ? `, ${who}` : ""}.`;
  }
}


/** What somebody who was away wants to hear: what became of the round, and what concerned his own boxes. */
export function concerns(event: Told, player: string): boolean {
  switch (event.type) {
    case "RoundOpened": case "BetsClosed": case "RoundSettled": case "RoundVoided": case "RulingGiven":
      return true;
    case "IncidentReported":
      // Whoever has left has been told so already.
      return (event["report"] as Told)["incident"] !== "walked_away";
    case "CardsTurned":
      return Object.keys(event["cards"] as object).some((place) => !/^\d/.test(place));
    case "BetPlaced": case "BetWithdrawn": case "BetSettled": case "AwardPaid": case "WalkedAway":
      return event["player"] === player;
    default:
      return false;
  }
}
