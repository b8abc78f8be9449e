"""One search over everything a person may open: rounds, tables, findings, disputes, promotions, people, references.

Each kind asks only about casinos where the person holds a role that opens its pages, in a fixed number of queries.
Details of patrons are not searched by anybody: the service itself cannot read them without writing down the look.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from django.db.models import Model, Q, QuerySet
from django.urls import reverse

from compliance.accounts.models import Casino, RoleHeld, User
from compliance.accounts.roles import Role
from compliance.alerts.models import Alert
from compliance.alerts.selectors import SEE_ALL
from compliance.audit.catalogue import CODES
from compliance.audit.models import Finding, PackedRound
from compliance.audit.selectors import MAY_READ as MAY_READ_FINDINGS
from compliance.checklists.models import Checklist, Sample
from compliance.checklists.selectors import MAY_INSPECT
from compliance.disputes.models import Dispute
from compliance.disputes.standing import MAY_READ as MAY_READ_DISPUTES
from compliance.evidence.selectors import MAY_READ as MAY_READ_LEDGER
from compliance.patrons.models import PersonalRecord
from compliance.patrons.subjects import OVERSEERS
from compliance.reports.contents import MAY_REPORT
from compliance.reports.models import Report
from compliance.web.moments import moment_text
from promotions.claims.models import Claim
from promotions.standing import MAY_READ as MAY_READ_PROMOTIONS
from promotions.terms.models import TermsVersion
from rounds.floor.models import Table
from rounds.floor.standing import MAY_READ as MAY_READ_FLOOR
from rounds.ledger.mentions import LONGEST_VALUE, ROUND
from rounds.ledger.merkle import MAX_SIZE
from rounds.ledger.models import Entry, Mention

SHORTEST, LONGEST = 2, 100
MOST = 10
NUMBER = re.compile(r"(?:entry |#)?([0-9][0-9,]{0,17})", re.IGNORECASE)
REFERENCE = re.compile(r"([A-Z])-([0-9]{1,8})", re.IGNORECASE)


@dataclass(frozen=True)
class Hit:
    """One thing that was found: its name, what it is, and its page."""

    label: str
    href: str
    detail: str
    casino: Casino


@dataclass(frozen=True)
class Hits:
    """What was found of one kind; `has_more` where the list was cut."""

    title: str
    hits: Sequence[Hit]
    has_more: bool


class Asked:
    """What a person typed, read once for every kind; `within` one casino, or everywhere."""

    def __init__(self, user: User, text: str, within: Casino | None = None) -> None:
        self.user, self.text, self.within = user, text, within
        number = NUMBER.fullmatch(text)
        self.number = int(number[1].replace(",", "")) if number else None
        if self.number is not None and self.number > MAX_SIZE:
            self.number = None
        self.reference = REFERENCE.fullmatch(text)

    def referred(self, letter: str) -> int | None:
        """The number of D-12, or a bare 12: people leave the letter out."""
        if self.reference:
            return int(self.reference[2]) if self.reference[1].upper() == letter else None
        return self.number if self.number is not None and self.number < 10**8 else None

    def where(self, roles: Collection[str]) -> dict[str, Casino]:
        casinos = self.user.casinos_with(*roles)
        return {casino.slug: casino for casino in casinos if self.within in (None, casino)}

    @cached_property
    def rounds(self) -> list[PackedRound]:
        """Rounds of this very name. By the index of what entries name, then by entry: quick at a million rounds."""
        logs = self.where(MAY_READ_FLOOR)
        value = self.text.casefold()[:LONGEST_VALUE]
        named = Mention.objects.filter(log__slug__in=logs, what=ROUND, value=value).order_by("-index")
        places = set(named.values_list("log__slug", "index")[: 20 * MOST])
        if not places:
            return []
        rows = PackedRound.objects.filter(log__in=logs, entry_index__in={index for _, index in places})
        rows = rows.defer("events", "wagers").order_by("-started_at", "-pk")
        return [row for row in rows if (row.log, row.entry_index) in places]


Finder = Callable[[Asked], Iterator[Hit]]


def search_everything(user: User, text: str, within: Casino | None = None) -> list[Hits]:
    """By kind, without the kinds of which nothing was found."""
    asked = Asked(user, text, within)
    found = [(title, list(islice(finder(asked), MOST + 1))) for title, finder in FINDERS.items()]
    return [Hits(title, hits[:MOST], len(hits) > MOST) for title, hits in found if hits]


def _rounds(asked: Asked) -> Iterator[Hit]:
    logs = asked.where(MAY_READ_FLOOR)
    for row in asked.rounds:
        casino = logs[row.log]
        detail = f"Table {row.table}, {moment_text(row.started_at, casino)}"
        yield Hit(f"Round {row.round}", _at("desk:round", casino, index=row.entry_index), detail, casino)


def _entries(asked: Asked) -> Iterator[Hit]:
    logs = asked.where(MAY_READ_LEDGER)
    if asked.number is None or not logs:
        return
    entries = Entry.objects.filter(log__slug__in=logs, index=asked.number).select_related("log").defer("body")
    for entry in entries:
        casino = logs[entry.log.slug]
        detail = f"{entry.kind}, recorded {moment_text(entry.recorded_at, casino)}"
        yield Hit(f"Entry {entry.index:,}", _at("evidence:entry", casino, index=entry.index), detail, casino)


def _tables(asked: Asked) -> Iterator[Hit]:
    where = asked.where(MAY_READ_FLOOR)
    rows = Table.objects.filter(casino__slug__in=where).select_related("casino")
    named = rows.filter(Q(slug__icontains=asked.text) | Q(name__icontains=asked.text)).order_by("name", "pk")
    for row in _few(named):
        yield Hit(row.name, _at("desk:table", row.casino, table=row.slug), f"Table {row.slug}", row.casino)


def _findings(asked: Asked) -> Iterator[Hit]:
    where = asked.where(MAY_READ_FINDINGS)
    wanted = Q()
    if codes := [name for name in CODES if asked.text.upper() in name]:
        wanted |= Q(code__in=codes)
    if asked.number is not None:
        wanted |= Q(entry_index=asked.number)
    for row in asked.rounds:
        wanted |= Q(log=row.log, subject_index=row.entry_index)
    if not wanted or not where:
        return
    rows = Finding.objects.standing().filter(wanted, casino__slug__in=where).select_related("casino")
    for one in _few(rows.order_by("-at", "-pk")):
        yield Hit(f"{one.code}, {one.entry_index:,}", one.get_absolute_url(), one.sentence, one.casino)


def _disputes(asked: Asked) -> Iterator[Hit]:
    wanted = Q(round__iexact=asked.text)
    if (number := asked.referred("D")) is not None:
        wanted |= Q(number=number)
    rows = Dispute.objects.filter(wanted, casino__slug__in=asked.where(MAY_READ_DISPUTES)).select_related("casino")
    for one in _few(rows):
        about = f"Round {one.round}" if one.round else "A promotion"
        detail = f"{about}, {one.get_state_display().lower()}"
        yield Hit(one.reference, _at("disputes:dispute", one.casino, number=one.number), detail, one.casino)


def _promotions(asked: Asked) -> Iterator[Hit]:
    wanted = Q(name__icontains=asked.text)
    if (number := asked.referred("P")) is not None:
        wanted |= Q(promotion__number=number)
    where = asked.where(MAY_READ_PROMOTIONS)
    rows = TermsVersion.objects.filter(wanted, promotion__casino__slug__in=where).select_related("promotion__casino")
    # The newest terms of each that bear the words; a promotion keeps its number when it is renamed.
    newest = rows.order_by("promotion_id", "-number").distinct("promotion_id").defer("content")
    for one in _few(newest):
        yield Hit(one.promotion.reference, one.promotion.get_absolute_url(), one.name, one.promotion.casino)


def _people(asked: Asked) -> Iterator[Hit]:
    """By name or by role, for those who administer."""
    where = asked.where({Role.ADMINISTRATOR})
    roles = [role.value for role in Role if asked.text.casefold() in role.label.casefold()]
    rows = RoleHeld.objects.current().filter(casino__slug__in=where).select_related("user", "casino")
    named = rows.filter(Q(user__name__icontains=asked.text) | Q(role__in=roles))
    for held in _few(named.order_by("user__name", "pk")):
        href = _at("accounts:person", held.casino, person=held.user_id)
        yield Hit(held.user.name, href, held.get_role_display(), held.casino)


def _references(asked: Asked) -> Iterator[Hit]:
    """Whatever else people refer to by a number."""
    if (number := asked.referred("C")) is not None:
        claims = Claim.objects.filter(number=number, casino__slug__in=asked.where(MAY_READ_PROMOTIONS))
        for claim in claims.select_related("casino", "promotion__casino"):
            yield Hit(f"Claim {claim.reference}", claim.get_absolute_url(), claim.prize, claim.casino)
    for record in _few(_personal(asked)):
        detail = "Personal details are kept; each look at them is recorded."
        yield Hit(record.reference, _at("patrons:record", record.casino, record=record.pk), detail, record.casino)
    if asked.number is None:
        return
    recorded: tuple[tuple[type[Model], Collection[str], str, str], ...] = (
        (Alert, SEE_ALL, "alerts:alert", "alert"),
        (Checklist, MAY_INSPECT, "checklists:checklist", "checklist"),
        (Sample, MAY_INSPECT, "checklists:sample", "sample"),
    )
    for model, roles, page, part in recorded:
        rows: QuerySet[Any] = model._default_manager.filter(entry_index=asked.number)
        for row in rows.filter(casino__slug__in=asked.where(roles)).select_related("casino"):
            yield Hit(str(row), _at(page, row.casino, **{part: row.entry_index}), "", row.casino)
    reports = Report.objects.filter(pk=asked.number, casino__slug__in=asked.where(MAY_REPORT))
    for report in reports.select_related("casino"):
        yield Hit(str(report), _at("reports:report", report.casino, report=report.pk), report.title, report.casino)


def _personal(asked: Asked) -> QuerySet[PersonalRecord]:
    """By the matter, such as D-12: who it is about is not known here."""
    rows = PersonalRecord.objects.filter(casino__slug__in=asked.where(OVERSEERS), reference__iexact=asked.text)
    return rows.select_related("casino")


def _few(rows: QuerySet[Any]) -> QuerySet[Any]:
    return rows[: MOST + 1]


def _at(name: str, casino: Casino, **parts: object) -> str:
    return reverse(name, kwargs={"casino": casino.slug, **parts})


FINDERS: dict[str, Finder] = {
    "Rounds": _rounds,
    "Tables": _tables,
    "Findings": _findings,
    "Disputes": _disputes,
    "Promotions": _promotions,
    "People": _people,
    "References": _references,
    "Entries of the ledger": _entries,
}
