"""FindingNotes: what the pages and lists of records show of the findings about them, with the state of each review."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from django.db import connection
from django.db.models import Case, Count, Q, Value, When

from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.models import ConfirmedWarning, Finding, FindingQuerySet
from compliance.audit.models.record_findings import FINDINGS_OF_RECORDS_SQL, findings_of_records_parameters
from compliance.audit.selectors import readable_codes
from compliance.core.accounts.models import Casino, User
from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.record_notes import NO_NOTES, FindingComment, RecordFinding, RecordNotes, WarningNote
from compliance.inspection.reviews.models import SEVERITY_RANKS
from compliance.inspection.reviews.selectors import DISMISSED, may_comment
from compliance.inspection.reviews.states import ReviewState
from rounds.intake.entry_kinds import ROUND
from rounds.intake.round_view import read_round
from rounds.ledger import read_entries_at

MAX_LISTED = 25
NOT_REVIEWED = Tag("Not reviewed yet", "warning")
DISMISSED_REVIEW = Q(review__state=ReviewState.DECIDED, review__outcome__in=DISMISSED)
COUNTS_SQL = f"""
SELECT wanted.record, count(DISTINCT found.id) FILTER (WHERE found.severity = 'serious'),
    count(DISTINCT found.id) FILTER (WHERE found.severity = 'breach'), max(voided.reason)
FROM unnest(%s::bigint[], %s::bigint[]) AS wanted(record, entry)
LEFT JOIN audit_voidedround voided ON voided.log = %s AND voided.entry_index = wanted.entry AND voided.reason <> ''
LEFT JOIN ({FINDINGS_OF_RECORDS_SQL}) about ON about.record = wanted.record
LEFT JOIN audit_finding found ON found.id = about.finding AND found.superseded_at IS NULL
    AND (%s::text[] IS NULL OR found.code = ANY(%s::text[]))
    AND NOT EXISTS (
        SELECT FROM reviews_review review
        WHERE review.finding_id = found.id AND review.state = 'decided' AND review.outcome = ANY(%s)
    )
GROUP BY wanted.record
"""  # noqa: S608 - both parts are of the source


class FindingNotes:
    """The provider for core.web.ui.record_notes."""

    def one(self, reader: User, casino: Casino, entries: Collection[int], table: str) -> RecordNotes:
        """One query for confirmed warnings, one for the findings and their reviews, and one more for the comments, if
        there are any findings."""
        notes = self._findings(reader, casino, entries, table)
        confirmed = _confirmed_warnings(casino, entries) if entries else []
        return replace(notes, confirmed=confirmed) if confirmed else notes

    def _findings(self, reader: User, casino: Casino, entries: Collection[int], table: str) -> RecordNotes:
        found = _readable_findings(reader, casino, entries, table)
        listed = list(found.prefetch_related("comments")[: MAX_LISTED + 1])
        if not listed:
            return NO_NOTES
        notes = RecordNotes.of_findings([_record_finding(one, reader, casino) for one in listed[:MAX_LISTED]])
        if len(listed) <= MAX_LISTED:
            return notes
        counts = _count_standing(found)
        more_href = casino_url("audit:findings", casino) + (f"?table={table}" if table else "")
        return replace(
            notes,
            serious=counts["serious"],
            breaches=counts["breaches"],
            more=counts["all"] - MAX_LISTED,
            more_href=more_href,
        )

    def many(self, reader: User, casino: Casino, records: Mapping[int, Collection[int]]) -> Mapping[int, RecordNotes]:
        codes = readable_codes(reader, casino)
        pairs = [(record, entry) for record, entries in records.items() for entry in entries]
        wanted = findings_of_records_parameters(casino.slug, pairs)
        readable = None if codes is None else list(codes)
        dismissed = [outcome.value for outcome in DISMISSED]
        with connection.cursor() as cursor:
            cursor.execute(COUNTS_SQL, [*wanted[:2], casino.slug, *wanted, readable, readable, dismissed])
            rows = cursor.fetchall()
        return {
            record: RecordNotes(serious, breaches, _void_label(casino, records[record]) if reason else "")
            for record, serious, breaches, reason in rows
        }


def _void_label(casino: Casino, entries: Collection[int]) -> str:
    """For records that a later decision names: such rounds are few, and only the rules say whether it makes them
    void."""
    rounds = (each for each in read_entries_at(casino.slug, entries) if each.kind == ROUND)
    return next(filter(None, (read_round(casino, each).void_label for each in rounds)), "")


def _confirmed_warnings(casino: Casino, entries: Collection[int]) -> list[WarningNote]:
    """Findings that were predicted are named by their code: whoever may read them sees them as findings."""
    rows = ConfirmedWarning.objects.filter(log=casino.slug, entries__overlap=list(entries)).order_by("entry_index")
    return [
        WarningNote([*(each["code"] for each in row.findings), *row.doubts], row.reason, row.by_name, row.at)
        for row in rows
    ]


def _readable_findings(reader: User, casino: Casino, entries: Collection[int], table: str) -> FindingQuerySet:
    """The gravest first, then the newest. Of a whole table only those that wait for a decision or were upheld."""
    codes = readable_codes(reader, casino)
    found = Finding.objects.about(casino.slug, entries) if entries else Finding.objects.current()
    if table:
        found = found.at_table(casino.slug, table).filter(casino=casino).exclude(DISMISSED_REVIEW)
    if codes is not None:
        found = found.filter(code__in=codes)
    rank = Case(*(When(severity=severity, then=Value(rank)) for severity, rank in SEVERITY_RANKS.items()))
    return found.select_related("review").order_by(rank, "-at", "-pk")


def _count_standing(found: FindingQuerySet) -> dict[str, int]:
    def standing(severity: Severity) -> Q:
        return Q(severity=severity) & ~DISMISSED_REVIEW

    return found.order_by().aggregate(
        all=Count("pk"),
        serious=Count("pk", filter=standing(Severity.SERIOUS)),
        breaches=Count("pk", filter=standing(Severity.BREACH)),
    )


def _is_dismissed(found: Finding) -> bool:
    return hasattr(found, "review") and found.review.state == ReviewState.DECIDED and found.review.outcome in DISMISSED


def _record_finding(found: Finding, reader: User, casino: Casino) -> RecordFinding:
    number = found.entry_index
    comment_href = casino_url("reviews:comment", casino, finding=number)
    return RecordFinding(
        number=number,
        code=found.code,
        severity=Severity(found.severity).tag,
        sentence=found.in_local_time(found.sentence, casino),
        clause=found.clause,
        entry=found.subject_index,
        wager=found.wager,
        due_cents=found.required_cents,
        found_cents=found.found_cents,
        state=found.review.tag if hasattr(found, "review") else NOT_REVIEWED,
        level=found.severity,
        is_dismissed=_is_dismissed(found),
        href=found.get_absolute_url(),
        comment_href=comment_href if may_comment(reader, casino, found.code) else "",
        comments=[FindingComment(one.text, one.by_name, one.at) for one in found.comments.all()],
    )
