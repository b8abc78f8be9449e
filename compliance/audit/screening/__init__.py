"""The columnar fast path: selects, over numpy columns, the rounds that the exact checks must evaluate.

A first-time reader can skip this package. Without it the audit has the same result, only slower: run/evaluate.py has
`evaluate_every_round`, which checks every round exactly.

screen.py           `rounds_to_check`: by the round's own columns, for ROUND_CHECKS and streaks
affected_rounds.py  `affected_rounds`: by what happened around the round, for ROUND_HISTORY_CHECKS and dispute payments
coverage.py         the finding codes that each selection covers, and those that need none

Guarantee: no false negatives compared with the exact path. Every round for which the exact checks would draft a finding
is selected. False positives are allowed; they only cost time.

Proof for screen.py: `test_screening_has_no_false_negatives` in tests/compliance/audit/screening/test_screen.py.
It plays random honest and dishonest rounds under each of the five rule packs, runs `evaluate_round` on all of them, and
fails if a round with a finding is not among `rounds_to_check`. It is a sample of 3,000 rounds per pack, large enough to
notice the loss of `is_display_wrong`, `_accepted_tenders` or `_is_unpayable`.

Proof for affected_rounds.py: the tests of faults, chips, cards and shifts in tests/compliance/audit/checks/timeline.
They audit through the screening, and fail if its selection for any of these is left out. The selection for dispute
payments is not proved there: test_disputes.py passes without it.
"""
