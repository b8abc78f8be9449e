"""Which records of draws can be withdrawn, and what depends on them."""

from collections.abc import Iterable, Iterator, Mapping

from compliance.core.corrections.registry import CorrectableRecord, find_row, register_correctable
from promotions.draws import entry_kinds
from promotions.draws.models import Attempt, Draw, DrawStep, Publication, Winner
from promotions.draws.states import DrawAct
from promotions.shared.permissions import MAY_WRITE


def register() -> None:
    steps = find_row(DrawStep, "draw__promotion__casino")
    register_correctable(
        CorrectableRecord(
            kind=entry_kinds.SCHEDULED,
            writers=MAY_WRITE,
            find=find_row(Draw, "promotion__casino"),
            page=lambda draw: draw.get_absolute_url(),
            dependents=lambda draw: map(str, draw.steps.select_related("draw")),
        ),
        *(
            CorrectableRecord(
                kind=kind,
                writers=MAY_WRITE,
                find=steps,
                page=lambda step: step.draw.get_absolute_url(),
                parties=_who_postponed,
                dependents=_of_step,
            )
            for kind in dict.fromkeys(entry_kinds.KIND_BY_ACT.values())
        ),
        CorrectableRecord(
            kind=entry_kinds.WINNER,
            writers=MAY_WRITE,
            find=find_row(Winner, "draw__promotion__casino"),
            page=lambda winner: winner.address("winner"),
            dependents=_of_winner,
        ),
        CorrectableRecord(
            kind=entry_kinds.ATTEMPT,
            writers=MAY_WRITE,
            find=find_row(Attempt, "winner__draw__promotion__casino"),
            page=lambda attempt: attempt.winner.address("winner"),
            record_anew=lambda attempt, entry: f"{attempt.winner.address('attempt')}?corrects={entry.index}",
        ),
        CorrectableRecord(
            kind=entry_kinds.PUBLISHED,
            writers=MAY_WRITE,
            find=find_row(Publication, "draw__promotion__casino"),
            page=lambda published: published.draw.get_absolute_url(),
        ),
    )


def _who_postponed(step: DrawStep) -> Mapping[str, Iterable[int]]:
    """A validation is not withdrawn by a superior who had postponed the draw, or scheduled it."""
    if step.act != DrawAct.VALIDATED:
        return {}
    postponed = DrawStep.objects.filter(draw=step.draw, act=DrawAct.POSTPONED, step__lt=step.step)
    return {"postponed": postponed.values_list("by", flat=True), "scheduled": [step.draw.by_id]}


def _of_step(step: DrawStep) -> Iterator[str]:
    yield from map(str, DrawStep.objects.filter(draw=step.draw, step__gt=step.step).select_related("draw"))
    if step.act == DrawAct.HELD:
        yield from (f"winner {winner.reference}" for winner in step.draw.winners.select_related("draw__promotion"))
        yield from (f"results published: {published}" for published in step.draw.publications.all())


def _of_winner(winner: Winner) -> Iterator[str]:
    yield from (f"attempt by {attempt.method}" for attempt in winner.attempts.all())
    yield from (f"claim {claim}" for claim in winner.claims.all())
