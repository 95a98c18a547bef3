"""An incident that one rulebook declares itself, from the dealer's list to the audit; other tables do not have it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from croupier import verify
from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.journal.store_address import open_store
from tests.floor.serving import Served, quiet
from tests.own_incidents import GAME, installed

OTHER = "mbs-megalink-holdem"
WORDS = "A card was dropped on the floor"


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """T1 plays the rulebook with the incident, T2 another; at both a player has looked at their cards."""
    installed(monkeypatch, "croupier.rulebooks.terms", "croupier.floor.server.routes.play.games")
    with Served(tmp_path, {"T1": quiet(GAME), "T2": quiet(OTHER)}) as served:
        for table in ("T1", "T2"):
            told = [
                served.step(Post.DEALER, "open", table),
                served.step(Post.PLAYER, "bet", table, box=1, bet="ante", amount="50.00"),
                served.step(Post.DEALER, "close_bets", table),
                served.step(Post.PLAYER, "examine", table, box=1),
            ]
            assert all(answer["accepted"] for answer in told), told
        yield served


def offered(client: httpx.Client, table: str) -> dict[str, dict[str, object]]:
    """What the dealer may report, by its slug."""
    found = client.get(f"/api/tables/{table}/procedure").json()["incidents"]
    return {each["incident"]: each for each in found}


def test_the_dealer_is_offered_it_by_its_words_at_the_tables_of_its_rulebook_alone(served: Served) -> None:
    """With the facts that its report states, and the paragraphs that speak of it."""
    with served.http(Post.DEALER) as dealer:
        assert offered(dealer, "T1")["card_dropped"] == {
            "incident": "card_dropped",
            "says": WORDS,
            "asks": ["boxes", "text", "looked"],
            "rules": ["5.8", "5.14"],
            "do": "report",
        }
        assert "card_dropped" not in offered(dealer, "T2")
        assert "cards_exposed" in offered(dealer, "T2")
        preview = dealer.post("/api/tables/T1/preview", json={"incident": "card_dropped", "boxes": [1]}).json()
        assert [(each["says"], each["answer"]) for each in preview["awaiting"]] == [
            (WORDS, "card_replaced"),
            (WORDS, "hand_out"),
        ]


def test_another_rulebook_refuses_it_like_any_unknown_incident(served: Served) -> None:
    """One sentence that says which incidents the game has; a preview says the same."""
    told = served.step(Post.DEALER, "report", "T2", incident="card_dropped", boxes=[1])
    message = 'incident: "card_dropped" is not one of foreign_card, deck_count, '
    assert (told["accepted"], told["code"]) == (False, "bad_request")
    assert str(told["message"]).startswith(message)
    with served.http(Post.DEALER) as dealer:
        told = dealer.post("/api/tables/T2/preview", json={"incident": "card_dropped", "boxes": [1]}).json()
        assert str(told["message"]).startswith(message)
        known = served.step(Post.DEALER, "report", "T1", incident="card_droped", boxes=[1])
        assert str(known["message"]).endswith(", late_error, uncovered, card_dropped.")


def test_it_is_reported_ruled_on_exported_and_audited(served: Served, tmp_path: Path) -> None:
    """By the pit, which sees its words; the record of the round checks itself, and the audit judges the same."""
    assert served.step(Post.DEALER, "report", incident="card_dropped", boxes=[1], text="under the chair")["accepted"]
    with served.http(Post.PIT_SUPERVISOR) as pit:
        waits = pit.get("/api/tables/T1").json()["awaiting"]
        assert {(each["says"], each["incident"]) for each in waits} == {(WORDS, "card_dropped")}
    assert served.step(Post.PIT_SUPERVISOR, "rule", decision="card_replaced", text="a new card")["accepted"]
    assert served.step(Post.PLAYER, "decide", box=1, choice="fold")["accepted"]
    with served.http(Post.AUDITOR) as auditor:
        played = auditor.get("/api/tables/T1/rounds/1").json()
        reports = [step["event"]["report"] for step in played["steps"] if step["event"]["type"] == "IncidentReported"]
        assert [(report["incident"], report["text"]) for report in reports] == [("card_dropped", "under the chair")]
        record = auditor.get("/api/tables/T1/rounds/1/record").json()
    assert verify.check(record).problems == []
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}", read_only=True)
    try:
        assert audit(store).differences == ()
    finally:
        store.close()


def test_the_rules_that_the_browser_shows_name_it(served: Served) -> None:
    """Under the document that declares it, and under no other."""
    with served.http() as client:
        facts = {game: client.get(f"/api/games/{game}").json()["facts"] for game in (GAME, OTHER)}
    alone = "Incidents of this document alone"
    told = {game: [fact for fact in facts[game] if fact["dimension"] == alone] for game in facts}
    assert [fact["says"].partition(";")[0] for fact in told[GAME]] == [WORDS]
    assert told[OTHER] == []
