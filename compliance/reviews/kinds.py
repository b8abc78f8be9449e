"""The entries that reviews write. The audit never judges them."""

from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_projection, register_record

DECIDED = register_kind("finding-decision", "A person decided about a finding. A changed mind is another entry.").name
CONFIRMED = register_kind("finding-decision-seconded", "A second reviewer agreed with a decision, or did not.").name
ANSWERED = register_kind("finding-answer", "The operator answered a question about a finding.").name
REOPENED = register_kind(
    "finding-reopened", "The time of an accepted risk was over, and the finding opened again."
).name
ARRANGED = register_kind("review-arrangement", "How findings of this casino are to be reviewed from now on.").name


def register_records() -> None:
    from compliance.audit.kinds import FINDING
    from compliance.reviews.models import Answer, Arrangement, Confirmation, Decision, Reopening
    from compliance.reviews.standing import standings_differ

    register_record(DECIDED, Decision.recorded_between)
    register_record(CONFIRMED, Confirmation.recorded_between)
    register_record(ANSWERED, Answer.recorded_between)
    register_record(REOPENED, Reopening.recorded_between)
    register_record(ARRANGED, Arrangement.recorded_between)
    register_projection("reviews of findings", [FINDING], standings_differ)
