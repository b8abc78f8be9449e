"""StoredEntries: the EntrySource that reads the database, through the audit's projections."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Exists, OuterRef, Q

from compliance.audit.context.entry_source import PlacedStreak, RoundSummary, TerminalOnRecord
from compliance.audit.context.rules_in_force import (
    RulesTimeline,
    VersionInForce,
    approved_versions,
    facts_between,
    load_rules_timeline,
)
from compliance.audit.context.timeline import EventAt, EventSpan
from compliance.audit.models import OpenedStreak, PackedRound, TimelineEvent, VoidedRound
from compliance.audit.projections.later_decisions import decisions_on
from compliance.core.accounts.models import Casino
from compliance.disputes.models import Dispute
from compliance.disputes.selectors import dispute_payments
from compliance.notify.alerts.selectors import Notification, notification_of_entry
from compliance.tables.equipment.consumer import CONSUMER as FAULT_CONSUMER
from compliance.tables.signs.consumer import to_server_time
from promotions.claims.models import Claim, ClaimDecision, Payment, ReasonsTold
from promotions.draws.models import Attempt, Draw, DrawStep, Publication, Winner
from promotions.shared.base_model import PromotionRecord
from promotions.terms.models import AmendmentDecision, Material, PrescribedItem, PromotionStep, TermsVersion
from rounds.engine.settle import INVALIDATED
from rounds.floor.fact_catalogue import NAME_BY_VALUE_TYPE
from rounds.floor.fact_values import GamingDayValue
from rounds.floor.models import Fact, Terminal
from rounds.floor.selectors import FactsAt, casino_facts_at
from rounds.intake.round_records import DisputePayment, RoundDecision
from rounds.ledger import LogEntry, position_of, read_entries_at, readers
from rounds.rulebook.models import RuleVersion

# In the order of the fields of RoundSummary.
ROUND_COLUMNS = (
    "entry_index", "table", "round", "gaming_day", "started_at", "ended_at", "outcome", "is_void", "have_lights_failed",
    "was_invalidated", "tumbles", "is_plain", "events",
)  # fmt: skip
# By model with an entry of a promotion: how its rows refer to the promotion.
PROMOTION_MODELS: dict[type[PromotionRecord], str] = {
    TermsVersion: "promotion",
    AmendmentDecision: "version__promotion",
    PromotionStep: "promotion",
    Material: "promotion",
    Draw: "promotion",
    DrawStep: "draw__promotion",
    Winner: "draw__promotion",
    Attempt: "winner__draw__promotion",
    Publication: "draw__promotion",
    Claim: "promotion",
    ClaimDecision: "claim__promotion",
    ReasonsTold: "decision__claim__promotion",
    Payment: "claim__promotion",
}


@dataclass(frozen=True)
class StoredEntries:
    """A casino's stored entries. `rules_override` is a rule version applied to history instead of its rule set's."""

    casino: Casino
    rules_override: RuleVersion | None = None

    @property
    def log(self) -> str:
        return self.casino.slug

    def entries_at(self, indexes: Collection[int]) -> Sequence[LogEntry]:
        return read_entries_at(self.log, indexes) if indexes else ()

    def line_index(self, table: str, controller: str, sequence: int) -> int | None:
        found = readers.entries_by_sequence(self.log, table, controller, [sequence])
        return found[sequence].index if sequence in found else None

    def events(self, spans: Sequence[EventSpan]) -> list[EventAt]:
        conditions = [
            Q(kind__in=span.kinds, at__gte=span.first, at__lte=span.last)
            & (Q() if span.tables is None else Q(table__in=span.tables))
            for span in spans
        ]
        return self._read_events(reduce(or_, conditions))

    def events_in_range(self, first: int, last: int, kinds: Collection[str]) -> list[EventAt]:
        """The events among entries first..last-1, in order of time."""
        return self._read_events(Q(entry_index__gte=first, entry_index__lt=last, kind__in=kinds))

    def _read_events(self, condition: Q) -> list[EventAt]:
        rows = TimelineEvent.objects.filter(condition, log=self.log, taken_back_index=None)
        times = dict(rows.order_by("at", "entry_index").values_list("entry_index", "at"))
        entries = {entry.index: entry for entry in self.entries_at(list(times))}
        return [EventAt(at, entries[index], self) for index, at in times.items()]

    def rounds(
        self,
        tables: Collection[str],
        *,
        days: tuple[date, date] | None = None,
        started: tuple[datetime | None, datetime | None] = (None, None),
        name: str | None = None,
        indexes: Collection[int] | None = None,
    ) -> list[RoundSummary]:
        bounds = {
            "gaming_day__range": days,
            "started_at__gte": started[0],
            "started_at__lte": started[1],
            "round": name,
            "entry_index__in": indexes,
        }
        given = {condition: value for condition, value in bounds.items() if value is not None}
        return [RoundSummary(*row) for row in self._round_rows(table__in=tables, **given)]

    def last_round(self, table: str, before: datetime) -> RoundSummary | None:
        row = self._round_rows(table=table, started_at__lt=before).last()
        return RoundSummary(*row) if row is not None else None

    def _round_rows(self, **conditions: Any) -> Any:
        """The columns of RoundSummary, in order of play."""
        decided = VoidedRound.objects.filter(log=self.log, entry_index=OuterRef("entry_index"), reason=INVALIDATED)
        rows = PackedRound.objects.filter(log=self.log, taken_back_index=None, **conditions)
        ordered = rows.annotate(was_invalidated=Exists(decided)).order_by("started_at", "entry_index")
        return ordered.values_list(*ROUND_COLUMNS)

    def placed_streaks(
        self,
        tables: Collection[str],
        *,
        wagers: Collection[str] | None = None,
        indexes: Collection[int] | None = None,
        started: tuple[datetime, datetime] | None = None,
    ) -> list[PlacedStreak]:
        given: dict[str, Any] = {"wager__in": wagers, "entry_index__in": indexes}
        rows = OpenedStreak.objects.filter(
            log=self.log,
            table__in=tables,
            **{condition: value for condition, value in given.items() if value is not None},
        )
        if started is not None:
            placed_in = PackedRound.objects.filter(log=self.log, entry_index=OuterRef("entry_index"))
            rows = rows.filter(Exists(placed_in.filter(started_at__range=started, taken_back_index=None)))
        return [PlacedStreak(*row) for row in rows.values_list("entry_index", "table", "wager", "gaming_day")]

    def decisions_on(self, indexes: Collection[int]) -> Mapping[int, Sequence[RoundDecision]]:
        return decisions_on(self.log, indexes)

    def payments_on(self, indexes: Collection[int]) -> Mapping[int, Sequence[DisputePayment]]:
        return dispute_payments(self.log, indexes)

    def dispute_entries(self, reference: str) -> Sequence[LogEntry]:
        number = reference.removeprefix("D-")
        dispute = Dispute.objects.filter(casino=self.casino, number=int(number)).first() if number.isdigit() else None
        if dispute is None:
            return ()
        return self.entries_at([dispute.entry_index, *dispute.steps.values_list("entry_index", flat=True)])

    def promotion_entries(self, number: int) -> Sequence[LogEntry]:
        indexes = [
            model._default_manager.filter(**{f"{path}__casino": self.casino, f"{path}__number": number})
            .order_by()
            .values_list("entry_index", flat=True)
            for model, path in PROMOTION_MODELS.items()
        ]
        return self.entries_at(list(indexes[0].union(*indexes[1:])))

    def promotion_of_claim(self, number: int) -> int | None:
        claims = Claim.objects.filter(casino=self.casino, number=number)
        return claims.values_list("promotion__number", flat=True).first()

    def prescribed_items_at(self, at: datetime) -> Sequence[PrescribedItem]:
        return list(PrescribedItem.objects.listed(at).filter(casino=self.casino))

    def facts(self, tables: Collection[str], first: datetime, last: datetime) -> list[Fact]:
        return facts_between(self.casino, tables, first, last)

    def casino_facts_at(self, at: datetime) -> FactsAt:
        return casino_facts_at(self.casino, at)

    def gaming_day_facts(self) -> list[Fact]:
        stated = Fact.objects.filter(casino=self.casino, table=None, name=NAME_BY_VALUE_TYPE[GamingDayValue])
        return list(stated.not_retracted().order_by("effective_at", "recorded_at", "pk"))

    def terminals(self, tables: Collection[str]) -> list[TerminalOnRecord]:
        rows = Terminal.objects.filter(table__casino=self.casino, table__slug__in=tables).order_by("entry_index")
        return [TerminalOnRecord(*row) for row in rows.values_list("table__slug", "slug", "entry_index", "retired_at")]

    def versions(self) -> list[VersionInForce]:
        return approved_versions(self.casino, self.rules_override)

    def rules_timeline(self, tables: Collection[str], first: datetime, last: datetime) -> RulesTimeline:
        return load_rules_timeline(self.casino, tables, first, last, self.rules_override)

    def server_time(self, entry: LogEntry, at: datetime) -> datetime:
        return to_server_time(entry, at)

    def notification_of(self, index: int) -> Notification:
        return notification_of_entry(self.log, index)

    def has_raised_alerts_of(self, index: int) -> bool:
        """True where nothing consumes faults at all: then there is nothing to wait for."""
        return not 0 < position_of(FAULT_CONSUMER, self.log) <= index
