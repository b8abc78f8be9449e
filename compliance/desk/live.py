"""Every table as the floor page shows it, in a number of queries that does not grow with the floor."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from compliance.accounts.models import Casino
from compliance.desk.findings import OpenFindings, open_findings
from compliance.desk.models import TableState
from compliance.desk.telling import is_faces, result_words
from compliance.equipment.selectors import stopped_tables
from compliance.equipment.states import Fault
from compliance.web.components import Tag
from compliance.web.moments import moment_text
from rounds.floor.models import ControllerTable, Fact, Table
from rounds.floor.selectors import casino_facts_at
from rounds.floor.values import Currency
from rounds.floor.wording import Reader, words_of
from rounds.intake.models import Quarantined
from rounds.intake.selectors import FeedHealth, feed_health
from rounds.rulebook.models import RuleVersion

OPEN, CLOSED = "open", "closed"


@dataclass(frozen=True)
class FeedState:
    """How what we hear of a table is doing: an adjective, and the sentences that go with it."""

    tag: Tag
    sentences: Sequence[str] = ()

    @property
    def is_troubled(self) -> bool:
        return self.tag.kind in ("warning", "danger")


@dataclass(frozen=True)
class TableNow:
    """One table at one moment."""

    table: Table
    feed: FeedState
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
        return Tag("Open", "success") if self.is_open else Tag("Closed", "neutral")

    @property
    def stop_tag(self) -> Tag | None:
        """Play rests for a fault, whatever was last reported of the table."""
        return Tag("Play stopped", "danger") if self.stopped else None

    @property
    def result(self) -> str:
        """The total, which the faces beside it make up; or why there was no result."""
        if self.state is None:
            return ""
        faces, reason = self.state.faces, self.state.no_result
        return f"Total {sum(faces or ())}" if is_faces(faces) and not reason else result_words(faces, reason)


@dataclass(frozen=True)
class FloorNow:
    """What the cards of one page are made of, read once for all of them."""

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

    def of(self, table: Table) -> TableNow:
        facts = self.facts.get(table.pk, {})
        rules = str(facts["rules"].value.get("rules", "")) if "rules" in facts else ""
        reader = Reader(self.currency)
        refused = self.quarantined.get(table.slug, 0)
        state = self.states.get(table.slug)
        return TableNow(
            table=table,
            feed=self._feed(table, state, refused),
            state=state,
            version=self.versions.get(rules),
            rules=rules,
            limits=words_of(facts["limits"], reader) if "limits" in facts else (),
            findings=self.findings.get(table.slug),
            quarantined=refused,
            stopped=self.stopped.get(table.slug, ()),
        )

    def _feed(self, table: Table, state: TableState | None, refused: int) -> FeedState:
        return feed_state(
            self.feeds.get(table.slug, []), self.casino,
            is_closed=state is not None and state.is_open is False,
            is_spoken_for=table.pk in self.spoken_for, quarantined=refused,
        )  # fmt: skip


def floor_now(
    casino: Casino, tables: Sequence[Table], versions: Mapping[str, RuleVersion], now: datetime
) -> FloorNow:  # fmt: skip
    """`versions` are those in force now."""
    facts: dict[int, dict[str, Fact]] = {}
    stated = Fact.objects.filter(table__in=tables, terminal=None, name__in=("rules", "limits"))
    for fact in stated.in_force(now):
        facts.setdefault(fact.table_id or 0, {})[fact.name] = fact
    slugs = [table.slug for table in tables]
    refused = Quarantined.objects.filter(casino=casino, table__in=slugs).waiting().order_by("table")
    currency = casino_facts_at(casino, now).get(Currency)
    states = TableState.objects.filter(log=casino.slug, table__in=slugs)
    given = ControllerTable.objects.at(now).filter(table__in=tables)
    return FloorNow(
        casino=casino,
        now=now,
        facts=facts,
        versions=versions,
        states={state.table: state for state in states},
        feeds=feed_health(casino, slugs, now),
        quarantined=dict(refused.values_list("table").annotate(Count("pk"))),
        spoken_for=frozenset(given.values_list("table_id", flat=True)),
        findings=open_findings(casino),
        stopped=stopped_tables(casino.slug),
        currency=currency.code if currency else "",
    )


def feed_state(
    feeds: Sequence[FeedHealth], casino: Casino, *, is_closed: bool, is_spoken_for: bool, quarantined: int
) -> FeedState:
    """In words first: silent, with gaps, refused lines, or well."""
    if not feeds:
        if not is_spoken_for:
            return FeedState(Tag("No controller", "warning"), ["No controller speaks for this table."])
        return FeedState(Tag("Not heard yet", "warning"), ["Its controller has sent nothing so far."])
    last_seen = max(health.feed.last_seen_at for health in feeds)
    missing = sum(health.missing for health in feeds)
    sentences = [f"Last heard {moment_text(last_seen, casino)}."]
    if missing:
        sentences.append(f"{_count(missing, 'line')} missing.")
    if quarantined:
        sentences.append(f"{_count(quarantined, 'line')} in quarantine.")
    # Every controller of the table is quiet; where one of two still speaks, rounds still come in.
    if all(health.is_silent for health in feeds) and not is_closed:
        return FeedState(Tag("Silent", "danger"), sentences)
    if missing:
        return FeedState(Tag("Gaps", "warning"), sentences)
    if quarantined:
        return FeedState(Tag("Lines refused", "warning"), sentences)
    return FeedState(Tag("Quiet") if is_closed else Tag("Well", "success"), sentences)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def search_tables(casino: Casino, now: datetime, words: str, show: str, rules: str) -> QuerySet[Table]:
    """Tables in use that fit the filter, by name."""
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
