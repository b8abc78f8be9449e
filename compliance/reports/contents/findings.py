"""Reports of findings: all of a time, or one on a sheet with its round. No inspector's note is ever in them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from compliance.accounts.models import Casino
from compliance.audit.models import Finding, FindingQuerySet
from compliance.audit.selectors import findings_of
from compliance.reports.assembling import assemble
from compliance.reports.basis import basis_of
from compliance.reports.contents.rounds import wagers_section
from compliance.reports.document import Drawn, Fact, Figure, Grid, Heading, Row, Section
from compliance.reports.wording import amount
from compliance.reviews.models import Decision
from compliance.reviews.rounds import RoundBehind, draw_timeline, event_words, round_behind
from compliance.reviews.selectors import others_about
from compliance.web.moments import moment_text
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of

HEADINGS = (
    Heading("Code", 6, quotes="code"), Heading("What was found", 12, quotes="sentence"),
    Heading("Table", 3, quotes="table"), Heading("When", 5), Heading("Clause", 2, quotes="clause"),
    Heading("Due", 3, True, "required_cents"), Heading("Handed back", 3, True, "found_cents"), Heading("Decision", 7),
)  # fmt: skip


def _wanted(casino: Casino, chosen: Mapping[str, Any]) -> FindingQuerySet:
    times = {name: datetime.fromisoformat(chosen[name]) for name in ("since", "until") if chosen.get(name)}
    return findings_of(casino, {**chosen, **times})


def count_discrepancies(casino: Casino, chosen: Mapping[str, Any]) -> int:
    return _wanted(casino, chosen).count()


def discrepancies(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> Drawn:
    found = list(_wanted(casino, chosen).order_by("at", "pk").defer("explanation"))
    decided = last_decisions(found)
    versions = versions_of({one.version_id for one in found})
    basis = basis_of(casino, versions, [one.subject_index for one in found])
    return assemble(
        casino, now,
        title="Discrepancy report",
        subject=_subject(casino, chosen),
        sections=(_totals(found), findings_section(found, decided, casino)),
        basis=basis,
        entries=_beside(found, decided.values()),
    )  # fmt: skip


def _subject(casino: Casino, chosen: Mapping[str, Any]) -> str:
    words = [casino.name]
    for name, says in (("since", "from"), ("until", "until")):
        if chosen.get(name):
            words.append(f"{says} {moment_text(datetime.fromisoformat(chosen[name]), casino)}")
    words += [f"{name} {chosen[name]}" for name in ("code", "severity", "table") if chosen.get(name)]
    return ", ".join(words)


def _totals(found: list[Finding]) -> Section:
    groups: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for one in found:
        groups[one.code, one.severity].append(one)
    rows = tuple(
        Row((code, severity.capitalize(), f"{len(those):,}", amount(_difference(those))))
        for (code, severity), those in sorted(groups.items())
    )
    headings = (
        Heading("Code", 4),
        Heading("Severity", 2),
        Heading("Findings", 2, True),
        Heading("Difference", 3, True),
    )
    return Section(
        title="In short",
        facts=(
            Fact("Findings", f"{len(found):,}"),
            Fact("Handed back beyond what was due", amount(_difference(found))),
        ),
        grid=Grid(headings, rows, "Nothing was found."),
    )


def _difference(found: Iterable[Finding]) -> int:
    return sum((one.found_cents or 0) - one.required_cents for one in found if one.required_cents is not None)


def findings_section(found: list[Finding], decided: Mapping[int, Decision], casino: Casino) -> Section:
    rows = tuple(
        Row(
            (
                one.code, one.sentence, one.table, moment_text(one.at, casino), one.clause, amount(one.required_cents),
                amount(one.found_cents), decision_words(decided.get(one.pk)),
            ),
            one.entry_index,
        )
        for one in found
    )  # fmt: skip
    return Section(title="Findings", grid=Grid(HEADINGS, rows, "Nothing was found in this time."))


def decision_words(decision: Decision | None) -> str:
    return "Not decided" if decision is None else f"{decision.get_outcome_display()}: {decision.reason_words}"


def last_decisions(found: Iterable[Finding]) -> dict[int, Decision]:
    """By finding. Without the notes."""
    rows = Decision.objects.filter(finding__in=[one.pk for one in found]).defer("note", "note_salt")
    return {one.finding_id: one for one in rows.order_by("finding_id", "number")}


def versions_of(ids: set[int | None]) -> list[RuleVersion]:
    return list(
        RuleVersion.objects.filter(pk__in=[one for one in ids if one is not None]).select_related(
            "approved_by", "casino"
        )
    )


def _beside(found: Iterable[Finding], decided: Iterable[Decision]) -> set[int]:
    """What a finding is about, and what was decided: attached without a row of their own."""
    return {*(one.subject_index for one in found), *(one.entry_index for one in decided)}


def one_finding(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> Drawn:
    found = Finding.objects.with_rules().get(casino=casino, entry_index=chosen["finding"])
    decided = list(found.decisions.defer("note", "note_salt").order_by("number"))
    behind = round_behind(found)
    sections = [_what(found, casino)]
    if found.explanation:
        sections.append(Section(title="How it was worked out", texts=tuple(found.explanation)))
    drawings = []
    if behind is not None:
        drawings.append(draw_timeline(behind, found.wager))
        sections.append(_round(behind))
        sections.append(wagers_section(behind, [found, *others_about(found)]))
    sections.append(_decisions(decided, casino))
    basis = basis_of(casino, versions_of({found.version_id}), [found.subject_index], in_brief=True)
    return assemble(
        casino, now,
        title=f"Finding {found.entry_index:,}: {found.code}",
        subject=found.sentence,
        sections=sections,
        basis=basis,
        entries=_beside([found], decided),
        drawings=drawings,
        is_sheet=True,
    )  # fmt: skip


def _round(behind: RoundBehind) -> Section:
    """In a line; the round's own sheet has a table of it, and its record is attached to this one."""
    events = "; ".join(f"{event_words(event)}, {behind.seconds(event.at)}" for event in behind.events)
    return Section(title="The round", texts=(f"{events}.",), figure=Figure(0, "The events of the round, to scale."))


def _what(found: Finding, casino: Casino) -> Section:
    facts = [Fact("Severity", found.severity.capitalize()), Fact("Table", found.table or "None")]
    if found.required_cents is not None:
        facts += [
            Fact("Due by the rules", amount(found.required_cents)),
            Fact("Handed back", amount(found.found_cents)),
            Fact("Difference", amount((found.found_cents or 0) - found.required_cents)),
        ]
    if found.version is not None and found.clause:
        gist = pack_of(found.version).clauses.get(found.clause)
        facts.append(Fact("Clause", f"{found.clause}: {gist.gist}" if gist else found.clause))
    if found.version is not None:
        facts.append(Fact("Rules", str(found.version)))
    facts += [
        Fact("Happened", moment_text(found.at, casino)),
        Fact("Found", moment_text(found.found_at, casino)),
        Fact("Recorded", f"Entry {found.entry_index:,}, about entry {found.subject_index:,}"),
    ]
    amounts = amount(found.required_cents), amount(found.found_cents)
    row = Row((found.code, found.sentence, *amounts), found.entry_index)
    headings = (
        Heading("Code", 3, quotes="code"), Heading("As recorded", 8, quotes="sentence"),
        Heading("Due", 2, True, "required_cents"), Heading("Handed back", 2, True, "found_cents"),
    )  # fmt: skip
    grid = Grid(headings, (row,))
    return Section(title="What was found", facts=tuple(facts), grid=grid)


def _decisions(decided: list[Decision], casino: Casino) -> Section:
    rows = tuple(
        Row(
            (
                one.get_outcome_display(), one.reason_words, one.question, one.decided_by_name,
                moment_text(one.decided_at, casino),
            ),
            one.entry_index,
        )
        for one in decided
    )  # fmt: skip
    headings = (
        Heading("Decision", 3), Heading("Reason", 4), Heading("Asked", 5), Heading("By", 3), Heading("When", 4),
    )  # fmt: skip
    return Section(title="Decisions", grid=Grid(headings, rows, "Nobody has decided yet."))
