"""Samples: the seed is in the log before anybody, the service included, knows which rounds it draws."""

import secrets
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F

from compliance.accounts.models import Casino, User
from compliance.audit.selectors import audited_up_to
from compliance.checklists.answers import RoundVerdict
from compliance.checklists.drawing import population_of
from compliance.checklists.errors import BadWeights, CheckedMeanwhile, NothingToDraw
from compliance.checklists.factors import MOST_ADDED, Chosen, write_weights
from compliance.checklists.kinds import CHECKED, SEEDED
from compliance.checklists.models import RoundCheck, Sample, SampledRound
from compliance.checklists.reperforming import judge_again
from compliance.checklists.selectors import require_inspector
from compliance.checklists.services.drawing import begin_drawing
from compliance.web.errors import NotFound
from rounds.ledger.personal import SALT_BYTES
from rounds.ledger.rows import write_row
from rounds.ledger.searching import size_of

SEED_BYTES = 16
LARGEST = 1_000


@transaction.atomic
def seed_sample(
    *, casino: Casino, purpose: str, since: datetime, until: datetime, tables: Sequence[str], size: int, actor: User,
    now: datetime, factors: Sequence[Chosen] = (),
) -> Sample:  # fmt: skip
    """Commits the seed, and what it will draw from. Refuses what would draw nothing, looking at numbers alone.

    With factors, rounds for which they hold weigh more: the factors are committed with the seed."""
    require_inspector(actor, casino)
    if any(not 1 <= one.adds <= MOST_ADDED for one in factors):
        raise BadWeights
    sample = Sample(
        log=casino.slug, casino=casino, purpose=purpose, since=since, until=until, tables=sorted(tables), size=size,
        up_to=audited_up_to(casino.slug) or 0, seed=secrets.token_hex(SEED_BYTES),
        weights=write_weights(factors, size_of(casino.slug)) if factors else None, seeded_by=actor,
        seeded_by_name=actor.name, seeded_at=now,
    )  # fmt: skip
    population = population_of(sample)
    if population.rounds == 0:
        raise NothingToDraw
    write_row(sample, kind=SEEDED, log=casino.slug, now=now)
    begin_drawing(sample, population)
    return sample


@transaction.atomic
def check_round(
    *, sampled: SampledRound, verdict: RoundVerdict, note: str, seen: int, actor: User, now: datetime
) -> RoundCheck:
    """What the person made of the round, with what a fresh judgement said at that moment.

    `seen` is how many looks the person knew of: one that came meanwhile must be read first."""
    sample = sampled.sample
    require_inspector(actor, sample.casino)
    locked = SampledRound.objects.select_for_update(no_key=True).get(pk=sampled.pk)
    if locked.checked_times != seen:
        raise CheckedMeanwhile
    again = judge_again(sample.casino, [locked.round_index]).get(locked.round_index)
    if again is None:
        raise NotFound
    check = RoundCheck(
        sampled=sampled, number=locked.checked_times + 1, verdict=verdict, was_same=again.is_same,
        codes=again.codes, note=note, note_salt=secrets.token_bytes(SALT_BYTES), checked_by=actor,
        checked_by_name=actor.name, checked_at=now,
    )  # fmt: skip
    SampledRound.objects.filter(pk=locked.pk).update(verdict=verdict, checked_times=F("checked_times") + 1)
    return write_row(check, kind=CHECKED, log=sample.log, table=locked.table or None, now=now)
