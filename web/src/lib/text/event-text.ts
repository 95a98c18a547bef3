/** The events of a round as sentences. */

import type { TableEvent } from "../../api/types";
import { show } from "../money";
import { cardName } from "./card-names";
import { label, title } from "./labels";

/** The roles of the documents, by the number that an event has for them. */
const ROLES = ["", "dealer", "pit supervisor", "pit manager", "shift manager"];

const role = (number: unknown): string => ROLES[Number(number)] ?? "house";
const either = (slugs: unknown): string => (slugs as string[]).map(label).join(" or ");
/** "box 3" for a box, and the place's own name for the dealer and the community cards. */
const placeName = (place: string): string => (/^\d/.test(place) ? `box ${place}` : place);

/** The sentence of an event; it says "you" to the player it is about. */
export function eventText(e: TableEvent, me?: string): string {
  const text = (name: string): string => String(e[name] ?? "");
  const box = `Box ${String(e.box)}`;
  const own = me !== undefined && e.player === me;
  // Players know the others by their box, which the sentence has already named.
  const who = own ? "you" : text("player").startsWith(box) ? "the player" : text("player");
  const amount = typeof e.amount === "number" ? show(e.amount) : "";
  switch (e.type) {
    case "RoundOpened":
      return "“Place your bets, please.”";
    case "DeckCommitted":
      return "The deck is sealed, and its seal published.";
    case "DeckOpened":
      return "The deck can be checked against its seal.";
    case "BetPlaced":
      return `${box}: ${who} ${own ? "bet" : "bets"} ${amount} on ${title(text("bet"))}.`;
    case "BetWithdrawn":
      return `${box}: ${who} ${own ? "take" : "takes"} ${title(text("bet"))} back, ${amount}.`;
    case "BetsClosed":
      return "“No more bets.”";
    case "CardsDealt":
      return `Cards are dealt: ${(e.to as string[]).map(placeName).join(", ")}.`;
    case "CardsTurned":
      return `Turned: ${turnedCards(e.cards as Record<string, string[]>)}.`;
    case "HandExamined":
      return `${box}: ${who} ${own ? "look" : "looks"} at the hand.`;
    case "HandDecided":
      return `${box}: ${title(text("choice"))}${e.deemed ? ", as the rules say for a player who is away" : ""}.`;
    case "WalkedAway":
      return own ? "You did not decide in time." : `${who} walks away.`;
    case "BetSettled":
      return `${box}: ${title(text("bet"))} ${label(text("outcome"))}. ${text("because")}`;
    case "AwardClaimed":
      return `${box}: ${who} claims a jackpot award.`;
    case "AwardCase": {
      const by = e.by ? ` by ${text("by")}` : "";
      const at = amount ? ` at ${amount}` : "";
      return `${box}: the award of ${who}, ${label(text("hand"))}, is ${text("what")}${at}${by}. ${text("text")}`;
    }
    case "AwardPaid":
      return `${box}: ${label(text("hand"))} is paid ${amount}.`;
    case "RoundSettled":
      return "The round is settled.";
    case "RoundVoided":
      return `The round is void. ${text("because")}`;
    case "IncidentReported":
      return `Reported: ${label(String((e.report as TableEvent).incident))}.`;
    case "RulingAwaited":
      return `The round waits for the ${role(e.role)}: ${either(e.decisions)}.`;
    case "RulingGiven": {
      const by = `${e.who === "standing order" ? "By standing order, the" : "The"} ${role(e.by)}`;
      return `${by} rules: ${label(text("decision"))}. ${text("text")}`;
    }
    case "OptionsOffered":
      return `Boxes ${(e.boxes as number[]).join(", ")} choose: ${either(e.options)}.`;
    case "HandInvalidated":
      return `${box}: the hand is out of the round.`;
    case "BackingInvalidated":
      return `${box}: what ${who || "a player"} put there is out of the round.`;
    case "BetsForfeited":
      return `${box}: every bet is lost.`;
    case "RoundReopened":
      return "The settlement is unwound.";
    case "CardsRedealt":
      return "Everything is dealt again.";
    case "CardsCorrected":
      return "Cards that were entered wrong are corrected.";
    case "MeterFrozen":
      return "Awards of this round are paid from the meter as it stands now.";
    case "JackpotBetsSuspended":
      return "No jackpot bets are taken at this table.";
    case "RevealRefused":
      return `${box}: the hand is not shown.`;
    case "HandProved":
      return `${box}: the hand is shown after all.`;
    case "HandViewed":
      return `${box}: staff look at the hand.`;
    case "HandHandled":
      return `${box}: ${who} touches the hand.`;
    case "OptionChosen":
      return `${box} chooses: ${label(text("option"))}.`;
    default: {
      const name = e.type.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
      return `${name}${e.box ? `, box ${text("box")}` : ""}${who ? `, ${who}` : ""}.`;
    }
  }
}

function turnedCards(cards: Record<string, string[]>): string {
  return Object.entries(cards)
    .map(([place, turned]) => `${placeName(place)} ${turned.map(cardName).join(", ")}`)
    .join("; ");
}

/** Whether a player who was away wants to read the event: it is about the whole round, or about their own boxes. */
export function concernsPlayer(event: TableEvent, player: string): boolean {
  switch (event.type) {
    case "RoundOpened":
    case "BetsClosed":
    case "RoundSettled":
    case "RoundVoided":
    case "RulingGiven":
      return true;
    case "IncidentReported":
      // The event WalkedAway says it already.
      return (event.report as TableEvent).incident !== "walked_away";
    case "CardsTurned":
      return Object.keys(event.cards as object).some((place) => !/^\d/.test(place));
    case "BetPlaced":
    case "BetWithdrawn":
    case "BetSettled":
    case "AwardPaid":
    case "WalkedAway":
      return event.player === player;
    default:
      return false;
  }
}
