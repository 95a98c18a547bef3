"""From what a person sends to a command: in his own name, of what his post may, or a sentence with the field."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from croupier.cards import parse_cards
from croupier.floor.duties.permissions import Action, Post
from croupier.floor.people.authorization import BadRequest, NotAllowed, command_for
from croupier.floor.people.people import Person
from croupier.floor.records.commands import AtTable, ChangeTerms, CloseTable, HouseCommand, ReopenTable, TableConfig
from croupier.floor.records.tables import Table, terms_of
from croupier.jackpots.commands import ReleaseAward, RuleDealOrder, SignAward
from croupier.rounds.commands import (
    CloseBets,
    DealCards,
    DecideHand,
    GiveRuling,
    OpenRound,
    PlaceBet,
    ReportIncident,
    TurnCards,
    WithdrawBet,
)
from croupier.rounds.events import BetPlaced, RoundOpened
from croupier.rounds.evolve import evolve_all
from croupier.rounds.state import new_table
from croupier.rulebooks.vocabulary import Incident, Role

CONFIG = TableConfig(game="rws-multilink-holdem")
TERMS = terms_of(CONFIG)
BETS = (BetPlaced(player=name, box=box, bet="ante", amount=10_00, rules=()) for box, name in ((1, "ana"), (2, "ben")))
TABLE = Table("T1", TERMS, CONFIG, evolve_all(new_table(TERMS.boxes), (RoundOpened(number=1), *BETS)))


def asked(post: Post, do: object, **fields: object) -> HouseCommand:
    """By ana, who is at her post."""
    return command_for(Person("ana", post, ""), TABLE, {"do": do, "id": "1", **fields})


def at_table(post: Post, do: str, **fields: object) -> object:
    """The command at the table that it comes to."""
    command = asked(post, do, **fields)
    assert isinstance(command, AtTable)
    assert command.table == "T1"
    return command.command


def test_a_player_speaks_for_himself_whatever_he_sends() -> None:
    """Another's name, a role and what a dealer has noticed are not his to say."""
    sent = {"player": "ben", "by": "shift_manager", "noticed": False, "box": 1, "bet": "ante", "amount": "10.00"}
    assert at_table(Post.PLAYER, "bet", **sent) == PlaceBet(player="ana", box=1, bet="ante", amount=10_00)
    assert at_table(Post.PLAYER, "withdraw", player="ben", box=1, bet="ante") == WithdrawBet(
        player="ana", box=1, bet="ante"
    )


@pytest.mark.parametrize("do", ["decide", "choose", "refuse_reveal", "prove"])
def test_a_player_decides_for_the_boxes_at_which_he_is_seated(do: str) -> None:
    """Box 1 is hers, box 2 is another's, at box 3 nobody sits; what is no box is said to be none."""
    more = {"decide": {"choice": "flop"}, "choose": {"option": "return"}}.get(do, {})
    assert isinstance(asked(Post.PLAYER, do, box=1, **more), AtTable)
    for box in (2, 3, TERMS.boxes):
        with pytest.raises(NotAllowed, match=f"Box {box} is not yours"):
            asked(Post.PLAYER, do, box=box, **more)
    for none in (True, "1", None):
        with pytest.raises(BadRequest, match="box"):
            asked(Post.PLAYER, do, box=none, **more)


def test_staff_bet_for_a_named_player_with_their_role_on_it() -> None:
    """A bet says who took it; other steps of a player have no such field."""
    bet = at_table(Post.PIT_SUPERVISOR, "bet", player="ben", box=2, bet="ante", amount="10.00", noticed=False)
    assert bet == PlaceBet(player="ben", box=2, bet="ante", amount=10_00, noticed=False, by=Role.PIT_SUPERVISOR)
    withdrawn = at_table(Post.DEALER, "withdraw", player="ben", box=2, bet="ante")
    assert withdrawn == WithdrawBet(player="ben", box=2, bet="ante")
    with pytest.raises(BadRequest):
        asked(Post.DEALER, "bet", box=2, bet="ante", amount="10.00")


def test_a_ruling_has_the_name_and_the_role_of_whoever_gives_it() -> None:
    """Whatever was sent."""
    ruling = at_table(Post.PIT_MANAGER, "rule", decision="void", by="shift_manager", who="nobody")
    assert ruling == GiveRuling(by=Role.PIT_MANAGER, decision="void", who="ana")
    report = at_table(Post.DEALER, "report", incident="foreign_card", by="shift_manager")
    assert report == ReportIncident(incident=Incident.FOREIGN_CARD, by=Role.DEALER)
    assert asked(Post.SHIFT_MANAGER, "rule", decision="release_award") == ReleaseAward(
        table="T1", by=Role.SHIFT_MANAGER
    )
    order = asked(Post.SHIFT_MANAGER, "rule", decision="deal_order", tables=["T2", "T1"])
    assert order == RuleDealOrder(table="T1", by=Role.SHIFT_MANAGER, tables=("T2", "T1"))


def test_the_dealers_steps() -> None:
    """Opening and closing have no name on them; cards are read as they are written."""
    assert at_table(Post.DEALER, "open", by="shift_manager") == OpenRound()
    assert at_table(Post.DEALER, "close_bets") == CloseBets()
    assert at_table(Post.DEALER, "deal") == DealCards()
    turned = at_table(Post.DEALER, "turn", cards={"1": "Ah Kh", "community": ""})
    assert turned == TurnCards(cards={"1": parse_cards("Ah Kh"), "community": ()})
    assert at_table(Post.DEALER, "decide", box=2, choice="flop") == DecideHand(box=2, choice="flop")


def test_what_is_of_the_table_and_not_of_its_round() -> None:
    """Each with the name of whoever asks."""
    assert asked(Post.PIT_MANAGER, "close_table") == CloseTable(table="T1", by="ana")
    assert asked(Post.PIT_MANAGER, "reopen_table") == ReopenTable(table="T1", by="ana")
    assert asked(Post.PIT_SUPERVISOR, "verify_award", award=3) == SignAward(table="T1", award=3, by="ana")
    change = asked(
        Post.PIT_MANAGER, "change_terms", limits={"ante": ["20.00", "500.00"]}, jackpot_bet="10.00",
        pay_tables={"bonus": {"flush": "8 to 1"}},
    )  # fmt: skip
    assert change == ChangeTerms(
        table="T1",
        by="ana",
        limits={"ante": (20_00, 500_00)},
        jackpot_bet=10_00,
        pay_tables={"bonus": {"flush": "8 to 1"}},
    )
    assert asked(Post.PIT_MANAGER, "change_terms", limits=None) == ChangeTerms(table="T1", by="ana")


WHO = {
    Post.PLAYER: "A player",
    Post.DEALER: "A dealer",
    Post.PIT_SUPERVISOR: "A pit supervisor",
    Post.PIT_MANAGER: "A pit manager",
    Post.SHIFT_MANAGER: "A shift manager",
    Post.CAGE: "The cage",
    Post.SURVEILLANCE: "Surveillance",
    Post.AUDITOR: "An auditor",
    Post.DISPLAY: "A display",
    Post.ADMINISTRATOR: "An administrator",
    Post.CHIP_READER: "A chip reader",
    Post.EXAMINER: "An examiner",
    Post.LEARNER: "A learner",
}


@pytest.mark.parametrize(
    ("post", "do", "action"),
    [
        (Post.PLAYER, "open", Action.DEAL),
        (Post.PLAYER, "rule", Action.RULE),
        (Post.DEALER, "verify_award", Action.VERIFY_AWARD),
        (Post.DEALER, "close_table", Action.OPEN_TABLES),
        (Post.AUDITOR, "bet", Action.PLAY),
        (Post.DISPLAY, "open", Action.DEAL),
        (Post.SURVEILLANCE, "decide", Action.PLAY),
    ],
)
def test_a_post_may_do_what_is_declared_and_nothing_else(post: Post, do: str, action: Action) -> None:
    """The refusal says which permission was lacking, for the record."""
    with pytest.raises(NotAllowed) as said:
        asked(post, do, box=1, round=1)
    assert str(said.value) == f"{WHO[post]} may not {do.replace('_', ' ')} at a table."
    assert said.value.action is action


def test_every_post_is_spoken_of_with_its_article() -> None:
    """As the refusals at every door begin."""
    assert {post: post.who for post in Post} == WHO


@pytest.mark.parametrize(
    ("do", "fields", "names"),
    [
        (None, {}, "do"),
        (7, {}, "do"),
        ("dance", {}, "do"),
        ("verify_award", {}, "award"),
        ("verify_award", {"award": "1"}, "award"),
        ("verify_award", {"award": True}, "award"),
        ("verify_award", {"award": 0}, "award"),
        ("verify_award", {"award": 2**53}, "award"),
        ("deny_award", {"award": 1}, "text"),
        ("deny_award", {"award": 1, "text": ""}, "text"),
        ("deny_award", {"award": 1, "text": "x" * 401}, "text"),
        ("deny_award", {"text": "A card was foreign."}, "award"),
        ("change_terms", {"limits": ["ante"]}, "limits"),
        ("change_terms", {"limits": {"ante": ["1.00"]}}, "limits"),
        ("change_terms", {"limits": {"ante": "10"}}, "limits"),
        ("change_terms", {"limits": {"ante": ["1.00", "much"]}}, "limits"),
        ("change_terms", {"jackpot_bet": "5"}, "jackpot_bet"),
        ("change_terms", {"pay_tables": {"bonus": ["flush"]}}, "pay_tables"),
        ("change_terms", {"pay_tables": {"bonus": {"flush": 8}}}, "pay_tables"),
        ("change_terms", {"pay_tables": "bonus"}, "pay_tables"),
        ("turn", {}, "cards"),
        ("turn", {"cards": {"1": 5}}, "cards.1"),
        ("turn", {"cards": {"1": "Ah Ah"}}, "cards.1"),
        ("turn", {"cards": {"dealer": "Xx"}}, "cards.dealer"),
        ("decide", {"box": 1}, "choice"),
    ],
)  # fmt: skip
def test_what_is_no_command_is_said_with_its_field(do: object, fields: Mapping[str, object], names: str) -> None:
    """One sentence that begins with the field."""
    with pytest.raises(BadRequest, match=f"^{names}\\b") as said:
        asked(Post.SHIFT_MANAGER, do, **fields)
    assert "\n" not in str(said.value)
