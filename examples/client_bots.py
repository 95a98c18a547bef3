"""A hundred players against a running house, each over a connection of its own.

    croupier serve --config examples/hundred.toml --database sqlite:///hundred.db     in one terminal
    python examples/client_bots.py http://127.0.0.1:8000                                     in another

Kill the server, start it again: they go on by themselves where they were. Stop them with Ctrl-C.
"""

from __future__ import annotations

import argparse
import asyncio
import time

from croupier.client import Client, Refused, Table


class Bot:
    """Bets the least that the table takes, looks at its cards, and bets on whenever it may."""

    def __init__(self, client: Client, table: str) -> None:
        self.client, self.table = client, table
        self.box: int | None = None
        self.rounds: set[int] = set()
        """Rounds in which it was paid or lost."""
        self.missed = 0
        """Events that it received only after a break."""

    async def play(self) -> None:
        """Play until cancelled; the client comes back by itself after a break."""
        async with self.client:
            async for state in self.client.watch(self.table):
                self.missed += len(state.missed)
                if any(line.player == self.client.name for line in state.lines):
                    self.rounds.add(state.round)
                await self._act(state)

    async def _act(self, state: Table) -> None:
        mine = next((box.box for box in state.boxes if any(s.player == self.client.name for s in box.stakes)), None)
        if state.stage == "betting" and mine is None:
            await self._sit_down(state)
            return
        choices = [choice for choice in state.choices if choice.box == mine]
        if mine is None or not choices:
            return
        if state.box(mine).may_examine:
            await self.client.command(self.table, "examine", box=mine)
        else:
            choice = next((choice for choice in choices if choice.bet), choices[0])
            await self.client.command(self.table, "decide", box=mine, choice=choice.choice)

    async def _sit_down(self, state: Table) -> None:
        """Take the earlier box if it is free; where another player is quicker, the next free one."""
        free = [box.box for box in state.boxes if not box.stakes]
        free.sort(key=lambda box: box != self.box)
        least = state.limits["ante"][0]
        for box in free:
            answer = await self.client.command(self.table, "bet", box=box, bet="ante", amount=least)
            if answer.accepted:
                self.box = box
                return


async def main(address: str, wanted: int, seconds: float) -> None:
    """Run this many guests at the tables without staff, and print a line every few seconds."""
    bots: list[Bot] = []
    async with await Client.as_guest(address) as first:
        tables = [place.table for place in await first.tables() if not place.staffed]
    while len(bots) < wanted:
        try:
            bots.append(Bot(await Client.as_guest(address), tables[len(bots) % len(tables)]))
        except Refused as told:  # the server limits new guests per minute
            print(told)
            await asyncio.sleep(5)
    playing = [asyncio.create_task(bot.play()) for bot in bots]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        await asyncio.sleep(5)
        rounds, breaks = sum(len(bot.rounds) for bot in bots), sum(bot.client.breaks for bot in bots)
        print(
            f"{len(bots)} bots, {rounds} rounds settled, {breaks} breaks, {sum(b.missed for b in bots)} events missed"
        )
        for task in playing:
            if task.done():
                task.result()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", default="http://127.0.0.1:8000")
    parser.add_argument("--bots", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    given = parser.parse_args()
    try:
        asyncio.run(main(given.address, given.bots, given.seconds))
    except KeyboardInterrupt:
        print("Stopped.")
    except ConnectionError as nobody:
        raise SystemExit(str(nobody)) from None
