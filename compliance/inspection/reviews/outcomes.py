"""Possible decisions of an inspector, their reason codes, and which of them close a finding."""

from dataclasses import dataclass

from django.db.models import TextChoices

from compliance.core.web.ui.components import Tag, TagKind


class Outcome(TextChoices):
    UPHELD = "upheld", "Upheld"
    NOT_UPHELD = "not-upheld", "Not upheld"
    EXPLAINED = "explained", "Explained"
    NEEDS_INFORMATION = "needs-information", "Needs information"
    REFERRED = "referred", "Referred"
    RISK_ACCEPTED = "risk-accepted", "Risk accepted"

    @property
    def tag(self) -> Tag:
        return Tag(self.label, _TAG_KINDS[self])

    @property
    def closes_finding(self) -> bool:
        return self != Outcome.NEEDS_INFORMATION


_TAG_KINDS: dict[Outcome, TagKind] = {
    Outcome.UPHELD: "danger",
    Outcome.NOT_UPHELD: "success",
    Outcome.EXPLAINED: "success",
    Outcome.NEEDS_INFORMATION: "info",
    Outcome.REFERRED: "warning",
    Outcome.RISK_ACCEPTED: "warning",
}


@dataclass(frozen=True)
class DecisionOption:
    """A possible decision: button label, consequence, keyboard shortcut, and reason codes."""

    outcome: Outcome
    verb: str
    follows: str
    key: str
    reasons: tuple[tuple[str, str], ...]


DECISION_OPTIONS = (
    DecisionOption(
        Outcome.UPHELD,
        "Uphold",
        "The finding is right: the rules were broken as it says.",
        "u",
        (
            ("staff-error", "Error of the staff"),
            ("equipment", "Fault of equipment or software"),
            ("configuration", "Wrong odds, limits or rules were set up"),
            ("procedure", "Procedure not followed"),
            ("other-cause", "Another cause, in the note"),
        ),
    ),
    DecisionOption(
        Outcome.NOT_UPHELD,
        "Do not uphold",
        "The finding is wrong: nothing was broken.",
        "w",
        (
            ("record-wrong", "What was recorded was wrong"),
            ("rule-misapplied", "The rule does not apply here"),
            ("duplicate", "Already covered by another finding"),
            ("other-ground", "Another ground, in the note"),
        ),
    ),
    DecisionOption(
        Outcome.EXPLAINED,
        "Explained",
        "It happened, and there is a good explanation.",
        "e",
        (
            ("corrected", "Put right at the table or afterwards"),
            ("lawful-exception", "An exception that the rules allow"),
            ("witnessed", "Witnessed and approved at the time"),
            ("other-explanation", "Another explanation, in the note"),
        ),
    ),
    DecisionOption(
        Outcome.NEEDS_INFORMATION,
        "Ask the operator",
        "The compliance officer answers by a date that you set.",
        "i",
        (
            ("record-missing", "A record is missing"),
            ("circumstances", "Circumstances are unclear"),
            ("steps-taken", "What was done about it"),
        ),
    ),
    DecisionOption(
        Outcome.REFERRED,
        "Refer",
        "It goes to those who decide on a sanction.",
        "r",
        (
            ("sanction", "A sanction may be due"),
            ("pattern", "Part of a pattern"),
            ("beyond-powers", "Beyond an inspector’s powers"),
        ),
    ),
    DecisionOption(
        Outcome.RISK_ACCEPTED,
        "Accept the risk",
        "It is tolerated until a date, and opens again then.",
        "k",
        (
            ("change-pending", "A change is on its way"),
            ("low-impact", "Little is at stake"),
            ("compensated", "Other measures make up for it"),
        ),
    ),
)
OPTION_BY_OUTCOME: dict[str, DecisionOption] = {way.outcome.value: way for way in DECISION_OPTIONS}
REASON_LABELS: dict[str, str] = {code: words for way in DECISION_OPTIONS for code, words in way.reasons}
