"""The round of a finding: its wagers and payments, its events, and a timeline to scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from reportlab.graphics.shapes import Circle, Drawing, Line, String
from reportlab.lib.colors import HexColor

from compliance.audit.models import Finding
from compliance.audit.projections.rounds import ROUND_KINDS, round_from_entry
from compliance.core.accounts.models import Casino
from compliance.core.web.ui.charts import BOLD, FONT, INK, RULE, SECONDARY_INK, SERIES_COLOURS, SIZE, draw_rectangle
from compliance.disputes.subject.assessment import WagerAssessment, assess
from compliance.inspection.reviews.finding_causes import dealer_of
from rounds.engine import wager_holder
from rounds.intake.protocol.round import Round, RoundEvent
from rounds.intake.round_view import RoundView, WagerView, read_round
from rounds.ledger import LogEntry, entry_at
from rounds.rulebook.labels import humanize_slug

WIDTH, ROW, LEFT, RIGHT, TOP, BOTTOM = 640, 24, 190, 46, 44, 40
SCALE_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600)


@dataclass(frozen=True)
class FindingWager:
    """One wager of the round: what it is owed, as on the page of a dispute, and its finding, if any."""

    assessment: WagerAssessment
    found: Finding | None

    @property
    def view(self) -> WagerView:
        return self.assessment.read

    @property
    def holder(self) -> str:
        words = wager_holder(self.view.wager)
        return words[:1].upper() + words[1:]


@dataclass(frozen=True)
class FindingRound:
    """The round that is the subject of a finding."""

    casino: Casino
    entry: LogEntry
    played: Round

    @cached_property
    def view(self) -> RoundView:
        """The round with its rules and later records, by which its wagers are settled."""
        return read_round(self.casino, self.entry)

    @property
    def faces(self) -> tuple[int, ...] | None:
        return self.played.dice or self.played.cards

    @property
    def dealer(self) -> str:
        return dealer_of(self.played)

    @property
    def event_times(self) -> list[datetime]:
        changed = [change.at for wager in self.played.wagers for change in wager.changes]
        return [event.at for event in self.played.events] + [wager.placed_at for wager in self.played.wagers] + changed

    @property
    def began_at(self) -> datetime:
        return min(self.event_times)

    def wagers(self, findings: Sequence[Finding]) -> list[FindingWager]:
        about = {one.wager: one for one in findings if one.wager and one.required_cents is not None}
        return [FindingWager(each, about.get(each.wager_id)) for each in assess(self.view)]

    def box_lines(self, row: FindingWager) -> list[str]:
        """The box when betting closed, and what was changed about the wager since it was placed."""
        changes = [
            f"{row.view.change_text(each)}, {self.seconds_since_start(each.at)}" for each in row.view.wager.changes
        ]
        return [row.view.bet_label, *([row.view.first_text] if changes else ()), *changes]

    @property
    def events(self) -> list[RoundEvent]:
        return sorted(self.played.events, key=lambda event: event.at)

    def seconds_since_start(self, at: datetime) -> str:
        return f"{(at - self.began_at).total_seconds():.1f} s"


def event_label(event: RoundEvent) -> str:
    times = "" if event.count is None else " once" if event.count == 1 else f" {event.count} times"
    return f"{humanize_slug(event.name)}{times}"


def round_of_finding(finding: Finding) -> FindingRound | None:
    """None if the subject is not a round or cannot be read as one."""
    entry = entry_at(finding.log, finding.subject_index)
    if entry is None or entry.kind not in ROUND_KINDS:
        return None
    played = round_from_entry(entry)
    return None if played is None else FindingRound(finding.casino, entry, played)


def draw_timeline(behind: FindingRound, flagged: str) -> Drawing:
    """One row for each event and one for the wagers, with time from left to right, to scale. The flagged wager is
    marked."""
    began, ended = behind.began_at, max(behind.event_times)
    span = max((ended - began).total_seconds(), 1.0)
    rows = len(behind.events) + 1
    drawing = Drawing(WIDTH, TOP + rows * ROW + BOTTOM)
    draw_rectangle(drawing, 0, 0, WIDTH, drawing.height, HexColor("#ffffff"))
    title = f"Round {behind.played.round}, {span:.1f} seconds"
    drawing.add(String(12, drawing.height - 20, title, fontName=BOLD, fontSize=SIZE + 2, fillColor=INK))

    def x_position(at: datetime) -> float:
        return LEFT + (at - began).total_seconds() / span * (WIDTH - LEFT - RIGHT)

    _draw_scale(drawing, span, x_position(began))
    for place, event in enumerate(behind.events):
        y = drawing.height - TOP - (place + 0.5) * ROW
        _draw_row_label(drawing, y, event_label(event))
        draw_rectangle(drawing, x_position(event.at) - 1.5, y - 8, 3, 16, SERIES_COLOURS[0])
    y = drawing.height - TOP - (rows - 0.5) * ROW
    _draw_row_label(drawing, y, "Wagers placed")
    for wager in sorted(behind.played.wagers, key=lambda wager: wager.id == flagged):
        colour = SERIES_COLOURS[1] if wager.id == flagged else SERIES_COLOURS[0]
        radius = 6 if wager.id == flagged else 3.5
        drawing.add(Circle(x_position(wager.placed_at), y, radius, fillColor=colour, strokeColor=None))
    return drawing


def _draw_row_label(drawing: Drawing, y: float, words: str) -> None:
    drawing.add(Line(LEFT, y, WIDTH - RIGHT, y, strokeColor=RULE, strokeWidth=0.5))
    drawing.add(String(LEFT - 10, y - 4, words[:32], textAnchor="end", fontName=FONT, fontSize=SIZE, fillColor=INK))


def _draw_scale(drawing: Drawing, span: float, x_zero: float) -> None:
    step = next((step for step in SCALE_STEPS if span / step <= 8), SCALE_STEPS[-1])
    for number in range(int(span // step) + 1):
        x = x_zero + number * step / span * (WIDTH - LEFT - RIGHT)
        drawing.add(Line(x, BOTTOM - 6, x, drawing.height - TOP, strokeColor=RULE, strokeWidth=0.5))
        words = f"{timedelta(seconds=number * step)}" if step >= 60 else f"{number * step} s"
        drawing.add(
            String(x, BOTTOM - 22, words, textAnchor="middle", fontName=FONT, fontSize=SIZE, fillColor=SECONDARY_INK)
        )
