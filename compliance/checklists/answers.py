"""How a clause is answered, and what the answer rests on."""

from django.db.models import TextChoices

from compliance.web.components import Kind, Tag


class Verdict(TextChoices):
    YES = "yes", "Yes"
    NO = "no", "No"
    NOT_APPLICABLE = "not-applicable", "Not applicable"

    @property
    def tag(self) -> Tag:
        return Tag(self.label, _KINDS[self])


_KINDS: dict[Verdict, Kind] = {Verdict.YES: "success", Verdict.NO: "danger", Verdict.NOT_APPLICABLE: "neutral"}


class Basis(TextChoices):
    REPRESENTATION = "representation", "Representation"
    OBSERVATION = "observation", "Observation"
    EXAMINATION = "examination", "Examination"
    REPERFORMANCE = "re-performance", "Re-performance"


# What each means, for people who choose.
MEANS: dict[Basis, str] = {
    Basis.REPRESENTATION: "Somebody of the casino told you so.",
    Basis.OBSERVATION: "You saw it happen.",
    Basis.EXAMINATION: "You looked at records or things. Say which.",
    Basis.REPERFORMANCE: "You did it again yourself. Say what, and what came of it.",
}
# Whoever looked or did it again says at what.
NEEDS_COMMENT = (Basis.EXAMINATION, Basis.REPERFORMANCE)


class RoundVerdict(TextChoices):
    IN_ORDER = "in-order", "In order"
    NOT_IN_ORDER = "not-in-order", "Not in order"

    @property
    def tag(self) -> Tag:
        return Tag(self.label, "success" if self == RoundVerdict.IN_ORDER else "danger")
