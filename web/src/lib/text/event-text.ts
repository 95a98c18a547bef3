/** The events of a round as sentences. */

import { type AwardStep, ROLE_SLUGS, type Role, type RulingGiven, type StepEvent } from "../../api/types";
import { show } from "../money";
import { incidentName } from "../state/incidents";
import { lobby } from "../state/lobby";
import { cardName } from "./card-names";
import { label, title } from "./labels";
import { either, plural, t } from "./language";
import { sentence } from "./sentences";

const roleName = (role: Role): string => label(ROLE_SLUGS[role]);
const oneOf = (slugs: readonly string[]): string => either(slugs.map(label));
/** "box 3" for a box, and the place's own name for the dealer and the community cards. */
const placeName = (place: string): string => (/^\d/.test(place) ? t("box {box}", { box: place }) : label(place));

/** The sentence of an event of a table; it says "you" to the player it is about. */
export function eventText(e: StepEvent, table: string, me?: string): string {
  // At a table without staff no player walks away: their time runs out.
  const isTimed = lobby.terms.get(table)?.staffed === false;
  const box = "box" in e ? t("Box {box}", { box: e.box ?? "" }) : "";
  const player = ("player" in e && e.player) || "";
  const own = me !== undefined && player === me;
  // Players know the others by their box, which the sentence has already named.
  const isByBox = box !== "" && "box" in e && player.startsWith(`Box ${e.box}`);
  const who = own ? t("you") : isByBox ? t("the player") : player;
  switch (e.type) {
    case "RoundOpened":
      return t("“Place your bets, please.”");
    case "DeckCommitted":
      return t("The deck is sealed, and its seal published.");
    case "DeckOpened":
      return t("The deck can be checked against its seal.");
    case "BetPlaced": {
      const values = { box, amount: show(e.amount), bet: title(e.bet) };
      return own
        ? t("{box}: you bet {amount} on {bet}.", values)
        : t("{box}: {who} bets {amount} on {bet}.", { ...values, who });
    }
    case "BetWithdrawn": {
      const values = { box, amount: show(e.amount), bet: title(e.bet) };
      return own
        ? t("{box}: you take {bet} back, {amount}.", values)
        : t("{box}: {who} takes {bet} back, {amount}.", { ...values, who });
    }
    case "BetsClosed":
      return t("“No more bets.”");
    case "CardsDealt":
      return t("Cards are dealt: {places}.", { places: e.to.map(placeName).join(", ") });
    case "CardsTurned":
      return t("Turned: {cards}.", { cards: turnedCards(e.cards) });
    case "HandExamined":
      return own ? t("{box}: you look at the hand.", { box }) : t("{box}: {who} looks at the hand.", { box, who });
    case "HandDecided":
      return e.deemed
        ? isTimed
          ? t("{box}: {choice}, as the rules say when no decision comes.", { box, choice: title(e.choice) })
          : t("{box}: {choice}, as the rules say for a player who is away.", { box, choice: title(e.choice) })
        : t("{box}: {choice}.", { box, choice: title(e.choice) });
    case "WalkedAway":
      return own
        ? t("You did not decide in time.")
        : isTimed
          ? t("{who}: the time to decide has run out.", { who })
          : t("{who} walks away.", { who });
    case "BetSettled":
      return t("{box}: {bet} {outcome}. {because}", {
        box,
        bet: title(e.bet),
        outcome: label(e.outcome),
        because: sentence(e.because),
      });
    case "AwardClaimed":
      return own
        ? t("{box}: you claim a jackpot award.", { box })
        : t("{box}: {who} claims a jackpot award.", { box, who });
    case "AwardCase":
      return awardText(e, who);
    case "AwardPaid":
      return t("{box}: {hand} is paid {amount}.", { box, hand: label(e.hand), amount: show(e.amount) });
    case "RoundSettled":
      return t("The round is settled.");
    case "RoundVoided":
      return t("The round is void. {because}", { because: sentence(e.because) });
    case "IncidentReported":
      if (isTimed && e.report.incident === "walked_away") return t("Reported: no decision in time.");
      return e.report.text
        ? t("Reported: {incident}: “{words}”", { incident: incidentName(e.report.incident), words: e.report.text })
        : t("Reported: {incident}.", { incident: incidentName(e.report.incident) });
    case "RulingAwaited":
      return t("The round waits for the {role}: {decisions}.", {
        role: roleName(e.role),
        decisions: oneOf(e.decisions),
      });
    case "RulingGiven":
      return rulingText(e);
    case "OptionsOffered":
      return plural(e.boxes.length, "Box {boxes} chooses: {options}.", "Boxes {boxes} choose: {options}.", {
        boxes: e.boxes.join(", "),
        options: oneOf(e.options),
      });
    case "HandInvalidated":
      return t("{box}: the hand is out of the round.", { box });
    case "BackingInvalidated":
      return t("{box}: what {who} put there is out of the round.", { box, who: who || t("a player") });
    case "BetsForfeited":
      return t("{box}: every bet is lost.", { box });
    case "RoundReopened":
      return t("The settlement is unwound.");
    case "CardsRedealt":
      return t("Everything is dealt again.");
    case "CardsCorrected":
      return t("Cards that were entered wrong are corrected.");
    case "ActsConfirmed":
      return t("Acts of the settlement are confirmed: {count}.", { count: e.acts.length });
    case "MispayFound":
      return t("{box} {bet}: {who} was {mispaid}.", { box, bet: title(e.bet), who, mispaid: mispaid(e.over) });
    case "MispayResolved":
      return e.put_right
        ? t("{who}: the mispay is put right.", { who })
        : t("{who}: the mispay stands. {text}", { who, text: e.text ?? "" });
    case "MispayNoted":
      return t("Round {round}, {box} {bet}: {who} was {mispaid}; it stands. {text}", {
        round: e.round,
        box,
        bet: title(e.bet),
        who,
        mispaid: mispaid(e.over),
        text: e.text,
      });
    case "MeterFrozen":
      return t("Awards of this round are paid from the meter as it stands now.");
    case "JackpotBetsSuspended":
      return t("No jackpot bets are taken at this table.");
    case "RevealRefused":
      return t("{box}: the hand is not shown.", { box });
    case "HandProved":
      return t("{box}: the hand is shown after all.", { box });
    case "HandViewed":
      return t("{box}: staff look at the hand.", { box });
    case "HandHandled":
      return own ? t("{box}: you touch the hand.", { box }) : t("{box}: {who} touches the hand.", { box, who });
    case "OptionChosen":
      return t("{box} chooses: {option}.", { box, option: label(e.option) });
    default: {
      const name = e.type.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
      const parts = ["box" in e && e.box ? t("box {box}", { box: e.box }) : "", who].filter(Boolean);
      return `${[name, ...parts].join(", ")}.`;
    }
  }
}

function mispaid(over: number): string {
  const amount = show(Math.abs(over));
  return over > 0 ? t("overpaid by {amount}", { amount }) : t("underpaid by {amount}", { amount });
}

function awardText(award: AwardStep, who: string): string {
  const parts = [
    t("the award of {who}, {hand}, is {what}", { who, hand: label(award.hand), what: label(award.what) }),
    award.amount === null ? "" : t("at {amount}", { amount: show(award.amount) }),
    award.by ? t("by {who}", { who: award.by }) : "",
  ];
  return `${t("Box {box}: {what}.", { box: award.box, what: parts.filter(Boolean).join(" ") })} ${award.text}`;
}

function rulingText(ruling: RulingGiven): string {
  const { facts } = ruling;
  const piles = Object.entries(facts?.piles ?? {}).map(
    ([place, { cards }]) => `${placeName(place)} ${cards.join(" ")}`,
  );
  const said = decisionText(ruling);
  return piles.length ? `${said} ${t("The cards: {cards}.", { cards: piles.join("; ") })}` : said;
}

function decisionText({ by, who = "", decision, text = "" }: RulingGiven): string {
  const values = { role: roleName(by), decision: label(decision), text };
  if (who === "standing order") return t("By standing order, the {role} rules: {decision}. {text}", values);
  return who
    ? t("{who}, {role}, rules: {decision}. {text}", { ...values, who })
    : t("The {role} rules: {decision}. {text}", values);
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
