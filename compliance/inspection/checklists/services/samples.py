"""Samples. The seed is committed to the log before the drawn rounds are known to anybody, including the service."""

import secrets
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F

from compliance.audit.selectors import audited_up_to
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.separation import people_of_entry, require_other_person
from compliance.core.web.errors import NotFound
from compliance.inspection.checklists.answer_choices import RoundVerdict
from compliance.inspection.checklists.entry_kinds import CHECKED, SEEDED
from compliance.inspection.checklists.errors import BadWeights, CheckedMeanwhile, NothingToDraw, PeriodNotOver
from compliance.inspection.checklists.models import RoundCheck, Sample, SampledRound
from compliance.inspection.checklists.recheck import recheck_rounds
from compliance.inspection.checklists.sampling.draw import population_of
from compliance.inspection.checklists.sampling_factors import MAX_ADDED_WEIGHT, ChosenFactor, encode_weights
from compliance.inspection.checklists.selectors import require_inspector
from compliance.inspection.checklists.services.draws import create_draw_job
from rounds.ledger import read_entries_at, size_of, write_row
from rounds.transparency_log import formats

SEED_BYTES = 16
MAX_SAMPLE_SIZE = 1_000


@transaction.atomic
def seed_sample(
    *,
    casino: Casino,
    purpose: str,
    since: datetime,
    until: datetime,
    tables: Sequence[str],
    size: int,
    actor: User,
    now: datetime,
    factors: Sequence[ChosenFactor] = (),
) -> Sample:
    """Records the seed and the population. Refuses an empty sample, looking only at counts, and one whose time is not
    over: it would promise rounds that are not played yet.

    Factors raise the weight of the rounds they apply to; they are recorded with the seed.
    """
    require_inspector(actor, casino)
    if until > now:
        raise PeriodNotOver
    if any(not 1 <= one.adds <= MAX_ADDED_WEIGHT for one in factors):
        raise BadWeights
    sample = Sample(
        log=casino.slug,
        casino=casino,
        purpose=purpose,
        since=since,
        until=until,
        tables=sorted(tables),
        size=size,
        up_to=audited_up_to(casino.slug) or 0,
        seed=secrets.token_hex(SEED_BYTES),
        weights=encode_weights(factors, size_of(casino.slug)) if factors else None,
        seeded_by=actor,
        seeded_by_name=actor.name,
        seeded_at=now,
    )
    population = population_of(sample)
    if population.rounds == 0:
        raise NothingToDraw
    write_row(sample, kind=SEEDED, log=casino.slug, now=now)
    create_draw_job(sample, population)
    return sample


@transaction.atomic
def record_round_check(
    *, sampled: SampledRound, verdict: RoundVerdict, note: str, expected_checks: int, actor: User, now: datetime
) -> RoundCheck:
    """Records the verdict on a round, with the result of a recheck at that time.

    `expected_checks` is an optimistic lock: the number of checks when the form was opened.
    """
    sample = sampled.sample
    require_inspector(actor, sample.casino)
    locked = SampledRound.objects.select_for_update(no_key=True).get(pk=sampled.pk)
    if locked.checked_times != expected_checks:
        raise CheckedMeanwhile
    [played] = read_entries_at(sample.log, [locked.round_index])
    require_other_person(actor, recorded=list(people_of_entry(played.content())))
    again = recheck_rounds(sample.casino, [locked.round_index]).get(locked.round_index)
    if again is None:
        raise NotFound
    check = RoundCheck(
        sampled=sampled,
        number=locked.checked_times + 1,
        verdict=verdict,
        was_same=again.is_same,
        codes=again.codes,
        note=note,
        note_salt=secrets.token_bytes(formats.SALT_BYTES),
        checked_by=actor,
        checked_by_name=actor.name,
        checked_at=now,
    )
    SampledRound.objects.filter(pk=locked.pk).update(verdict=verdict, checked_times=F("checked_times") + 1)
    return write_row(check, kind=CHECKED, log=sample.log, table=locked.table or None, now=now)
