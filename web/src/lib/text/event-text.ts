/** The events of a round as sentences. */

import { type AwardStep, ROLE_SLUGS, type Role, type RulingGiven, type StepEvent } from "../../api/types";
import { show } from "../money";
import { cardName } from "./card-names";
import { label, title } from "./labels";

const roleName = (role: Role): string => label(ROLE_SLUGS[role]);
const either = (slugs: readonly string[]): string => slugs.map(label).join(" or ");
/** "box 3" for a box, and the place's own name for the dealer and the community cards. */
const placeName = (place: string): string => (/^\d/.test(place) ? `box ${place}` : place);

/** The sentence of an event; it says "you" to the player it is about. */
export function eventText(e: StepEvent, me?: string): string {
  const box = "box" in e ? `Box ${e.box}` : "";
  const player = ("player" in e && e.player) || "";
  const own = me !== undefined && player === me;
  // Players know the others by their box, which the sentence has already named.
  const who = own ? "you" : box && player.startsWith(box) ? "the player" : player;
  switch (e.type) {
    case "RoundOpened":
      return "“Place your bets, please.”";
    case "DeckCommitted":
      return "The deck is sealed, and its seal published.";
    case "DeckOpened":
      return "The deck can be checked against its seal.";
    case "BetPlaced":
      return `${box}: ${who} ${own ? "bet" : "bets"} ${show(e.amount)} on ${title(e.bet)}.`;
    case "BetWithdrawn":
      return `${box}: ${who} ${own ? "take" : "takes"} ${title(e.bet)} back, ${show(e.amount)}.`;
    case "BetsClosed":
      return "“No more bets.”";
    case "CardsDealt":
      return `Cards are dealt: ${e.to.map(placeName).join(", ")}.`;
    case "CardsTurned":
      return `Turned: ${turnedCards(e.cards)}.`;
    case "HandExamined":
      return `${box}: ${who} ${own ? "look" : "looks"} at the hand.`;
    case "HandDecided":
      return `${box}: ${title(e.choice)}${e.deemed ? ", as the rules say for a player who is away" : ""}.`;
    case "WalkedAway":
      return own ? "You did not decide in time." : `${who} walks away.`;
    case "BetSettled":
      return `${box}: ${title(e.bet)} ${label(e.outcome)}. ${e.because}`;
    case "AwardClaimed":
      return `${box}: ${who} claims a jackpot award.`;
    case "AwardCase":
      return awardText(e, who);
    case "AwardPaid":
      return `${box}: ${label(e.hand)} is paid ${show(e.amount)}.`;
    case "RoundSettled":
      return "The round is settled.";
    case "RoundVoided":
      return `The round is void. ${e.because}`;
    case "IncidentReported":
      return `Reported: ${label(e.report.incident)}.`;
    case "RulingAwaited":
      return `The round waits for the ${roleName(e.role)}: ${either(e.decisions)}.`;
    case "RulingGiven":
      return rulingText(e);
    case "OptionsOffered":
      return `Boxes ${e.boxes.join(", ")} choose: ${either(e.options)}.`;
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
    case "ActsConfirmed":
      return `Acts of the settlement are confirmed: ${e.acts.length}.`;
    case "MispayFound":
      return `${box} ${title(e.bet)}: ${who} was ${mispaid(e.over)}.`;
    case "MispayResolved":
      return e.put_right ? `${who}: the mispay is put right.` : `${who}: the mispay stands. ${e.text ?? ""}`;
    case "MispayNoted":
      return `Round ${e.round}, ${box} ${title(e.bet)}: ${who} was ${mispaid(e.over)}; it stands. ${e.text}`;
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
      return `${box} chooses: ${label(e.option)}.`;
    default: {
      const name = e.type.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
      return `${name}${"box" in e && e.box ? `, box ${e.box}` : ""}${who ? `, ${who}` : ""}.`;
    }
  }
}

function mispaid(over: number): string {
  return `${over > 0 ? "overpaid" : "underpaid"} by ${show(Math.abs(over))}`;
}

function awardText(award: AwardStep, who: string): string {
  const by = award.by ? ` by ${award.by}` : "";
  const at = award.amount === null ? "" : ` at ${show(award.amount)}`;
  const what = `the award of ${who}, ${label(award.hand)}, is ${award.what}${at}${by}`;
  return `Box ${award.box}: ${what}. ${award.text}`;
}

function rulingText({ by, who, decision, text = "" }: RulingGiven): string {
  const ruler = `${who === "standing order" ? "By standing order, the" : "The"} ${roleName(by)}`;
  return `${ruler} rules: ${label(decision)}. ${text}`;
}

function turnedCards(cards: Record<string, string[]>): string {
  return Object.entries(cards)
    .map(([place, turned]) => `${placeName(place)} ${turned.map(cardName).join(", ")}`)
    .join("; ");
}

/** Whether a player who was away wants to read the event: it is about the whole round, or about their own boxes. */
export function concernsPlayer(event: StepEvent, player: string): boolean {
  switch (event.type) {
    case "RoundOpened":
    case "BetsClosed":
    case "RoundSettled":
    case "RoundVoided":
    case "RulingGiven":
      return true;
    case "IncidentReported":
      // The event WalkedAway says it already.
      return event.report.incident !== "walked_away";
    case "CardsTurned":
      return Object.keys(event.cards).some((place) => !/^\d/.test(place));
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
