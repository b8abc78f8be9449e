"""One search over everything a person may open: rounds, tables, findings, disputes, promotions, people, references.
Each finder is limited to casinos where the person's role opens its pages, and takes a fixed number of queries. Personal
data of patrons is not searched, because every read of it must be recorded in the ledger.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from django.db.models import Model, Q, QuerySet

from compliance.audit.catalogue import CODES_BY_NAME
from compliance.audit.models import Finding, PackedRound
from compliance.audit.selectors import MAY_READ as MAY_READ_FINDINGS
from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import ADMINISTERED_ROLES, Role
from compliance.core.web.local_time import format_local
from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.record_notes import notes_of_records
from compliance.disputes.models import Dispute
from compliance.disputes.permissions import MAY_READ as MAY_READ_DISPUTES
from compliance.inspection.checklists.models import Checklist, Sample
from compliance.inspection.checklists.selectors import MAY_INSPECT
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.selectors import MAY_READ_ALL
from compliance.privacy.personal_data.models import PersonalRecord
from compliance.privacy.personal_data.subjects import OVERSEERS
from compliance.reports.kinds import MAY_REPORT
from compliance.reports.models import Report
from compliance.transparency.ledger_pages.selectors import MAY_READ as MAY_READ_LEDGER
from promotions.claims.models import Claim
from promotions.shared.permissions import MAY_READ as MAY_READ_PROMOTIONS
from promotions.terms.models import TermsVersion
from promotions.terms.selectors import entries_by_promotion
from rounds.floor.models import Table
from rounds.floor.permissions import MAY_READ as MAY_READ_FLOOR
from rounds.ledger import models, readers
from rounds.transparency_log import tree

SHORTEST, LONGEST = 2, 100
MOST_HITS = 10
ENTRY_NUMBER = re.compile(r"(?:entry |#)?([0-9][0-9,]{0,17})", re.IGNORECASE)
REFERENCE = re.compile(r"([A-Z])-([0-9]{1,8})", re.IGNORECASE)


@dataclass(frozen=True)
class Hit:
    """One search result: its name, what it is, and its page."""

    label: str
    href: str
    detail: str
    casino: Casino
    # The entries of the record, for what was found about it and decided later.
    entries: Collection[int] = ()
    mark: Tag | str = ""


@dataclass(frozen=True)
class HitGroup:
    """Results of one kind; `has_more` if the list was cut."""

    title: str
    hits: Sequence[Hit]
    has_more: bool


class SearchQuery:
    """The parsed input, shared by all finders; `within` limits it to one casino."""

    def __init__(self, user: User, text: str, within: Casino | None = None) -> None:
        self.user, self.text, self.within = user, text, within
        number = ENTRY_NUMBER.fullmatch(text)
        self.number = int(number[1].replace(",", "")) if number else None
        if self.number is not None and self.number > tree.MAX_SIZE:
            self.number = None
        self.reference = REFERENCE.fullmatch(text)

    def reference_number(self, letter: str) -> int | None:
        """The number of D-12, or a bare 12, because people leave the letter out."""
        if self.reference:
            return int(self.reference[2]) if self.reference[1].upper() == letter else None
        return self.number if self.number is not None and self.number < 10**8 else None

    def searchable_casinos(self, roles: Collection[str]) -> dict[str, Casino]:
        casinos = self.user.casinos_with(*roles)
        return {casino.slug: casino for casino in casinos if self.within in (None, casino)}

    @cached_property
    def matching_rounds(self) -> list[PackedRound]:
        """Rounds with exactly this name. Found by the term index, then by entry: fast at a million rounds."""
        logs = self.searchable_casinos(MAY_READ_FLOOR)
        value = self.text.casefold()[: readers.MAX_VALUE_LENGTH]
        named = models.IndexedTerm.objects.filter(log__slug__in=logs, what=readers.ROUND, value=value).order_by(
            "-index"
        )
        places = set(named.values_list("log__slug", "index")[: 20 * MOST_HITS])
        if not places:
            return []
        rows = PackedRound.objects.filter(log__in=logs, entry_index__in={index for _, index in places})
        rows = rows.defer("events", "wagers").order_by("-started_at", "-pk")
        return [row for row in rows if (row.log, row.entry_index) in places]


Finder = Callable[[SearchQuery], Iterator[Hit]]


def search_everything(user: User, text: str, within: Casino | None = None) -> list[HitGroup]:
    """Grouped by kind, without empty groups."""
    query = SearchQuery(user, text, within)
    found = [(title, list(islice(finder(query), MOST_HITS + 1))) for title, finder in FINDERS.items()]
    marks = _marks(user, [hit for _, hits in found for hit in hits if hit.entries])
    return [
        HitGroup(title, [replace(hit, mark=marks.get(hit.href, "")) for hit in hits[:MOST_HITS]], len(hits) > MOST_HITS)
        for title, hits in found
        if hits
    ]


def _marks(user: User, hits: Sequence[Hit]) -> dict[str, Tag | str]:
    """By address, what stands against the record. One query for each casino."""
    marks: dict[str, Tag | str] = {}
    for casino in {hit.casino for hit in hits}:
        own = [hit for hit in hits if hit.casino == casino]
        notes = notes_of_records(user, casino, {place: hit.entries for place, hit in enumerate(own)})
        marks |= {own[place].href: each.mark for place, each in notes.items()}
    return marks


def _find_rounds(query: SearchQuery) -> Iterator[Hit]:
    logs = query.searchable_casinos(MAY_READ_FLOOR)
    for row in query.matching_rounds:
        casino = logs[row.log]
        detail = f"Table {row.table}, {format_local(row.started_at, casino)}"
        href = casino_url("desk:round", casino, index=row.entry_index)
        yield Hit(f"Round {row.round}", href, detail, casino, [row.entry_index])


def _find_entries(query: SearchQuery) -> Iterator[Hit]:
    logs = query.searchable_casinos(MAY_READ_LEDGER)
    if query.number is None or not logs:
        return
    entries = models.Entry.objects.filter(log__slug__in=logs, index=query.number).select_related("log").defer("body")
    for entry in entries:
        casino = logs[entry.log.slug]
        detail = f"{entry.kind}, recorded {format_local(entry.recorded_at, casino)}"
        yield Hit(f"Entry {entry.index:,}", entry_url(casino, entry.index), detail, casino)


def _find_tables(query: SearchQuery) -> Iterator[Hit]:
    where = query.searchable_casinos(MAY_READ_FLOOR)
    rows = Table.objects.filter(casino__slug__in=where).select_related("casino")
    named = rows.filter(Q(slug__icontains=query.text) | Q(name__icontains=query.text)).order_by("name", "pk")
    for row in _limit_rows(named):
        yield Hit(row.name, casino_url("desk:table", row.casino, table=row.slug), f"Table {row.slug}", row.casino)


def _find_findings(query: SearchQuery) -> Iterator[Hit]:
    where = query.searchable_casinos(MAY_READ_FINDINGS)
    condition = Q()
    if codes := [name for name in CODES_BY_NAME if query.text.upper() in name]:
        condition |= Q(code__in=codes)
    if query.number is not None:
        condition |= Q(entry_index=query.number)
    for row in query.matching_rounds:
        condition |= Q(log=row.log, subject_index=row.entry_index)
    if not condition or not where:
        return
    rows = Finding.objects.current().filter(condition, casino__slug__in=where).select_related("casino")
    for one in _limit_rows(rows.order_by("-at", "-pk")):
        yield Hit(f"{one.code}, {one.entry_index:,}", one.get_absolute_url(), one.local_sentence, one.casino)


def _find_disputes(query: SearchQuery) -> Iterator[Hit]:
    condition = Q(round__iexact=query.text)
    if (number := query.reference_number("D")) is not None:
        condition |= Q(number=number)
    rows = Dispute.objects.filter(
        condition, casino__slug__in=query.searchable_casinos(MAY_READ_DISPUTES)
    ).select_related("casino")
    for one in _limit_rows(rows.prefetch_related("steps")):
        about = f"Round {one.round}" if one.round else "A promotion"
        detail = f"{about}, {one.get_state_display().lower()}"
        entries = [one.entry_index, *(step.entry_index for step in one.steps.all())]
        href = casino_url("disputes:dispute", one.casino, number=one.number)
        yield Hit(one.reference, href, detail, one.casino, entries)


def _find_promotions(query: SearchQuery) -> Iterator[Hit]:
    condition = Q(name__icontains=query.text)
    if (number := query.reference_number("P")) is not None:
        condition |= Q(promotion__number=number)
    where = query.searchable_casinos(MAY_READ_PROMOTIONS)
    rows = TermsVersion.objects.filter(condition, promotion__casino__slug__in=where).select_related("promotion__casino")
    # The newest matching terms of each promotion; its number stays the same when it is renamed.
    newest = rows.order_by("promotion_id", "-number").distinct("promotion_id").defer("content")
    versions = list(_limit_rows(newest))
    entries = entries_by_promotion([one.promotion_id for one in versions]) if versions else {}
    for one in versions:
        own = entries[one.promotion_id]
        yield Hit(one.promotion.reference, one.promotion.get_absolute_url(), one.name, one.promotion.casino, own)


def _find_people(query: SearchQuery) -> Iterator[Hit]:
    """By name or role, for administrators."""
    roles = [role.value for role in Role if query.text.casefold() in role.label.casefold()]
    administered = Q()
    for administrator, side in ADMINISTERED_ROLES.items():
        administered |= Q(casino__slug__in=query.searchable_casinos({administrator}), role__in=side)
    rows = RoleAssignment.objects.current().filter(administered).select_related("user", "casino")
    named = rows.filter(Q(user__name__icontains=query.text) | Q(role__in=roles))
    for held in _limit_rows(named.order_by("user__name", "pk")):
        href = casino_url("accounts:person", held.casino, person=held.user_id)
        yield Hit(held.user.name, href, held.get_role_display(), held.casino)


def _find_references(query: SearchQuery) -> Iterator[Hit]:
    """Other records that have a number."""
    if (number := query.reference_number("C")) is not None:
        claims = Claim.objects.filter(number=number, casino__slug__in=query.searchable_casinos(MAY_READ_PROMOTIONS))
        for claim in claims.select_related("casino", "promotion__casino"):
            yield Hit(f"Claim {claim.reference}", claim.get_absolute_url(), claim.prize, claim.casino)
    for record in _limit_rows(_find_personal_records(query)):
        detail = "Personal details are kept; each look at them is recorded."
        yield Hit(
            record.reference, casino_url("patrons:record", record.casino, record=record.pk), detail, record.casino
        )
    if query.number is None:
        return
    recorded: tuple[tuple[type[Model], Collection[str], str, str], ...] = (
        (Alert, MAY_READ_ALL, "alerts:alert", "alert"),
        (Checklist, MAY_INSPECT, "checklists:checklist", "checklist"),
        (Sample, MAY_INSPECT, "checklists:sample", "sample"),
    )
    for model, roles, page, part in recorded:
        rows: QuerySet[Any] = model._default_manager.filter(entry_index=query.number)
        for row in rows.filter(casino__slug__in=query.searchable_casinos(roles)).select_related("casino"):
            yield Hit(str(row), casino_url(page, row.casino, **{part: row.entry_index}), "", row.casino)
    reports = Report.objects.filter(pk=query.number, casino__slug__in=query.searchable_casinos(MAY_REPORT))
    for report in reports.select_related("casino"):
        yield Hit(
            str(report), casino_url("reports:report", report.casino, report=report.pk), report.title, report.casino
        )


def _find_personal_records(query: SearchQuery) -> QuerySet[PersonalRecord]:
    """By the case reference, such as D-12. The person's data is not searched."""
    rows = PersonalRecord.objects.filter(
        casino__slug__in=query.searchable_casinos(OVERSEERS), reference__iexact=query.text
    )
    return rows.select_related("casino")


def _limit_rows(rows: QuerySet[Any]) -> QuerySet[Any]:
    return rows[: MOST_HITS + 1]


FINDERS: dict[str, Finder] = {
    "Rounds": _find_rounds,
    "Tables": _find_tables,
    "Findings": _find_findings,
    "Disputes": _find_disputes,
    "Promotions": _find_promotions,
    "People": _find_people,
    "References": _find_references,
    "Entries of the ledger": _find_entries,
}
