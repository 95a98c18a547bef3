"""The matrix of posts and actions, for the browser's page on duties."""

from __future__ import annotations

from litestar import get
from litestar.datastructures import State

from croupier.floor.duties.permission_table import MEANS, bounds
from croupier.floor.duties.permissions import MATRIX, Action, Condition, Post
from croupier.floor.live.floor import Floor
from croupier.floor.views.table_views import Json


@get("/api/duties", opt={"action": Action.SEE_DUTIES})
async def duties(state: State) -> Json:
    """Who may do what, on which conditions, with the bounds in force."""
    floor = state.floor
    assert isinstance(floor, Floor)
    in_force = floor.house.shown_people.duties
    return {
        "posts": [post.value for post in Post],
        "actions": [
            {
                "action": action.value,
                "means": MEANS[action],
                "posts": [post.value for post in Post if post in duty.posts],
                "conditions": [condition.value for condition in duty.conditions],
            }
            for action, duty in MATRIX.items()
        ],
        "conditions": {condition.value: condition.says for condition in Condition},
        "bounds": None if in_force is None else bounds(in_force),
    }


DUTY_ROUTES = (duties,)
