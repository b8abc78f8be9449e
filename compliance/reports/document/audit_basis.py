"""Basis of a report: the checkpoint, the rule versions with their readings, and the audit coverage."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from compliance.audit.models import Coverage
from compliance.audit.selectors import audit_progress
from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Grid, LabelledValue, ReportColumn, Row, Section
from compliance.reports.document.formatting import format_count
from rounds.ledger import proofs, signing
from rounds.rulebook.labels import humanize_slug
from rounds.rulebook.models import RuleVersion
from rounds.transparency_log import formats

MAX_RANGES = 200


@dataclass(frozen=True)
class AuditBasis:
    sections: tuple[Section, ...]
    entries: frozenset[int]


def build_basis(
    casino: Casino, versions: Iterable[RuleVersion], indexes: Iterable[int] = (), *, in_brief: bool = False
) -> AuditBasis:
    """`indexes` are the entries that the report is about. The coverage of each is stated and attached.

    `in_brief` returns one short section, for a one-page sheet; the attached records have the details.
    """
    used = sorted(set(versions), key=lambda version: (version.rules, version.number))
    ranges = _coverage_rows(casino, indexes)
    approvals = {version.approved_index for version in used if version.approved_index is not None}
    of_rules = (_rule_versions_section(used, casino), _readings_section(used)) if used else ()
    sections = (_checkpoint_section(casino), *of_rules, _coverage_section(casino, ranges))
    entries = frozenset({*approvals, *(row.entry_index for row in ranges)})
    return AuditBasis((_short_basis_section(casino, used, ranges),) if in_brief else sections, entries)


def _short_basis_section(casino: Casino, used: list[RuleVersion], ranges: list[Coverage]) -> Section:
    facts = [LabelledValue("Signed with", str(signing.verifier_key_for(casino.slug)))]
    for signed in filter(None, [proofs.newest_checkpoint(casino.slug)]):
        head = formats.open_checkpoint(signed.note, signing.verifier_key_for(casino.slug)).head
        facts.append(
            LabelledValue("Checkpoint", f"{head.size:,} entries, signed {format_local(signed.signed_at, casino)}")
        )
        facts.append(LabelledValue("Its root", head.root.hex()))
    for one in used:
        since = f" in force from {format_local(one.effective_at, casino)}," if one.effective_at else ""
        facts.append(LabelledValue("Rules", f"{one},{since} approved by {one.approved_by}"))
        facts.append(LabelledValue("Their digest", one.pack_id))
        readings = "; ".join(
            f"{humanize_slug(name)}: {humanize_slug(choice)}" for name, choice in sorted(one.readings.items())
        )
        facts.append(LabelledValue("Readings adopted", readings or "None to choose"))
    for row in ranges:
        facts.append(LabelledValue("Audited", f"Entries {row.first:,} to {row.last - 1:,}, pass {row.generation}"))
        facts.append(LabelledValue("Result digest", row.result_sha256))
    return Section(title="What it rests on", facts=tuple(facts))


def versions_between(casino: Casino, begins_at: datetime, ends_at: datetime) -> list[RuleVersion]:
    """Versions in force at any time of the half-open interval."""
    approved = RuleVersion.objects.approved().with_superseded_at().filter(casino=casino, effective_at__lt=ends_at)
    in_force = approved.filter(Q(superseded_at=None) | Q(superseded_at__gt=begins_at))
    return list(in_force.select_related("approved_by", "casino"))


def _checkpoint_section(casino: Casino) -> Section:
    signed = proofs.newest_checkpoint(casino.slug)
    key = signing.verifier_key_for(casino.slug)
    facts = [LabelledValue("Log", casino.slug), LabelledValue("Key", str(key))]
    if signed is not None:
        head = formats.open_checkpoint(signed.note, key).head
        facts += [
            LabelledValue("Entries signed", f"{head.size:,}"),
            LabelledValue("Root", head.root.hex()),
            LabelledValue("Signed", format_local(signed.signed_at, casino)),
        ]
    text = (
        "The records named in this report stand in the log that this checkpoint signs. They are attached to the file, "
        "each with its proof, together with a later checkpoint that also covers the making of this report."
    )
    return Section(title="Checkpoint", texts=(text,), facts=tuple(facts))


def _rule_versions_section(used: list[RuleVersion], casino: Casino) -> Section:
    rows = tuple(
        Row(
            (
                str(one),
                format_local(one.effective_at, casino) if one.effective_at else "",
                str(one.approved_by or ""),
                one.pack_id,
            ),
            one.approved_index,
        )
        for one in used
    )
    headings = (
        ReportColumn("Rules", 4),
        ReportColumn("In force from", 3),
        ReportColumn("Approved by", 2),
        ReportColumn("Digest", 5),
    )
    return Section(title="Rule versions", grid=Grid(headings, rows, "No rule version was needed."))


def _readings_section(used: list[RuleVersion]) -> Section:
    rows = tuple(
        Row((str(one), humanize_slug(name), humanize_slug(choice)))
        for one in used
        for name, choice in sorted(one.readings.items())
    )
    headings = (
        ReportColumn("Rules", 3),
        ReportColumn("Where the text can be read in several ways", 4),
        ReportColumn("Adopted", 4),
    )
    return Section(title="Readings", grid=Grid(headings, rows, "None of these rules has a reading to choose."))


def _coverage_rows(casino: Casino, indexes: Iterable[int]) -> list[Coverage]:
    """The last audit of each range that contains one of these entries."""
    wanted_indexes = sorted(set(indexes))
    if not wanted_indexes:
        return []
    rows = Coverage.objects.filter(log=casino.slug, first__lte=wanted_indexes[-1], last__gt=wanted_indexes[0])
    newest = {row.first: row for row in rows.order_by("first", "generation")}
    holding = (row for row in newest.values() if _contains_any(row, wanted_indexes))
    return sorted(holding, key=lambda row: row.first)


def _contains_any(row: Coverage, indexes: list[int]) -> bool:
    place = bisect_left(indexes, row.first)
    return place < len(indexes) and indexes[place] < row.last


def _coverage_section(casino: Casino, ranges: list[Coverage]) -> Section:
    done = audit_progress(casino)
    if done.up_to is None:
        words = "Nothing of this log was audited yet."
    elif done.waiting:
        words = f"Every entry below {done.up_to:,} was audited; {done.waiting:,} stretches wait to be audited."
    else:
        rounds, wagers = format_count(done.rounds, "round"), format_count(done.wagers, "wager")
        words = f"Every entry below {done.up_to:,} was audited: {rounds}, {wagers}."
    headings = (
        ReportColumn("Entries", 6),
        ReportColumn("Rounds", 2, True, "rounds"),
        ReportColumn("Wagers", 2, True, "wagers"),
        ReportColumn("Findings", 3, True, "findings"),
        ReportColumn("Result digest", 12, quotes="result_sha256"),
    )
    rows = tuple(
        Row(
            (
                f"{row.first:,} to {row.last - 1:,}, pass {row.generation}",
                f"{row.rounds:,}",
                f"{row.wagers:,}",
                f"{row.findings:,}",
                row.result_sha256,
            ),
            row.entry_index,
        )
        for row in ranges[:MAX_RANGES]
    )
    return Section(title="What was audited", texts=(words,), grid=Grid(headings, rows, "No single stretch is cited."))
