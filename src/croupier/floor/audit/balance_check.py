"""Balances: what the entries come to, on every account and on every link."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from croupier.floor.audit.findings import Findings
from croupier.floor.audit.first_release_link import first_link_agrees, is_first_link
from croupier.floor.audit.head_check import HeadCheck
from croupier.floor.records.codec import LINK_STATE
from croupier.floor.records.streams import link_stream
from croupier.jackpots.link import Link
from croupier.journal.records import GENESIS, ChainBroken, state_in
from croupier.journal.store import Store
from croupier.ledger import accounts
from croupier.ledger.accounts import AccountName
from croupier.money import Money, show


class BalanceCheck:
    """Compares accounts, links and the states that servers share with what the records come to."""

    def __init__(
        self,
        store: Store,
        heads: HeadCheck,
        held: Mapping[AccountName, Money],
        links: Mapping[str, Link | None],
        findings: Findings,
    ) -> None:
        """`held` is what the entries come to, by account, and 0 for every other one."""
        self.store, self.heads, self.held, self.links, self.findings = store, heads, held, links, findings

    def run(self) -> None:
        """Check every account and every link."""
        known: dict[AccountName, tuple[object, object]] = {}
        for row in self.store.rows("accounts"):
            known[str(row[0])] = (row[1], row[2])
        for account in sorted({*self.held, *known}):
            balance, overdrawable = known.get(account, (None, None))
            if account not in self.held:
                self.findings.add("accounts", 0, f"{account} is in no entry.")
            elif balance != self.held[account]:
                says = "is missing" if balance is None else f"holds {balance}"
                self.findings.add("accounts", 0, f"{account} {says}, its entries come to {self.held[account]} cents.")
            elif overdrawable != int(accounts.may_be_overdrawn(account)):
                self.findings.add("accounts", 0, f"{account} is marked wrongly as one that may be overdrawn.")
            elif self.held[account] < 0 and not accounts.may_be_overdrawn(account):
                self.findings.add("accounts", 0, f"{account} stands at {show(self.held[account])}.")
        if sum(self.held.values()):
            self.findings.add("accounts", 0, f"all accounts together come to {show(sum(self.held.values()))}.")
        for name, link in self.links.items():
            if link is not None:
                self._check_link(name, link)
        if self.store.is_shared:
            self._check_shared(self.store.links())

    def _check_link(self, name: str, link: Link) -> None:
        for account, meter in (
            (accounts.pool(name), link.cents),
            (accounts.reserve(name), link.reserve_cents),
            (accounts.overflow(name), link.overflow_cents),
            (accounts.payable(name), link.locked_cents),
        ):
            if self.held[account] != meter:
                what = f"{account} comes to {show(self.held[account])}, the link to {show(meter)}."
                self.findings.add(link_stream(name), 0, what)

    def _check_shared(self, shared: Mapping[str, bytes]) -> None:
        """Check the states of links that servers share against the records."""
        for name in sorted({*shared, *self.links}):
            _, last = self.heads.heads.get(link_stream(name), (0, GENESIS))
            try:
                state, link = state_in(last, shared.get(name, b"")), self.links.get(name)
                if is_first_link(state):
                    sound = link is not None and first_link_agrees(state, link)
                else:
                    sound = LINK_STATE.decode(state) == link
            except (ChainBroken, msgspec.MsgspecError, UnicodeError):
                sound = False
            if not sound:
                self.findings.add(link_stream(name), 0, "the state that servers share is not what its records come to.")

    # ---------------------------------------------------------------- names
