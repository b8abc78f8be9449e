"""Ledger entry kinds of disputes. All but the first are steps of a logged dispute."""

from rounds.ledger import register_kind

LOGGED = register_kind("dispute", "A patron's dispute was logged.").name
DECIDED = register_kind("dispute-decided", "A step of a dispute's ladder was decided.").name
TOLD = register_kind("dispute-told", "The patron was told of a decision, and answered.").name
REVIEW = register_kind("dispute-review-requested", "The patron asked for a review.").name
ADVISED = register_kind("dispute-advised", "The patron was advised of a right to go further.").name
PAID = register_kind("dispute-paid", "Money was paid or adjusted because of a dispute: corrects its round.").name
ATTACHED = register_kind("dispute-attached", "A file was attached to a dispute.").name
WITHDRAWN = register_kind("dispute-withdrawn", "The patron withdrew a dispute.").name
CLOSED = register_kind("dispute-closed", "A dispute was closed.").name
COMPLAINED = register_kind("dispute-complaint", "A complaint about a dispute reached an inspector.").name
NOTED = register_kind("dispute-note", "An inspector made a note; its words are kept beside the ledger.").name
ASKED = register_kind("dispute-asked", "An inspector asked the operator for information or for footage.").name
ANSWERED = register_kind("dispute-answered", "The operator answered an inspector's request.").name
DETERMINED = register_kind("dispute-outcome", "An inspector determined a complaint.").name
LETTER = register_kind("dispute-letter", "The outcome's letter to the patron was issued.").name
SERVICE_LEVEL = register_kind("dispute-service-level", "How long a step of a dispute may take was set.").name
OWN_PROCEDURE = register_kind("dispute-own-procedure", "The operator's own procedure for disputes was stated.").name

STEPS = (
    DECIDED, TOLD, REVIEW, ADVISED, PAID, ATTACHED, WITHDRAWN, CLOSED,
    COMPLAINED, NOTED, ASKED, ANSWERED, DETERMINED, LETTER,
)  # fmt: skip
