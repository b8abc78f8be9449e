"""Entry kinds of disputes. STEPS are those that follow on a logged dispute."""

from functools import partial

from rounds.intake.entry_kinds import DISPUTE_PAID
from rounds.ledger import EntryKind

# Entries of the promotions apps are recognised by kind only.
PROMOTION_PREFIX = "promotion-"
_Step = partial(EntryKind, model="disputes.Step")

LOGGED = EntryKind(
    "dispute",
    "Dispute logged",
    "{dispute}: {grounds:words}",
    "disputes.Dispute",
    meaning="A patron's dispute was logged.",
)
MATTER = EntryKind(
    "dispute-matter",
    "Matter complained about",
    "{description}",
    occurred_at="happened_at",
    meaning="What a patron complained about that is neither a recorded round nor a promotion.",
)
DECIDED = _Step(
    "dispute-decided",
    "Dispute decided",
    "{dispute}: {outcome:words}",
    meaning="A step of a dispute's ladder was decided.",
)
TOLD = _Step(
    "dispute-told", "Patron told", "{dispute}: {told}", meaning="The patron was told of a decision, and answered."
)
REVIEW = _Step("dispute-review-requested", "Review requested", "{dispute}", meaning="The patron asked for a review.")
ADVISED = _Step(
    "dispute-advised",
    "Patron advised of their right",
    "{dispute}: {told_of}",
    meaning="The patron was advised of a right to go further.",
)
ATTACHED = _Step(
    "dispute-attached", "File attached", "{dispute}: {media_type}", meaning="A file was attached to a dispute."
)
WITHDRAWN = _Step(
    "dispute-withdrawn", "Withdrawn by the patron", "{dispute}: {reason}", meaning="The patron withdrew a dispute."
)
CLOSED = _Step("dispute-closed", "Dispute closed", "{dispute}: {reason}", meaning="A dispute was closed.")
COMPLAINED = _Step(
    "dispute-complaint",
    "Complaint to the inspector",
    "{dispute}: received {received:words}",
    meaning="A complaint about a dispute reached an inspector.",
)
NOTED = _Step(
    "dispute-note",
    "Inspector's note",
    "{dispute}",
    meaning="An inspector made a note; its words are kept beside the ledger.",
)
ASKED = _Step(
    "dispute-asked",
    "Inspector asked the operator",
    "{dispute}: {question}",
    meaning="An inspector asked the operator for information or for footage.",
)
ANSWERED = _Step(
    "dispute-answered",
    "Answer to the inspector",
    "{dispute}: {text}",
    meaning="The operator answered an inspector's request.",
)
DETERMINED = _Step(
    "dispute-outcome",
    "Inspector's outcome",
    "{dispute}: {outcome:words}",
    meaning="An inspector determined a complaint.",
)
LETTER = _Step(
    "dispute-letter",
    "Letter to the patron",
    "{dispute}: {how}",
    meaning="The outcome's letter to the patron was issued.",
)
SERVICE_LEVEL = EntryKind(
    "dispute-service-level",
    "Service level of disputes set",
    "{wait:Words}: {hours:number hour hours}",
    "disputes.ServiceLevel",
    meaning="How long a step of a dispute may take was set.",
)
OWN_PROCEDURE = EntryKind(
    "dispute-own-procedure",
    "Operator's own procedure stated",
    "{text}",
    "disputes.OwnProcedure",
    meaning="The operator's own procedure for disputes was stated.",
)

STEPS = (
    DECIDED, TOLD, REVIEW, ADVISED, DISPUTE_PAID, ATTACHED, WITHDRAWN, CLOSED,
    COMPLAINED, NOTED, ASKED, ANSWERED, DETERMINED, LETTER,
)  # fmt: skip
