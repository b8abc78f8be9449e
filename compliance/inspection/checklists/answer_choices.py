"""Possible answers to a clause, and what an answer rests on."""

from django.db.models import TextChoices

from compliance.core.web.ui.components import Tag, TagKind


class ClauseVerdict(TextChoices):
    YES = "yes", "Yes"
    NO = "no", "No"
    NOT_APPLICABLE = "not-applicable", "Not applicable"

    @property
    def tag(self) -> Tag:
        return Tag(self.label, _TAG_KINDS[self])


_TAG_KINDS: dict[ClauseVerdict, TagKind] = {
    ClauseVerdict.YES: "success",
    ClauseVerdict.NO: "danger",
    ClauseVerdict.NOT_APPLICABLE: "neutral",
}


class AnswerBasis(TextChoices):
    REPRESENTATION = "representation", "Representation"
    OBSERVATION = "observation", "Observation"
    EXAMINATION = "examination", "Examination"
    REPERFORMANCE = "re-performance", "Re-performance"
    AUDIT = "audit", "The audit"


# Explanations for the form.
BASIS_MEANINGS: dict[AnswerBasis, str] = {
    AnswerBasis.REPRESENTATION: "Somebody of the casino told you so.",
    AnswerBasis.OBSERVATION: "You saw it happen.",
    AnswerBasis.EXAMINATION: "You looked at records or things. Say which.",
    AnswerBasis.REPERFORMANCE: "You did it again yourself. Say what, and what came of it.",
    AnswerBasis.AUDIT: "The audit checked it in the rounds of this time, as stated above.",
}
# Examination and reperformance need a comment that names what was examined.
BASES_NEEDING_COMMENT = (AnswerBasis.EXAMINATION, AnswerBasis.REPERFORMANCE)


class RoundVerdict(TextChoices):
    IN_ORDER = "in-order", "In order"
    NOT_IN_ORDER = "not-in-order", "Not in order"

    @property
    def tag(self) -> Tag:
        return Tag(self.label, "success" if self == RoundVerdict.IN_ORDER else "danger")
