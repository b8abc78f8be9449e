"""Entry kinds of reviews. The audit does not evaluate them."""

from rounds.ledger import register_kind, register_projection, register_rows

DECIDED = register_kind("finding-decision", "A person decided about a finding. A changed mind is another entry.").name
CONFIRMED = register_kind("finding-decision-seconded", "A second reviewer agreed with a decision, or did not.").name
ANSWERED = register_kind("finding-answer", "The operator answered a question about a finding.").name
REOPENED = register_kind(
    "finding-reopened", "The time of an accepted risk was over, and the finding opened again."
).name
POLICY_SET = register_kind("review-arrangement", "How findings of this casino are to be reviewed from now on.").name


def register_kinds() -> None:
    from compliance.audit.entry_kinds import FINDING
    from compliance.inspection.reviews.models import Answer, Confirmation, Decision, Reopening, ReviewPolicy
    from compliance.inspection.reviews.verify import verify_rows

    register_rows(DECIDED, Decision.rows_between)
    register_rows(CONFIRMED, Confirmation.rows_between)
    register_rows(ANSWERED, Answer.rows_between)
    register_rows(REOPENED, Reopening.rows_between)
    register_rows(POLICY_SET, ReviewPolicy.rows_between)
    register_projection("reviews of findings", [FINDING], verify_rows)
