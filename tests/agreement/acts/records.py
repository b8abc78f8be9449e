"""Records of any kind withdrawn; facts, tables and rule versions; decisions and comments on findings."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from compliance.audit.models import Finding
from compliance.core.accounts.roles import Role
from compliance.core.corrections.permissions import may_withdraw, roles_by_person
from compliance.core.corrections.registry import correctable_of
from compliance.core.corrections.services import withdraw_record
from compliance.inspection.reviews.consumer import consume_findings
from compliance.inspection.reviews.models import Review
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.services import comment_on_finding, decide_finding
from compliance.inspection.reviews.services.decisions import DecisionInput
from rounds.floor.fact_values import (
    DiceInUseValue,
    FactValue,
    GamingDayValue,
    LimitsValue,
    SmallestChipValue,
    TableRulesValue,
)
from rounds.floor.models import Fact
from rounds.floor.services import add_table, add_terminal, record_fact, retire_table, retire_terminal, retract_fact
from rounds.ledger import LogEntry, corrections_of, read_entries_at
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.versions.approve import approve_version, withdraw_version
from rounds.rulebook.versions.propose import SourceUpload, propose_ruling, propose_version
from rounds.rulepacks import PACK_FOLDER
from tests.agreement.machine import Agreement

FACTS: tuple[FactValue, ...] = (
    LimitsValue(min=500, max=900),
    LimitsValue(min=500, max=40_000),
    LimitsValue(min=1_000, max=50_000),
    SmallestChipValue(cents=500),
    DiceInUseValue(dice="D-7"),
)
HOURS = st.sampled_from([0, 1, 5])
MAY_STATE = (Role.CASINO_SUPERVISOR, Role.COMPLIANCE_OFFICER)


class ActsOnRecords(Agreement):
    # --- Withdrawals --------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.authors)
    @rule(data=st.data(), by_author=st.booleans())
    def withdraw(self, data: st.DataObject, by_author: bool) -> None:
        entries = [entry for entry in read_entries_at(self.casino.slug, sorted(self.authors)) if self.is_open(entry)]
        if not entries:
            return
        entry = data.draw(st.sampled_from(entries))
        by = self.authors[entry.index] if by_author else self.superior_of(entry)
        said = {"entry": entry, "reason": "Recorded in error."}
        self.act(withdraw_record, by, casino=self.casino, **said)
        self.consume()

    def is_open(self, entry: LogEntry) -> bool:
        """Whether it can be withdrawn, and nothing depends on it."""
        known = correctable_of(entry.kind)
        record = known.find(entry) if known else None
        if known is None or record is None or corrections_of(entry.log, [entry.index]):
            return False
        return not list(known.dependents(record))

    def superior_of(self, entry: LogEntry) -> str:
        known, author = correctable_of(entry.kind), self.authors[entry.index]
        assert known is not None
        for name in ("cora", "alf", "sam"):
            people = roles_by_person(self.casino, {self.person(name).pk, self.person(author).pk})
            if may_withdraw(known, entry.content(), self.person(name), people):
                return name
        return author

    # --- Facts, tables, rules -----------------------------------------------------------------------------------------

    @rule(data=st.data(), value=st.sampled_from(FACTS), hours=HOURS)
    def state_fact(self, data: st.DataObject, value: FactValue, hours: int) -> None:
        who, at = self.one_of(data, MAY_STATE), self.now - timedelta(hours=hours, minutes=1)
        said: dict[str, Any] = {"value": value, "effective_at": at, "note": "Late."}
        self.act(record_fact, who, casino=self.casino, table=self.table, **said)

    @rule(hours=HOURS, cut_over=st.sampled_from(["04:00", "23:30"]))
    def change_gaming_day(self, hours: int, cut_over: str) -> None:
        said = {"value": GamingDayValue(cut_over=cut_over), "effective_at": self.now - timedelta(hours=hours)}
        self.act(record_fact, "cora", casino=self.casino, **said)

    @rule(data=st.data())
    def retract(self, data: st.DataObject) -> None:
        facts = [
            each
            for each in Fact.objects.not_retracted().filter(casino=self.casino, entry_index__in=sorted(self.authors))
            if each.name != "rules"
        ]
        if facts:
            fact = data.draw(st.sampled_from(facts))
            self.act(retract_fact, self.one_of(data, MAY_STATE), fact=fact, reason="Never so.")

    @rule(data=st.data(), stated=st.booleans())
    def tables(self, data: st.DataObject, stated: bool) -> None:
        """A second table is added, gets rules and a terminal, and is retired."""
        second = self.casino.tables.exclude(pk=self.table.pk).filter(retired_at=None).first()
        who = self.one_of(data, MAY_STATE)
        if second is None:
            self.act(add_table, who, casino=self.casino, slug=f"sb-{self.now:%H%M%S}", name=f"Table {self.now:%H%M%S}")
        elif (terminal := second.terminals.filter(retired_at=None).first()) is not None:
            self.act(retire_terminal, who, terminal=terminal)
            self.act(retire_table, who, table=second)
        elif stated:
            said: dict[str, Any] = {"value": TableRulesValue(rules=self.scene.rules), "effective_at": self.now}
            self.act(record_fact, who, casino=self.casino, table=second, **said)
        else:
            self.act(add_terminal, who, table=second, slug=f"t-{self.now:%H%M%S}")

    @rule(data=st.data(), hours=HOURS)
    def rule_versions(self, data: st.DataObject, hours: int) -> None:
        """A version or a ruling is proposed; the proposal is approved or withdrawn."""
        proposed = RuleVersion.objects.filter(casino=self.casino, approved_at=None, withdrawn_at=None).first()
        if proposed is None:
            self.propose(data)
        elif data.draw(st.integers(0, 2)):
            said = {"time_zone": "Australia/Sydney", "evidence": "Gazetted.", "edge_reason": "Printed so."}
            at = self.now - timedelta(hours=hours)
            other = "alf" if proposed.proposed_by == self.person("ines") else "ines"
            self.act(approve_version, other, version=proposed, effective_at=at, **said)
        else:
            self.act(withdraw_version, "alf", version=proposed, reason="Not needed.")

    def propose(self, data: st.DataObject) -> None:
        name = f"{self.scene.rules}.toml"
        if data.draw(st.booleans()):
            source = SourceUpload(b"The rules of the game, as printed.\n", "rules.txt", "text/plain")
            content = (PACK_FOLDER / name).read_bytes()
            said: dict[str, Any] = {"pack_content": content, "pack_file": name, "source": source, "readings": {}}
            self.act(propose_version, "cora", casino=self.casino, **said)
            return
        version = RuleVersion.objects.approved().filter(casino=self.casino).order_by("effective_at").last()
        assert version is not None
        choices = [
            (reading, choice)
            for reading, chosen in sorted(version.readings.items())
            for choice in self.pack.readings[reading].choices
            if choice != chosen
        ]
        if choices:
            reading, choice = data.draw(st.sampled_from(choices))
            said = {"reading": reading, "choice": choice, "reasons": "As meant.", "wanted_at": self.now}
            self.act(propose_ruling, "ines", version=version, **said)

    # --- Findings -----------------------------------------------------------------------------------------------------

    @rule(data=st.data())
    def judge_finding(self, data: st.DataObject) -> None:
        consume_findings([self.casino.slug])
        reviews = list(Review.objects.filter(casino=self.casino, state="open").select_related("finding", "casino")[:5])
        if not reviews:
            return
        review = data.draw(st.sampled_from(reviews))
        if data.draw(st.booleans()):
            said = DecisionInput(outcome=Outcome.EXPLAINED, reason="witnessed", note="As filmed.")
            self.act(decide_finding, "ines", review=review, decided=said, expected_decisions=review.decided_times)
        else:
            finding = Finding.objects.get(pk=review.finding_id)
            self.act(comment_on_finding, "cora", finding=finding, text="We know.")
