"""Every table as the floor page shows it. The number of queries does not grow with the number of tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlencode

from django.db.models import Count, Q, QuerySet

from compliance.audit.catalogue.table_codes import FAULT_NOT_TOLD, FAULT_PLAY
from compliance.audit.models import Finding
from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import format_local
from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.links import casino_url
from compliance.inspection.reviews.states import ReviewState
from compliance.pages.models import TableState
from compliance.tables.equipment.duties import fault_duty
from compliance.tables.equipment.projections import Fault
from compliance.tables.equipment.selectors import stopped_tables
from rounds.floor.fact_values import CurrencyValue
from rounds.floor.facts.text import FactFormatter, fact_lines
from rounds.floor.models import ControllerTable, Fact, Table
from rounds.floor.selectors import casino_facts_at
from rounds.intake.models import Quarantined
from rounds.intake.selectors import FeedHealth, feed_health
from rounds.intake.summaries import format_result, is_faces
from rounds.rulebook.models import RuleVersion

REFRESH_SECONDS = 4

OPEN, CLOSED = "open", "closed"


@dataclass(frozen=True)
class FeedSummary:
    """State of a table's feed: a tag, and the sentences that explain it."""

    tag: Tag
    sentences: Sequence[str] = ()

    @property
    def is_troubled(self) -> bool:
        return self.tag.kind in ("warning", "danger")


@dataclass(frozen=True)
class OpenFindings:
    """Number of open findings at a table, and the page that lists them."""

    count: int
    href: str


@dataclass(frozen=True)
class TableStatus:
    """What the floor page shows of one table."""

    table: Table
    feed: FeedSummary
    state: TableState | None = None
    version: RuleVersion | None = None
    rules: str = ""
    limits: Sequence[str] = ()
    findings: OpenFindings | None = None
    quarantined: int = 0
    stopped: Sequence[Fault] = ()

    @property
    def is_open(self) -> bool | None:
        return self.state.is_open if self.state else None

    @property
    def open_tag(self) -> Tag:
        if self.is_open is None:
            return Tag("Not reported", "warning")
        return Tag("Open", "info") if self.is_open else Tag("Closed", "neutral")

    @property
    def stop_tag(self) -> Tag | None:
        """Play is stopped for a fault, whatever the table last reported."""
        return Tag("Play stopped", "danger") if self.stopped else None

    @property
    def result(self) -> str:
        """The total, shown beside the faces; or why there was no result."""
        if self.state is None:
            return ""
        faces, reason = self.state.faces, self.state.no_result
        return f"Total {sum(faces or ())}" if is_faces(faces) and not reason else format_result(faces, reason)


@dataclass(frozen=True)
class FloorStatus:
    """Data for all tables of a page, read once."""

    casino: Casino
    now: datetime
    facts: Mapping[int, Mapping[str, Fact]]
    versions: Mapping[str, RuleVersion]
    states: Mapping[str, TableState]
    feeds: Mapping[str, list[FeedHealth]]
    quarantined: Mapping[str, int]
    spoken_for: frozenset[int]
    findings: Mapping[str, OpenFindings]
    stopped: Mapping[str, Sequence[Fault]] = field(default_factory=dict)
    currency: str = field(default="")

    def table_status(self, table: Table) -> TableStatus:
        facts = self.facts.get(table.pk, {})
        rules = str(facts["rules"].value.get("rules", "")) if "rules" in facts else ""
        reader = FactFormatter(self.currency)
        refused = self.quarantined.get(table.slug, 0)
        state = self.states.get(table.slug)
        return TableStatus(
            table=table,
            feed=self._feed_summary(table, state, refused),
            state=state,
            version=self.versions.get(rules),
            rules=rules,
            limits=fact_lines(facts["limits"], reader) if "limits" in facts else (),
            findings=self.findings.get(table.slug),
            quarantined=refused,
            stopped=self.stopped.get(table.slug, ()),
        )

    def _feed_summary(self, table: Table, state: TableState | None, refused: int) -> FeedSummary:
        return summarise_feed(
            self.feeds.get(table.slug, []),
            self.casino,
            is_closed=state is not None and state.is_open is False,
            is_spoken_for=table.pk in self.spoken_for,
            quarantined=refused,
        )


def load_floor_status(
    casino: Casino, tables: Sequence[Table], versions: Mapping[str, RuleVersion], now: datetime
) -> FloorStatus:
    """`versions` are the rule versions in force now, by slug."""
    facts: dict[int, dict[str, Fact]] = {}
    stated = Fact.objects.filter(table__in=tables, terminal=None, name__in=("rules", "limits"))
    for fact in stated.in_force(now):
        facts.setdefault(fact.table_id or 0, {})[fact.name] = fact
    slugs = [table.slug for table in tables]
    refused = Quarantined.objects.filter(casino=casino, table__in=slugs).unresolved().order_by("table")
    currency = casino_facts_at(casino, now).get(CurrencyValue)
    states = TableState.objects.filter(log=casino.slug, table__in=slugs)
    given = ControllerTable.objects.assigned_at(now).filter(table__in=tables)
    return FloorStatus(
        casino=casino,
        now=now,
        facts=facts,
        versions=versions,
        states={state.table: state for state in states},
        feeds=feed_health(casino, slugs, now),
        quarantined=dict(refused.values_list("table").annotate(Count("pk"))),
        spoken_for=frozenset(given.values_list("table_id", flat=True)),
        findings=open_findings_by_table(casino),
        stopped=stopped_tables(casino.slug),
        currency=currency.code if currency else "",
    )


def open_findings_by_table(casino: Casino) -> Mapping[str, OpenFindings]:
    """By the table's slug, in one query: findings about which nobody has decided yet. Tables without are missing."""
    page = casino_url("audit:findings", casino)
    current = Finding.objects.current().filter(casino=casino).exclude(table="").order_by()
    counted = current.exclude(review__state=ReviewState.DECIDED).values_list("table").annotate(Count("pk"))
    return {
        table: OpenFindings(count, f"{page}?{urlencode({'table': table, 'state': 'undecided'})}")
        for table, count in counted
    }


@dataclass(frozen=True)
class UnreportedFault:
    """Lights that failed in a round, about which no fault was reported, and the rule that stops play for it."""

    finding: Finding
    clause: str


def unreported_fault(table: Table, now: datetime) -> UnreportedFault | None:
    """The latest that nobody has decided about. A fault reported since then stops play by itself."""
    log = table.casino.slug
    codes = (FAULT_NOT_TOLD.name, FAULT_PLAY.name)
    undecided = Finding.objects.current().filter(casino=table.casino, table=table.slug, code__in=codes)
    found = undecided.exclude(review__state=ReviewState.DECIDED).order_by("-at", "-entry_index").first()
    if found is None:
        return None
    about = Q(index__in=[found.subject_index, *found.evidence]) | Q(at__gte=found.at)
    if Fault.objects.filter(about, log=log, table=table.slug).exists():
        return None
    duties = [fault_duty(table, at, "electrical-device", "not-lit") for at in (found.at, now)]
    return next((UnreportedFault(found, duty.clause) for duty in duties if duty.stops_play), None)


def summarise_feed(
    feeds: Sequence[FeedHealth], casino: Casino, *, is_closed: bool, is_spoken_for: bool, quarantined: int
) -> FeedSummary:
    """Silent, with gaps, with refused lines, or well."""
    if not feeds:
        if not is_spoken_for:
            return FeedSummary(Tag("No controller", "warning"), ["No controller speaks for this table."])
        return FeedSummary(Tag("Not heard yet", "warning"), ["Its controller has sent nothing so far."])
    last_seen = max(health.feed.last_seen_at for health in feeds)
    missing = sum(health.missing for health in feeds)
    sentences = [f"Last heard {format_local(last_seen, casino)}."]
    if missing:
        sentences.append(f"{_count_noun(missing, 'line')} missing.")
    if quarantined:
        sentences.append(f"{_count_noun(quarantined, 'line')} in quarantine.")
    # Only if all controllers of the table are silent: as long as one reports, rounds come in.
    if all(health.is_silent for health in feeds) and not is_closed:
        return FeedSummary(Tag("Silent", "danger"), sentences)
    if missing:
        return FeedSummary(Tag("Gaps", "warning"), sentences)
    if quarantined:
        return FeedSummary(Tag("Lines refused", "warning"), sentences)
    return FeedSummary(Tag("Quiet") if is_closed else Tag("Well", "success"), sentences)


def _count_noun(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def search_tables(casino: Casino, now: datetime, words: str, show: str, rules: str) -> QuerySet[Table]:
    """Tables in use that match the filter, by name."""
    tables = Table.objects.in_use(now).filter(casino=casino).order_by("name", "pk")
    for word in words.split():
        tables = tables.filter(Q(name__icontains=word) | Q(slug__icontains=word))
    if show in (OPEN, CLOSED):
        states = TableState.objects.filter(log=casino.slug, is_open=show == OPEN)
        tables = tables.filter(slug__in=states.values("table"))
    if rules:
        stated = Fact.objects.filter(table__casino=casino, terminal=None, name="rules").in_force(now)
        played = [fact.table_id or 0 for fact in stated if fact.value.get("rules") == rules]
        tables = tables.filter(pk__in=played)
    return tables
