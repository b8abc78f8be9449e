"""Which records of terms can be withdrawn, and what depends on them."""

from collections.abc import Iterable, Iterator, Mapping

from compliance.core.corrections.registry import CorrectableRecord, find_row, register_correctable
from promotions.shared.permissions import MAY_DECIDE, MAY_WRITE
from promotions.terms import entry_kinds
from promotions.terms.models import AmendmentDecision, Material, PromotionAct, PromotionStep, TermsVersion


def register() -> None:
    steps = find_row(PromotionStep, "promotion__casino")
    register_correctable(
        CorrectableRecord(
            kind=entry_kinds.TERMS,
            writers=MAY_WRITE,
            find=find_row(TermsVersion, "promotion__casino"),
            page=lambda version: version.promotion.get_absolute_url(),
            dependents=_of_version,
        ),
        CorrectableRecord(
            kind=entry_kinds.DECIDED,
            writers=MAY_DECIDE,
            find=find_row(AmendmentDecision, "version__promotion__casino"),
            page=lambda decision: decision.version.address("version"),
            parties=lambda decision: {"filed": [decision.version.filed_by_id]},
            dependents=lambda decision: _newer_versions(decision.version),
        ),
        CorrectableRecord(
            kind=entry_kinds.MATERIAL,
            writers=MAY_WRITE,
            find=find_row(Material, "promotion__casino"),
            page=lambda material: material.promotion.address("materials"),
        ),
        *(
            CorrectableRecord(
                kind=kind,
                writers=MAY_WRITE,
                find=steps,
                page=lambda step: step.promotion.get_absolute_url(),
                parties=_who_postponed,
                dependents=_of_step,
            )
            for kind in (entry_kinds.POSTPONED, entry_kinds.VALIDATED)
        ),
    )


def _of_version(version: TermsVersion) -> Iterator[str]:
    """A later version, the Authority's decision, and for the last filing whatever was recorded under it."""
    yield from _newer_versions(version)
    if version.get_decision() is not None:
        yield "the decision on the amendment"
    if not TermsVersion.objects.filter(promotion=version.promotion).exclude(pk=version.pk).exists():
        yield from (str(draw) for draw in version.promotion.draws.all())
        yield from (f"claim {claim}" for claim in version.promotion.claims.all())


def _newer_versions(version: TermsVersion) -> Iterator[str]:
    newer = TermsVersion.objects.filter(promotion=version.promotion, number__gt=version.number)
    yield from (each.reference for each in newer.select_related("promotion"))


def _who_postponed(step: PromotionStep) -> Mapping[str, Iterable[int]]:
    """A validation is not withdrawn by a superior who had postponed the promotion, or filed its terms."""
    if step.act != PromotionAct.VALIDATED:
        return {}
    postponed = PromotionStep.objects.filter(promotion=step.promotion, act=PromotionAct.POSTPONED, step__lt=step.step)
    filed = TermsVersion.objects.filter(promotion=step.promotion)
    return {"postponed": postponed.values_list("by", flat=True), "filed": filed.values_list("filed_by", flat=True)}


def _of_step(step: PromotionStep) -> Iterator[str]:
    later = PromotionStep.objects.filter(promotion=step.promotion, step__gt=step.step).select_related("promotion")
    yield from map(str, later)
