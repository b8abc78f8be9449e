"""Records winners, attempts to notify them, and publications of the results."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from compliance.core.accounts.models import User
from compliance.core.accounts.services.roles import lock_casinos
from compliance.privacy.personal_data.services import store_personal_details
from compliance.privacy.personal_data.subjects import WINNER as WINNER_SUBJECT
from promotions.draws.entry_kinds import ATTEMPT, PUBLISHED, WINNER
from promotions.draws.models import Attempt, Draw, DrawStep, Publication, Winner
from promotions.draws.states import DrawAct
from promotions.shared.errors import DrawStateChanged
from promotions.shared.permissions import MAY_WRITE, check_roles
from promotions.terms.selectors import version_in_force
from rounds.ledger import write_row


@transaction.atomic
def record_winner(
    *, draw: Draw, prize: str, value_cents: int, entry_drawn: str, person: dict[str, str], actor: User, now: datetime
) -> Winner:
    """`person` holds the known personal details. They are stored separately, with a digest in the entry."""
    casino = draw.promotion.casino
    check_roles(actor, casino, MAY_WRITE)
    lock_casinos({casino.pk})
    held_step = DrawStep.objects.filter(draw=draw, act=DrawAct.HELD).first()
    if held_step is None:
        raise DrawStateChanged("A winner is recorded when the draw was held.", remedy="Record the draw first.")
    last = Winner.recorded.filter(draw=draw).aggregate(last=Max("number"))["last"]
    in_force = version_in_force(draw.promotion, held_step.happened_at) or version_in_force(draw.promotion, now)
    winner = Winner(
        draw=draw,
        number=(last or 0) + 1,
        prize=prize,
        value_cents=value_cents,
        entry_drawn=entry_drawn,
        is_presence_required=bool(in_force and in_force.terms.is_presence_required),
        by=actor,
        at=now,
    )
    if any(person.values()):
        winner.personal = store_personal_details(
            casino=casino,
            subject=WINNER_SUBJECT,
            reference=winner.reference,
            fields={name: value for name, value in person.items() if value},
            carried_by=WINNER,
            actor=actor,
            now=now,
        )
    return write_row(winner, kind=WINNER, log=casino.slug, now=now)


@transaction.atomic
def record_attempt(
    *, winner: Winner, method: str, attempted_at: datetime, is_reached: bool, actor: User, now: datetime
) -> Attempt:
    casino = winner.draw.promotion.casino
    check_roles(actor, casino, MAY_WRITE)
    attempt = Attempt(winner=winner, method=method, at=attempted_at, is_reached=is_reached, by=actor, recorded_at=now)
    return write_row(attempt, kind=ATTEMPT, log=casino.slug, now=now)


@transaction.atomic
def publish_results(*, draw: Draw, where: str, published_at: datetime, actor: User, now: datetime) -> Publication:
    casino = draw.promotion.casino
    check_roles(actor, casino, MAY_WRITE)
    published = Publication(draw=draw, where=where, at=published_at, by=actor, recorded_at=now)
    return write_row(published, kind=PUBLISHED, log=casino.slug, now=now)
