"""Finds the rules, limits and decisions that apply to a round."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from rounds.engine import Pack
from rounds.intake.protocol.round import Round
from rounds.witness.recompute.amount_due import NoAmountDue, RulePackMissing
from rounds.witness.recompute.decisions import EntryBody, decisions_for_round
from rounds.witness.recompute.round_context import GoverningRules, RoundContext, first_event_times
from rounds.witness.recompute.rules_in_force import LogRules, RuleVersion, offered_bets

NO_RULES = "no rules were in force at its table"


class RulesLookup:
    """Caches the rules of a table between two changes."""

    def __init__(self, log: LogRules, packs: Mapping[str, Pack]) -> None:
        self.log, self.packs = log, packs
        self._known: dict[tuple[int, int], GoverningRules] = {}

    def round_context(self, index: int, table: str, played: Round) -> RoundContext:
        """The rules at the first event define which event the round commences with;
        the rules at that event apply to it.
        """
        events = first_event_times(played)
        first = min(events.values())
        rule = self._rules_at(table, first).pack.conduct.commencement
        at = events.get(rule.event, first) if rule else first
        acts = self.log.decisions_about(index, table)
        return RoundContext(
            index,
            table,
            played,
            at,
            self._rules_at(table, at),
            decisions_for_round(index, played, acts),
            self.log.decisions_by_table.get(table, []),
        )

    def _rules_at(self, table: str, at: datetime) -> GoverningRules:
        facts = self.log.facts_at(table, at)
        version = self._rule_version(facts, at)
        known = (version.index, id(facts))
        if known not in self._known:
            pack = self.packs.get(version.pack_sha256)
            if pack is None:
                raise RulePackMissing(version.pack_sha256)
            self._known[known] = GoverningRules(version, pack, facts, offered_bets(pack, facts))
        return self._known[known]

    def _rule_version(self, facts: Mapping[str, EntryBody], at: datetime) -> RuleVersion:
        stated = facts.get("rules")
        version = self.log.version_at(stated["rules"], at) if stated else None
        if version is None:
            raise NoAmountDue(NO_RULES, must_be_found=True)
        return version
