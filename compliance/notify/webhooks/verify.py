"""Verifier for `verify_ledger`: each endpoint belongs to the casino of its entries and equals the newest of them."""

from collections.abc import Iterator, Sequence

from compliance.notify.webhooks.models import Endpoint, EndpointStep
from compliance.notify.webhooks.states import EndpointAct
from rounds.ledger import LogEntry


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int | None, str]]:
    begun = EndpointStep.objects.filter(
        log=log, act=EndpointAct.REGISTERED, entry_index__gte=first, entry_index__lt=last
    ).select_related("endpoint__casino")
    for step in begun.prefetch_related("endpoint__steps"):
        newest = max(step.endpoint.steps.all(), key=lambda each: each.entry_index)
        if step.endpoint.casino.slug != log or comparable_fields(step.endpoint) != comparable_fields(newest):
            yield step.entry_index, "the webhook is not what its newest entry says."
    if first == 0:
        for unknown in Endpoint.objects.filter(casino__slug=log, steps=None):
            yield None, f"webhook {unknown.pk} is there and no entry says so."


def comparable_fields(row: Endpoint | EndpointStep) -> tuple[object, ...]:
    return row.name, row.address, row.events, row.standing
