"""Compares how a draw was held with the terms as filed. The form warns of each difference, and the audit reports it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from promotions.draws.models import Draw, DrawStep, Winner
from promotions.draws.states import DrawAct
from promotions.terms.content.terms import Terms
from promotions.terms.models import PromotionAct, PromotionStep

# The terms name a time, and a draw takes a while. Chosen by the service; the help page says so.
HELD_WITHIN = timedelta(hours=1)


@dataclass(frozen=True)
class Difference:
    """`item` is the item of the terms that says otherwise. `found` is how it was, `filed` what the terms say."""

    item: str
    found: str
    filed: str | datetime


def postponement_at(draw: Draw, at: datetime, recorded_at: datetime) -> datetime | None:
    """Since when the draw, or the whole promotion, was postponed and not validated at that time."""
    of_draw = DrawStep.objects.filter(draw=draw, act__in=(DrawAct.POSTPONED, DrawAct.VALIDATED))
    of_promotion = PromotionStep.objects.filter(promotion=draw.promotion)
    in_time = Q(act="postponed", happened_at__lt=at) | Q(act="validated", happened_at__lte=at)
    for steps in (of_draw, of_promotion):
        last = steps.filter(in_time, recorded_at__lte=recorded_at).order_by("-step").first()
        if last is not None and last.act == PromotionAct.POSTPONED:
            return last.happened_at
    return None


def differences(
    draw: Draw, terms: Terms, held_at: datetime, entries: int, recorded_at: datetime
) -> Iterator[Difference]:
    """A draw that was validated and scheduled again is held at its new time instead of the filed one."""
    steps = DrawStep.objects.filter(draw=draw, act=DrawAct.VALIDATED, recorded_at__lte=recorded_at)
    validated = steps.order_by("-step").first()
    times = (validated.scheduled_at,) if validated and validated.scheduled_at else terms.award_times
    was_postponed = PromotionStep.objects.filter(promotion=draw.promotion, happened_at__lte=held_at).exists()
    is_at_filed_time = any(time <= held_at <= time + HELD_WITHIN for time in times)
    if terms.closes_at and held_at < terms.closes_at and not (is_at_filed_time and not validated):
        yield Difference("closing-of-entries", "before entries closed", terms.closes_at)
    is_late_for_cause = was_postponed and held_at >= max(times, default=held_at)
    if times and not is_at_filed_time and not is_late_for_cause:
        yield Difference("when-and-where-awarded", "at another time", min(times, key=lambda time: abs(time - held_at)))
    if entries == 0:
        yield Difference("manner-of-award", "with no entries", "an entry is drawn")


def winners_of_prize(winner: Winner) -> list[Winner]:
    """Those recorded before who won the same prize. A winner whose claim was denied by then does not count: the prize
    may be drawn again."""
    denied = Q(claims__decision__is_met=False, claims__decision__at__lte=winner.at)
    earlier = Winner.objects.filter(draw__promotion=winner.draw.promotion, entry_index__lt=winner.entry_index)
    of_prize = earlier.filter(prize=winner.prize).exclude(pk__in=earlier.filter(denied).values("pk"))
    return list(of_prize.select_related("draw__promotion"))


def same_entry_winners(winner: Winner, terms: Terms) -> list[Winner]:
    """Those recorded before with the same entry, unless the terms let an entry win again. Where they do not say, only
    those of the same draw, because another draw may have had the entry in it again."""
    if terms.may_entry_win_again:
        return []
    earlier = Winner.objects.filter(draw__promotion=winner.draw.promotion, entry_index__lt=winner.entry_index)
    if terms.may_entry_win_again is None:
        earlier = earlier.filter(draw=winner.draw)
    return list(earlier.filter(entry_drawn__iexact=winner.entry_drawn.strip()).select_related("draw__promotion"))
