"""Access rules of the disputes pages, and the facts that somebody decides on."""

from collections.abc import Iterator

from compliance.core.web.access import require_roles
from compliance.core.web.ui.cell_values import Amount, Phrase
from compliance.core.web.ui.components import SummaryList, SummaryRow
from compliance.disputes import entry_kinds
from compliance.disputes.entry_bodies import GROUNDS, OUTCOMES
from compliance.disputes.models import Dispute
from compliance.disputes.permissions import MAY_INSPECT, MAY_LOG, MAY_READ, MAY_SET_POLICIES, PROMOTERS
from compliance.disputes.subject.disputed_entry import subject_at

# Access to a single dispute is checked in the selectors: marketing only reaches those about promotions.
readers_only = require_roles(*MAY_READ, *PROMOTERS)
operators_only = require_roles(*MAY_LOG, *PROMOTERS)
# For pages of the floor only: tables, rounds and the casino's settings.
floor_readers_only = require_roles(*MAY_READ)
floor_operators_only = require_roles(*MAY_LOG)
inspectors_only = require_roles(*MAY_INSPECT)
policy_setters_only = require_roles(*MAY_SET_POLICIES)


def dispute_facts(dispute: Dispute) -> SummaryList:
    """What is decided: the round, each disputed wager with what it was paid and is owed, what the patron says, and the
    decisions so far."""
    return SummaryList(list(_fact_rows(dispute)))


def _fact_rows(dispute: Dispute) -> Iterator[SummaryRow]:
    yield SummaryRow("About", GROUNDS[dispute.grounds])
    for label, value in (("Table", dispute.table), ("Round", dispute.round), ("Patron says", dispute.statement.text)):
        if value:
            yield SummaryRow(label, value)
    subject, disputed = subject_at(dispute.casino, dispute.subject_index), {one.wager for one in dispute.wagers.all()}
    if subject is not None and subject.read is not None and subject.read.void_text:
        yield SummaryRow("Decided about the round", f"{subject.read.void_text} {subject.read.void_owed_text}".strip())
    for each in subject.assess_wagers() if subject else ():
        if each.wager_id in disputed:
            words = "{} for {}: returned {}, owed by the rules {}"
            figures = (each.found_cents, each.due_cents)
            shown = ("nothing yet" if cents is None else Amount(cents) for cents in figures)
            paid = Phrase(words, each.read.bet_label, Amount(each.read.stake_cents), *shown)
            yield SummaryRow(f"Wager {each.wager_id}", paid)
    for step in dispute.steps.all():
        if step.kind == entry_kinds.DECIDED and step.rung is not None:
            cents = step.said.get("amount_cents")
            words = "{}, to be paid {}" if cents else "{}"
            decided = Phrase(words, OUTCOMES[step.said["outcome"]], *([Amount(cents)] if cents else ()))
            yield SummaryRow(dispute.ladder.rungs[step.rung].title, decided)
