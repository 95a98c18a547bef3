"""Players who may not play on, as those who run the house see them at the server's door."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.floor.duties.permissions import MAY, Action, Post
from tests.floor.serving import Served, quiet

MBS = "mbs-megalink-holdem"


def test_whoever_may_lift_a_bar_is_told_so(tmp_path: Path) -> None:
    """mbs-megalink-holdem 5.9: listed with its table, its paragraphs and the role it takes, until it is lifted."""
    with Served(tmp_path, {"T1": quiet(MBS), "T2": quiet(MBS)}) as served:

        def do(post: Post, **sent: object) -> dict[str, object]:
            with served.http(post) as client:
                said: dict[str, object] = client.post(
                    "/api/tables/T1/commands", json={"id": f"{post} {sent}", **sent}
                ).json()
            return said

        def bars(post: Post) -> list[dict[str, object]]:
            with served.http(post) as client:
                found: list[dict[str, object]] = client.get("/api/bars").json()
            return found

        assert bars(Post.SHIFT_MANAGER) == []
        for post, sent in (
            (Post.DEALER, {"do": "open"}),
            (Post.PLAYER, {"do": "bet", "box": 1, "bet": "ante", "amount": "25.00"}),
            (Post.DEALER, {"do": "close_bets"}),
            (Post.DEALER, {"do": "report", "incident": "not_confidential", "player": "player"}),
            (Post.SHIFT_MANAGER, {"do": "rule", "decision": "prohibit"}),
        ):
            answer = do(post, **sent)
            assert answer["accepted"], answer
        (bar,) = bars(Post.SHIFT_MANAGER)
        assert bar == {
            "player": "player",
            "table": "T1",
            "game": MBS,
            "operator": "MBS",
            "everywhere": True,
            "rules": ["5.9", "5.10.3", "bar-scope"],
            "by": "shift_manager",
            "may": True,
        }
        for post in MAY[Action.SEE_FIGURES] - {Post.SHIFT_MANAGER}:
            assert bars(post) == [bar | {"may": False}]
        lift = {"do": "rule", "decision": "allow", "player": "player"}
        assert do(Post.PIT_MANAGER, **lift)["code"] == "not_authorised"
        assert do(Post.SHIFT_MANAGER, **lift)["accepted"]
        assert bars(Post.SHIFT_MANAGER) == []


@pytest.mark.parametrize("post", [Post.PLAYER, Post.DEALER, Post.DISPLAY])
def test_nobody_else_reads_who_is_barred(tmp_path: Path, post: Post) -> None:
    """A player's name stands there."""
    with Served(tmp_path) as served, served.http(post) as client:
        assert client.get("/api/bars").status_code == 403
