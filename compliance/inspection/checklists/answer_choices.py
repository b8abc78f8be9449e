"""Possible answers to a clause, and what an answer rests on."""

from django.db.models import TextChoices

from compliance.core.web.ui.components import Tag, TagKind


class Verdict(TextChoices):
    YES = "yes", "Yes"
    NO = "no", "No"
    NOT_APPLICABLE = "not-applicable", "Not applicable"

    @property
    def tag(self) -> Tag:
        return Tag(self.label, _TAG_KINDS[self])


_TAG_KINDS: dict[Verdict, TagKind] = {Verdict.YES: "success", Verdict.NO: "danger", Verdict.NOT_APPLICABLE: "neutral"}


class Basis(TextChoices):
    REPRESENTATION = "representation", "Representation"
    OBSERVATION = "observation", "Observation"
    EXAMINATION = "examination", "Examination"
    REPERFORMANCE = "re-performance", "Re-performance"


# Explanations for the form.
BASIS_MEANINGS: dict[Basis, str] = {
    Basis.REPRESENTATION: "Somebody of the casino told you so.",
    Basis.OBSERVATION: "You saw it happen.",
    Basis.EXAMINATION: "You looked at records or things. Say which.",
    Basis.REPERFORMANCE: "You did it again yourself. Say what, and what came of it.",
}
# Examination and reperformance need a comment that names what was examined.
BASES_NEEDING_COMMENT = (Basis.EXAMINATION, Basis.REPERFORMANCE)


class RoundVerdict(TextChoices):
    IN_ORDER = "in-order", "In order"
    NOT_IN_ORDER = "not-in-order", "Not in order"

    @property
    def tag(self) -> Tag:
        return Tag(self.label, "success" if self == RoundVerdict.IN_ORDER else "danger")
