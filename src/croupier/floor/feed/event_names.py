"""Words for other systems: each event of ours by a class and a name, in the manner of G2S and S2S; docs/feed.md."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.floor.records.streams import CASHIER, HOUSE, PEOPLE, PLAYERS

GAME: Mapping[str, str] = {
    "RoundOpened": "game.started",
    "DeckCommitted": "game.deck_committed",
    "BetPlaced": "game.wagered",
    "BetWithdrawn": "game.wager_withdrawn",
    "BetsClosed": "game.wagers_closed",
    "CardsDealt": "game.cards_dealt",
    "CardsTurned": "game.cards_shown",
    "CardsCorrected": "game.cards_corrected",
    "CardsRedealt": "game.cards_redealt",
    "HandExamined": "game.hand_examined",
    "HandHandled": "game.hand_handled",
    "HandDecided": "game.decided",
    "HandProved": "game.hand_proved",
    "HandViewed": "game.hand_viewed",
    "HandInvalidated": "game.hand_invalidated",
    "BackingInvalidated": "game.backing_invalidated",
    "BetsForfeited": "game.wagers_forfeited",
    "RevealRefused": "game.reveal_refused",
    "WalkedAway": "game.player_left",
    "AbsenceExcused": "game.absence_excused",
    "PlayerRestricted": "game.player_restricted",
    "PlayerStopped": "game.player_stopped",
    "PlayerReadmitted": "game.player_readmitted",
    "BetSettled": "game.settled",
    "AwardClaimed": "progressive.hit",
    "AwardPaid": "progressive.paid_at_table",
    "UnderMinimumNoted": "game.under_minimum_noted",
    "RoundSettled": "game.ended",
    "RoundVoided": "game.voided",
    "RoundReopened": "game.reopened",
    "IncidentReported": "game.irregularity",
    "RulingAwaited": "game.ruling_awaited",
    "RulingGiven": "game.ruling",
    "OptionsOffered": "game.options_offered",
    "OptionChosen": "game.option_chosen",
    "MeterFrozen": "progressive.frozen",
    "JackpotBetsSuspended": "progressive.wagers_suspended",
    "JackpotModeSet": "progressive.mode_set",
    "NoticeGiven": "game.notice_given",
    "ActsConfirmed": "game.acts_confirmed",
    "MispayFound": "game.mispay_found",
    "MispayResolved": "game.mispay_resolved",
    "MispayNoted": "game.mispay_noted",
    "DeckOpened": "game.deck_opened",
}
"""Events of a table."""

PROGRESSIVE: Mapping[str, str] = {
    "LinkOpened": "progressive.added",
    "Contributed": "progressive.contributed",
    "ContributionReversed": "progressive.contribution_reversed",
    "HandsDealt": "progressive.hands_dealt",
    "DealRestored": "progressive.deal_restored",
    "RoundDecided": "progressive.round_decided",
    "RoundForgotten": "progressive.round_forgotten",
    "ClaimsEntered": "progressive.claimed",
    "ClaimsVerified": "progressive.verified",
    "AwardsLocked": "progressive.locked",
    "AwardSigned": "progressive.signed",
    "AwardReleased": "progressive.released",
    "CasePaid": "progressive.paid",
    "CaseDenied": "progressive.denied",
    "AwardsPaid": "progressive.locked",
    "AwardsHandedOver": "progressive.paid",
    "AwardsReversed": "progressive.reversed",
    "DealOrderRuled": "progressive.order_ruled",
    "MeterFrozenFor": "progressive.frozen",
    "FaultReported": "progressive.fault",
    "FaultCarriedOut": "progressive.fault_carried_out",
    "MeterAdjusted": "progressive.adjusted",
    "ParametersChanged": "progressive.configured",
    "LinkClosed": "progressive.disabled",
    "LinkReopened": "progressive.enabled",
}
"""Events of a link."""

DEVICE: Mapping[str, str] = {
    "TableOpened": "device.added",
    "TermsChanged": "device.configured",
    "EditionScheduled": "device.edition_scheduled",
    "EditionCancelled": "device.edition_cancelled",
    "TableClosed": "device.disabled",
    "TableReopened": "device.enabled",
    "TableArchived": "device.archived",
}
"""Events of the house: its tables are its devices."""

CASH: Mapping[str, str] = {"BoughtIn": "cash.in", "CashedOut": "cash.out", "ColourChanged": "cash.colour_changed"}
PATRON: Mapping[str, str] = {
    "PlayerNoted": "patron.noted",
    "NoteTakenBack": "patron.note_taken_back",
    "PlayerBarred": "patron.barred",
    "BarLifted": "patron.bar_lifted",
}
OFFICE: Mapping[str, str] = {
    "DisputeOpened": "dispute.opened",
    "DisputeNoted": "dispute.noted",
    "DisputeDecided": "dispute.decided",
    "DisputeClosed": "dispute.closed",
    "LimitsSet": "patron.limits_set",
    "PlayBegun": "patron.session_begun",
    "CheckAcknowledged": "patron.reality_check_acknowledged",
    "DemoChipsTaken": "patron.demo_chips_taken",
    "AccessRefused": "security.access_refused",
    "RefusalsCounted": "security.refusals_counted",
    "ClockStepped": "system.clock_stepped",
}
"""Events of the people's stream that other systems receive; accounts, sessions and passwords are not among them."""

_BY_STREAM: Mapping[str, Mapping[str, str]] = {HOUSE: DEVICE, CASHIER: CASH, PLAYERS: PATRON, PEOPLE: OFFICE}


def event_name(stream: str, kind: str) -> str | None:
    """Return the name of an event for other systems; None where they do not receive it."""
    if stream.startswith("table/"):
        return GAME.get(kind)
    if stream.startswith("link/"):
        return PROGRESSIVE.get(kind)
    return _BY_STREAM.get(stream, {}).get(kind)
