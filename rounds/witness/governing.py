"""Which rules, limits and records govern a round, from what was read of the log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from rounds.engine.packs import Pack
from rounds.intake.kinds.round import Round
from rounds.witness.circumstances import LogRead, Version, limits_of, offered_bets
from rounds.witness.determined import Body, determined_of
from rounds.witness.due import NoPack, NoSum
from rounds.witness.seen import Governing, Seen, first_events

NO_RULES = "no rules were in force at its table"


class Governors:
    """Between two changes at a table everything stays the same, and is worked out once."""

    def __init__(self, log: LogRead, packs: Mapping[str, Pack]) -> None:
        self.log, self.packs = log, packs
        self._known: dict[tuple[int, int], Governing] = {}

    def see(self, index: int, table: str, played: Round) -> Seen:
        """The rules in force at the first event say which event a round commences with."""
        events = first_events(played)
        first = min(events.values())
        rule = self._at(table, first).pack.conduct.commencement
        at = events.get(rule.event, first) if rule else first
        acts = self.log.acts_about(index, table)
        return Seen(
            index, table, played, at, self._at(table, at), determined_of(index, played, acts),
            self.log.acts_by_table.get(table, []),
        )  # fmt: skip

    def _at(self, table: str, at: datetime) -> Governing:
        facts = self.log.facts_at(table, at)
        version = self._version(facts, at)
        known = (version.index, id(facts))
        if known not in self._known:
            pack = self.packs.get(version.pack_sha256)
            if pack is None:
                raise NoPack(version.pack_sha256)
            self._known[known] = Governing(version, pack, facts, offered_bets(pack, facts), limits_of(facts))
        return self._known[known]

    def _version(self, facts: Mapping[str, Body], at: datetime) -> Version:
        stated = facts.get("rules")
        version = self.log.version_at(stated["rules"], at) if stated else None
        if version is None:
            raise NoSum(NO_RULES, must_be_found=True)
        return version
