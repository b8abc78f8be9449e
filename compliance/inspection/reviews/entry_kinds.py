"""Entry kinds of reviews. The audit does not evaluate them."""

from rounds.ledger import EntryKind

DECIDED = EntryKind(
    "finding-decision",
    "Finding decided",
    "{code}: {outcome:words}",
    "reviews.Decision",
    meaning="A person decided about a finding. A changed mind is another entry.",
)
CONFIRMED = EntryKind(
    "finding-decision-seconded",
    "Second review of a decision",
    lambda body: f"Decision of entry {body['decision']}: {'agreed' if body['agrees'] else 'not agreed'}",
    "reviews.Confirmation",
    meaning="A second reviewer agreed with a decision, or did not.",
)
ANSWERED = EntryKind(
    "finding-answer",
    "Question about a finding answered",
    "{answer}",
    "reviews.Answer",
    meaning="The operator answered a question about a finding.",
)
COMMENTED = EntryKind(
    "finding-comment",
    "Comment on a finding",
    "{code}: {comment}",
    "reviews.Comment",
    meaning="Somebody of the operator commented on a finding without being asked.",
)
REOPENED = EntryKind(
    "finding-reopened",
    "Finding reopened after an accepted risk",
    "Decision of entry {decision}",
    "reviews.Reopening",
    meaning="The time of an accepted risk was over, and the finding opened again.",
)
POLICY_SET = EntryKind(
    "review-arrangement",
    "Review policy set",
    "{reason}",
    "reviews.ReviewPolicy",
    meaning="How findings of this casino are to be reviewed from now on.",
)
