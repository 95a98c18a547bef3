"""The argument GAME: the name of a game, or of one of its editions."""

from __future__ import annotations

import click

from croupier.rulebooks.documents.editions import UnknownGame, edition


class GameName(click.ParamType[str]):
    """A game, such as `mbs-megalink-holdem`, or an edition of it, `mbs-megalink-holdem@10`."""

    name = "GAME"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name as it was typed, if an installed rulebook has it."""
        try:
            edition(value)
        except UnknownGame as wrong:
            self.fail(str(wrong), param, ctx)
        return value


GAME_ARGUMENT = click.argument("game", type=GameName(), metavar="GAME")
