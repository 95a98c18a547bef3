"""Versions of events: how an earlier release's are read, and how it would have written what is judged today."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.journal.records import Downcaster, Upcaster, Versions

Fields = dict[str, object]

_RWS = {"exposures-add-up": "a", "post-settlement-window": "c", "jackpot-fault": "h"}
FIRST_READINGS: Mapping[str, Mapping[str, str]] = {
    "rws-multilink-holdem": _RWS,
    "rws-multilink-three-card": _RWS,
    "rws-progressive-holdem": {**_RWS, "v6-proof": "a"},
    "mbs-megalink-holdem": {
        "contribution-multiple": "b",
        "exposures-add-up": "a",
        "post-settlement-window": "c",
        "backer-returned": "a",
    },
}
"""By game: what the first release read where a later one reads otherwise. A table that it opened keeps these readings,
so that its Rounds are judged as they were played.
"""
_NEW_DIMENSIONS = ("jackpot-fault", "post-settlement-window")
"""Readings that have gained a question: the first release's answer to it stands beside whatever a table had chosen."""


def _table_opened(fields: Fields) -> Fields:
    config = fields["config"]
    assert isinstance(config, dict)
    chosen: dict[str, str] = dict(config.get("rulings", {}))
    for reading, letter in FIRST_READINGS.get(str(config["game"]), {}).items():
        if reading not in chosen:
            chosen[reading] = letter
        elif reading in _NEW_DIMENSIONS:
            chosen[reading] = f"{chosen[reading]}+{letter}"
    return {**fields, "config": {**config, "rulings": chosen} if chosen else config}


LANDED: Mapping[str, int] = {
    "rws-multilink-holdem": 2,
    "rws-multilink-three-card": 4,
    "mbs-megalink-holdem": 9,
    "rws-progressive-holdem": 6,
    "sun-casino-holdem": 1,
}
"""By game: the version of the document that releases played whose records name the game alone."""


def _with_version(fields: Fields) -> Fields:
    config = fields["config"]
    assert isinstance(config, dict)
    game = str(config["game"])
    return {**fields, "config": {**config, "game": f"{game}@{LANDED[game]}" if game in LANDED else game}}


def _as_it_was(fields: Fields) -> Fields:
    return fields


def _without(*names: str) -> Downcaster:
    def lower(fields: Fields) -> Fields:
        return {name: value for name, value in fields.items() if name not in names}

    return lower


_first_claim = _without("cards", "collected")


def _first_claims(fields: Fields) -> Fields:
    claims = fields["claims"]
    assert isinstance(claims, list)
    return {**fields, "claims": [_first_claim(claim) for claim in claims]}


PAYMENT_NOTED = 2
"""The version of `CasePaid` from which on the house keeps who said that the award is paid out. Earlier releases did not
ask, so that their awards are not due.
"""

UPCASTERS: Mapping[tuple[str, int], Upcaster] = {
    ("TableOpened", 1): _table_opened,
    ("TableOpened", 2): _with_version,
    ("RoundOpened", 1): _as_it_was,
    ("AwardClaimed", 1): _as_it_was,
    ("ClaimsEntered", 1): _as_it_was,
    ("HandExamined", 1): _as_it_was,
    ("HandExamined", 2): _as_it_was,
    ("CasePaid", 1): _as_it_was,
}
DOWNCASTERS: Mapping[tuple[str, int], Downcaster] = {
    ("RoundOpened", 1): _without("rulebook"),
    ("AwardClaimed", 1): _first_claim,
    ("ClaimsEntered", 1): _first_claims,
}

VERSIONS = Versions(
    {
        "TableOpened": 3,
        "RoundOpened": 2,
        "AwardClaimed": 2,
        "ClaimsEntered": 2,
        "HandExamined": 3,
        "CasePaid": PAYMENT_NOTED,
    },
    UPCASTERS,
    DOWNCASTERS,
)
