"""Links as people watch them."""

from __future__ import annotations

from litestar import get
from litestar.params import FromPath

from croupier.floor.duties.permissions import Action
from croupier.floor.server.dependencies import TheFloor, ThePerson, link_named
from croupier.floor.views.award_views import LinkView, link_view


@get("/api/links/{name:str}", opt={"action": Action.WATCH})
async def one_link(floor: TheFloor, person: ThePerson, name: FromPath[str]) -> LinkView:
    """Return the meter, the awards that are locked or wait, and the last hits."""
    link_named(floor, name)
    return link_view(floor.house, name, person)


LINK_ROUTES = (one_link,)
