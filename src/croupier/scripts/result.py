"""What a script came to: rounds with their lines, awards and notices, refusals, the meter, and every player's net."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from croupier.money import Money, show
from croupier.rounds.events import AwardPaid, BetSettled


class Notice(msgspec.Struct, frozen=True):
    """Something said or shown at the table, or noted in the record."""

    text: str
    rules: tuple[str, ...] = ()


class RoundResult(msgspec.Struct, frozen=True, kw_only=True):
    """One Round, as its reader sees it."""

    table: str
    game: str
    currency: str
    round: int
    status: str
    lines: tuple[BetSettled, ...]
    awards: tuple[AwardPaid, ...]
    notices: tuple[Notice, ...]
    awaiting: tuple[dict[str, object], ...] = ()
    cards: Mapping[str, tuple[str, ...]] = {}
    """What lay face up in the end."""

    def line(self, box: int, bet: str, player: str | None = None) -> BetSettled | None:
        """Return the line of this Bet; of this Player where several share the area."""
        for line in self.lines:
            if line.box == box and line.bet == bet and player in (None, line.player):
                return line
        return None


class RefusalResult(msgspec.Struct, frozen=True):
    """A step that the rules forbade."""

    step: int
    code: str
    message: str
    rules: tuple[str, ...]


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """Everything `croupier replay` prints."""

    rounds: tuple[RoundResult, ...]
    refusals: tuple[RefusalResult, ...]
    meter: Money | None
    net: Mapping[str, Money]

    def to_json(self) -> dict[str, object]:
        """Return the stable form of `--json`."""
        return {
            "rounds": [_round(found) for found in self.rounds],
            "refusals": [
                {"step": r.step, "code": r.code, "message": r.message, "rules": list(r.rules)} for r in self.refusals
            ],
            "jackpot": None if self.meter is None else {"meter": show(self.meter)},
            "players": {player: {"net": show(amount)} for player, amount in self.net.items()},
        }


def _round(found: RoundResult) -> dict[str, object]:
    round_of_play: dict[str, object] = {
        "table": found.table,
        "round": found.round,
        "status": found.status,
        "lines": [
            {
                "box": line.box,
                "player": line.player,
                "bet": line.bet,
                "staked": show(line.staked),
                "outcome": line.outcome.value,
                "won": show(line.won),
                "returned": show(line.returned),
                "rules": list(line.rules),
                "because": line.because,
            }
            for line in found.lines
        ],
        "awards": [
            {
                "box": award.box,
                "player": award.player,
                "hand": award.hand,
                "pays": award.pays,
                "amount": show(award.amount),
                "rules": list(award.rules),
            }
            for award in found.awards
        ],
        "notices": [{"text": notice.text, "rules": list(notice.rules)} for notice in found.notices],
    }
    if found.awaiting:
        round_of_play["awaiting"] = list(found.awaiting)
    return round_of_play
