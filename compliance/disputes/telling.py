"""The steps of a dispute in plain words: for the timeline on its page, and for the file on paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from compliance.disputes import kinds, said
from compliance.disputes.clocks import age_words
from compliance.disputes.models import Dispute, Step
from compliance.web.components import Tag, Timeline, TimelineEntry
from compliance.web.forms import dollars

OUTCOME_TAGS = {
    "upheld": Tag("For the patron", "success"),
    "partly": Tag("Partly for the patron", "info"),
    "refused": Tag("Against the patron", "neutral"),
    "void": Tag("Void", "info"),
    "substantiated": Tag("Substantiated", "success"),
    "partly-substantiated": Tag("Partly substantiated", "info"),
    "not-substantiated": Tag("Not substantiated", "neutral"),
    "no-jurisdiction": Tag("Not for the inspector", "neutral"),
}


def day(text: str) -> str:
    on = date.fromisoformat(text)
    return f"{on.day} {on:%b %Y}"


def amount(cents: int) -> str:
    return f" ${dollars(cents)} to be paid." if cents else ""


def clause_words(clause: str) -> str:
    return f" Clause {clause}." if clause else ""


def _decided(step: Step, it: Any) -> str:
    absent = " Nobody of the rank named first was there." if it.in_absence else ""
    entered = f" Written down by {it.entered_by}." if it.entered_by else ""
    return f"{it.reasons}{amount(it.amount_cents)}{clause_words(it.clause)}{absent}{entered}"


def _told(step: Step, it: Any) -> str:
    answer, signed = said.ANSWERS[it.answer], said.ACKNOWLEDGED[it.acknowledged].lower()
    return f"Told in {it.language}: {it.told} The patron: {answer[:1].lower()}{answer[1:]}; {signed}."


def _paid(step: Step, it: Any) -> str:
    wager = f", wager {it.wager}" if it.wager else ""
    early = "" if it.was_decided else " No decision had been made."
    return f"{said.PAYMENTS[it.way]}: ${dollars(it.amount_cents)}{wager}. {it.note}{early}".strip()


def _advised(step: Step, it: Any) -> str:
    law = f", {it.law}" if it.law else ""
    return f"Of {it.told_of}{law}. {said.ADVICE[it.how]}, in {it.language}.{clause_words(it.clause)}"


def _closed(step: Step, it: Any) -> str:
    why = f" The patron was not advised: {it.unadvised_because}" if it.unadvised_because else ""
    return f"{it.reason}{why}"


DETAILS: dict[str, Callable[[Step, Any], str]] = {
    kinds.DECIDED: _decided,
    kinds.TOLD: _told,
    kinds.REVIEW: lambda step, it: f"The patron asked for it.{clause_words(it.clause)}",
    kinds.ADVISED: _advised,
    kinds.PAID: _paid,
    kinds.ATTACHED: lambda step, it: f"{it.media_type}, {it.bytes:,} bytes, SHA-256 {it.sha256[:16]}…",
    kinds.WITHDRAWN: lambda step, it: it.reason,
    kinds.CLOSED: _closed,
    kinds.COMPLAINED: lambda step, it: f"Received {said.RECEIVED[it.received].lower()}.{clause_words(it.clause)}",
    kinds.NOTED: lambda step, it: "",
    kinds.ASKED: lambda step, it: f"{it.question} Due by {day(it.due_on)}.",
    kinds.ANSWERED: lambda step, it: it.text,
    kinds.DETERMINED: lambda step, it: f"{it.reasons}{amount(it.amount_cents)}",
    kinds.LETTER: lambda step, it: f"{it.how.replace('-', ' ').capitalize()}. SHA-256 {it.sha256[:16]}…",
}
TITLES = {
    kinds.TOLD: "Patron told",
    kinds.REVIEW: "Review requested",
    kinds.ADVISED: "Patron advised of their right",
    kinds.PAID: "Money",
    kinds.ATTACHED: "File attached",
    kinds.WITHDRAWN: "Withdrawn by the patron",
    kinds.CLOSED: "Closed",
    kinds.COMPLAINED: "Complaint to the inspector",
    kinds.NOTED: "Inspector's note",
    kinds.ANSWERED: "Answer to the inspector",
    kinds.DETERMINED: "Inspector's outcome",
    kinds.LETTER: "Letter to the patron",
}


def title_of(step: Step) -> str:
    if step.kind == kinds.DECIDED:
        assert step.rung is not None
        return step.dispute.ladder.rungs[step.rung].title
    if step.kind == kinds.ASKED:
        return f"Inspector asks: {said.REQUESTS[step.said['what']].lower()}"
    return TITLES[step.kind]


def tag_of_step(step: Step) -> Tag | None:
    if step.kind in (kinds.DECIDED, kinds.DETERMINED):
        return OUTCOME_TAGS[step.said["outcome"]]
    if step.kind == kinds.CLOSED and step.said.get("unadvised_because"):
        return Tag("Not advised", "danger")
    if step.kind == kinds.PAID and step.said.get("was_decided") is False:
        return Tag("Before a decision", "danger")
    return None


def taken_by(step: Step) -> str:
    """Who took it, and how long it had waited for them."""
    words = f"{step.by_name}, {step.role_label.lower()}"
    if step.waited_since_at is None:
        return words
    return f"{words}, after {age_words(step.waited_since_at, step.recorded_at)}{', too late' if step.is_late else ''}"


def detail_of(step: Step) -> str:
    return DETAILS[step.kind](step, step.read())


def visible_steps(dispute: Dispute, *, is_government: bool) -> list[Step]:
    """Inspectors' notes are no part of the file that the operator reads."""
    return [step for step in dispute.steps.all() if is_government or step.kind != kinds.NOTED]


def timeline_of(dispute: Dispute, *, is_government: bool, notes: Sequence[tuple[int, str]] = ()) -> Timeline:
    """`notes`: the words of inspectors' notes by the step they belong to, for those who may read them."""
    words = dict(notes)
    logged = TimelineEntry(
        "Logged", dispute.logged_at, f"by {dispute.logged_by_name}", f"{said.GROUNDS[dispute.grounds]}."
    )
    entries = [
        TimelineEntry(
            title_of(step), step.at, f"by {taken_by(step)}",
            words.get(step.pk) or detail_of(step), tag_of_step(step),
        )
        for step in visible_steps(dispute, is_government=is_government)
    ]  # fmt: skip
    return Timeline([logged, *entries], dispute.casino, "What happened, oldest first")
