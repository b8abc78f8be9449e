"""What an inspector can decide, the reasons that may be given, and which decisions close a finding."""

from dataclasses import dataclass

from django.db.models import TextChoices

from compliance.web.components import Kind, Tag


class Outcome(TextChoices):
    UPHELD = "upheld", "Upheld"
    NOT_UPHELD = "not-upheld", "Not upheld"
    EXPLAINED = "explained", "Explained"
    NEEDS_INFORMATION = "needs-information", "Needs information"
    REFERRED = "referred", "Referred"
    RISK_ACCEPTED = "risk-accepted", "Risk accepted"

    @property
    def tag(self) -> Tag:
        return Tag(self.label, _KINDS[self])

    @property
    def closes(self) -> bool:
        return self != Outcome.NEEDS_INFORMATION


_KINDS: dict[Outcome, Kind] = {
    Outcome.UPHELD: "danger",
    Outcome.NOT_UPHELD: "success",
    Outcome.EXPLAINED: "success",
    Outcome.NEEDS_INFORMATION: "info",
    Outcome.REFERRED: "warning",
    Outcome.RISK_ACCEPTED: "warning",
}


@dataclass(frozen=True)
class Way:
    """One way to decide: what the button says, what follows, the key that leads there, and its reason codes."""

    outcome: Outcome
    verb: str
    follows: str
    key: str
    reasons: tuple[tuple[str, str], ...]


WAYS = (
    Way(
        Outcome.UPHELD, "Uphold", "The finding is right: the rules were broken as it says.", "u",
        (
            ("staff-error", "Error of the staff"),
            ("equipment", "Fault of equipment or software"),
            ("configuration", "Wrong odds, limits or rules were set up"),
            ("procedure", "Procedure not followed"),
            ("other-cause", "Another cause, in the note"),
        ),
    ),
    Way(
        Outcome.NOT_UPHELD, "Do not uphold", "The finding is wrong: nothing was broken.", "w",
        (
            ("record-wrong", "What was recorded was wrong"),
            ("rule-misapplied", "The rule does not apply here"),
            ("duplicate", "Already covered by another finding"),
            ("other-ground", "Another ground, in the note"),
        ),
    ),
    Way(
        Outcome.EXPLAINED, "Explained", "It happened, and there is a good explanation.", "e",
        (
            ("corrected", "Put right at the table or afterwards"),
            ("lawful-exception", "An exception that the rules allow"),
            ("witnessed", "Witnessed and approved at the time"),
            ("other-explanation", "Another explanation, in the note"),
        ),
    ),
    Way(
        Outcome.NEEDS_INFORMATION, "Ask the operator", "The compliance officer answers by a date that you set.", "i",
        (
            ("record-missing", "A record is missing"),
            ("circumstances", "Circumstances are unclear"),
            ("steps-taken", "What was done about it"),
        ),
    ),
    Way(
        Outcome.REFERRED, "Refer", "It goes to those who decide on a sanction.", "r",
        (
            ("sanction", "A sanction may be due"),
            ("pattern", "Part of a pattern"),
            ("beyond-powers", "Beyond an inspector’s powers"),
        ),
    ),
    Way(
        Outcome.RISK_ACCEPTED, "Accept the risk", "It is tolerated until a date, and opens again then.", "k",
        (
            ("change-pending", "A change is on its way"),
            ("low-impact", "Little is at stake"),
            ("compensated", "Other measures make up for it"),
        ),
    ),
)  # fmt: skip
WAY: dict[str, Way] = {way.outcome.value: way for way in WAYS}
REASONS: dict[str, str] = {code: words for way in WAYS for code, words in way.reasons}
