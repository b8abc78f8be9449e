"""Steps of a dispute as text, for the timeline on its page and for the PDF file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from compliance.core.web.ui.components import Tag, Timeline, TimelineEntry
from compliance.disputes import entry_bodies, entry_kinds
from compliance.disputes.deadlines import age_text
from compliance.disputes.models import Dispute, Step
from rounds.engine.money import format_cents
from rounds.intake.entry_kinds import DISPUTE_PAID
from rounds.ledger import entry_kinds as ledger_kinds

OUTCOME_TAGS = {
    "upheld": Tag("For the patron", "info"),
    "partly": Tag("Partly for the patron", "info"),
    "refused": Tag("Against the patron", "neutral"),
    "void": Tag("Void", "info"),
    "substantiated": Tag("Substantiated", "info"),
    "partly-substantiated": Tag("Partly substantiated", "info"),
    "not-substantiated": Tag("Not substantiated", "neutral"),
    "no-jurisdiction": Tag("Not for the inspector", "neutral"),
}


def format_day(text: str) -> str:
    on = date.fromisoformat(text)
    return f"{on.day} {on:%b %Y}"


def amount_text(cents: int) -> str:
    return f" {format_cents(cents)} to be paid." if cents else ""


def clause_text(clause: str) -> str:
    return f" Clause {clause}." if clause else ""


def _decision_text(step: Step, it: Any) -> str:
    absent = " Nobody of the rank named first was there." if it.in_absence else ""
    entered = f" Written down by {it.entered_by}." if it.entered_by else ""
    return f"{it.reasons}{amount_text(it.amount_cents)}{clause_text(it.clause)}{absent}{entered}"


def _notification_text(step: Step, it: Any) -> str:
    answer, signed = entry_bodies.ANSWERS[it.answer], entry_bodies.ACKNOWLEDGED[it.acknowledged].lower()
    return f"Told in {it.language}: {it.told} The patron: {answer[:1].lower()}{answer[1:]}; {signed}."


def _payment_text(step: Step, it: Any) -> str:
    wager = f", wager {it.wager}" if it.wager else ""
    early = "" if it.was_decided else " No decision had been made."
    return f"{entry_bodies.PAYMENTS[it.way]}: {format_cents(it.amount_cents)}{wager}. {it.note}{early}".strip()


def _advice_text(step: Step, it: Any) -> str:
    law = f", {it.law}" if it.law else ""
    return f"Of {it.told_of}{law}. {entry_bodies.ADVICE[it.how]}, in {it.language}.{clause_text(it.clause)}"


def _closing_text(step: Step, it: Any) -> str:
    why = f" The patron was not advised: {it.unadvised_because}" if it.unadvised_because else ""
    return f"{it.reason}{why}"


DETAIL_BY_KIND: dict[str, Callable[[Step, Any], str]] = {
    entry_kinds.DECIDED: _decision_text,
    entry_kinds.TOLD: _notification_text,
    entry_kinds.REVIEW: lambda step, it: f"The patron asked for it.{clause_text(it.clause)}",
    entry_kinds.ADVISED: _advice_text,
    DISPUTE_PAID: _payment_text,
    entry_kinds.ATTACHED: lambda step, it: f"{it.media_type}, {it.bytes:,} bytes, SHA-256 {it.sha256[:16]}…",
    entry_kinds.WITHDRAWN: lambda step, it: it.reason,
    entry_kinds.CLOSED: _closing_text,
    entry_kinds.COMPLAINED: lambda step, it: (
        f"Received {entry_bodies.RECEIVED[it.received].lower()}.{clause_text(it.clause)}"
    ),
    entry_kinds.NOTED: lambda step, it: "",
    entry_kinds.ASKED: lambda step, it: f"{it.question} Due by {format_day(it.due_on)}.",
    entry_kinds.ANSWERED: lambda step, it: it.text,
    entry_kinds.DETERMINED: lambda step, it: f"{it.reasons}{amount_text(it.amount_cents)}",
    entry_kinds.LETTER: lambda step, it: f"{it.how.replace('-', ' ').capitalize()}. SHA-256 {it.sha256[:16]}…",
}


def step_title(step: Step) -> str:
    if step.kind == entry_kinds.DECIDED:
        assert step.rung is not None
        return step.dispute.ladder.rungs[step.rung].title
    if step.kind == entry_kinds.ASKED:
        return f"Inspector asks: {entry_bodies.REQUESTS[step.said['what']].lower()}"
    kind = ledger_kinds.find_kind(step.kind)
    return kind.label if kind else step.kind


def step_tag(step: Step) -> Tag | None:
    if step.kind in (entry_kinds.DECIDED, entry_kinds.DETERMINED):
        return OUTCOME_TAGS[step.said["outcome"]]
    if step.kind == entry_kinds.CLOSED and step.said.get("unadvised_because"):
        return Tag("Not advised", "danger")
    if step.kind == DISPUTE_PAID and step.said.get("was_decided") is False:
        return Tag("Before a decision", "danger")
    return None


def step_role_text(step: Step) -> str:
    """In which role it was taken, and how long it had waited."""
    role = step.role_label.lower()
    if step.waited_since_at is None:
        return role
    return f"{role}, after {age_text(step.waited_since_at, step.recorded_at)}{', too late' if step.is_late else ''}"


def step_detail(step: Step) -> str:
    return DETAIL_BY_KIND[step.kind](step, step.read_body())


def visible_steps(dispute: Dispute, *, is_government: bool) -> list[Step]:
    """Inspectors' notes are left out of the file for the operator."""
    return [step for step in dispute.steps.all() if is_government or step.kind != entry_kinds.NOTED]


def build_timeline(dispute: Dispute, *, is_government: bool, notes: Sequence[tuple[int, str]] = ()) -> Timeline:
    """The timeline of the page. `notes`: text of inspectors' notes by step id, for government only."""
    words = dict(notes)
    logged = TimelineEntry(
        "Logged", dispute.logged_at, f"by {dispute.logged_by_name}", f"{entry_bodies.GROUNDS[dispute.grounds]}."
    )
    entries = [
        TimelineEntry(
            step_title(step),
            step.at,
            f"by {step.by_name}, {step_role_text(step)}",
            words.get(step.pk) or step_detail(step),
            step_tag(step),
        )
        for step in visible_steps(dispute, is_government=is_government)
    ]
    return Timeline([logged, *entries], dispute.casino, "What happened, oldest first")
