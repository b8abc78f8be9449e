"""Person × act × earlier acts: every act that needs a second person is tried by each person with an earlier part, who
holds the role that the act needs, and then by somebody uninvolved. A new such act needs a row."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from pytest_django import Settings

from compliance.config.environment import PROJECT
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.separation import TookPartBefore
from compliance.core.accounts.services import end_role, give_role
from compliance.disputes.entry_bodies import InspectorDeterminationBody
from compliance.disputes.services import determine_complaint, record_complaint
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.services import confirm_decision, set_review_policy
from compliance.inspection.reviews.services.expired_risks import reopen_expired_risks
from promotions.draws.services import schedule_draw, stop_draw, validate_draw
from promotions.draws.states import DrawAct
from promotions.terms.services import decide_amendment, postpone_promotion, request_amendment, validate_promotion
from rounds.floor.services import approve_key, propose_key
from rounds.intake.protocol.examples import BODIES
from rounds.intake.protocol.round import Round
from rounds.intake.services.paper_rounds import confirm_paper_round, enter_paper_round, refuse_paper_round
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.audit.house import House
from tests.compliance.core.accounts.people import government_administrator, hire
from tests.compliance.disputes.disputed_round import NOW as DISPUTED
from tests.compliance.disputes.disputed_round import gather_people
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.promotions import crew as promotions
from tests.rounds.floor.crew import OPENING, PUBLIC_KEY, gather, new_controller, new_table
from tests.rounds.rulebook import rule_makers

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True)
class Attempt:
    """An act that waits for a second person: `earlier` had a part in it, `uninvolved` had none."""

    act: Callable[[User], object]
    earlier: dict[str, User]
    uninvolved: User


def approve_a_rule_version() -> Attempt:
    rulers = rule_makers.create_rule_makers()
    version = rule_makers.propose(rulers, actor=rulers.ines)
    return Attempt(
        lambda actor: rule_makers.approve(rulers, version, actor=actor), {"proposed": rulers.ines}, rulers.igor
    )


def approve_a_key() -> Attempt:
    crew = gather()
    key = propose_key(controller=new_controller(crew), public_key=PUBLIC_KEY, actor=crew.cora, now=OPENING)
    return Attempt(lambda actor: approve_key(key=key, actor=actor, now=OPENING), {"proposed": crew.cora}, crew.cast.ada)


def confirm_a_round_from_paper() -> Attempt:
    return paper_round(lambda paper, actor: confirm_paper_round(paper=paper, actor=actor, now=OPENING))


def refuse_a_round_from_paper() -> Attempt:
    return paper_round(lambda paper, actor: refuse_paper_round(paper=paper, reason="No.", actor=actor, now=OPENING))


def paper_round(act: Callable[..., object]) -> Attempt:
    crew = gather()
    paper = enter_paper_round(
        table=new_table(crew),
        played=msgspec.convert(BODIES["round"], Round),
        played_at=OPENING,
        why="x",
        actor=crew.sid,
        now=OPENING,
    )
    return Attempt(lambda actor: act(paper, actor), {"entered": crew.sid}, crew.gina)


def confirm_a_decision() -> Attempt:
    """Ines decided first, Olga after Iris had disagreed."""
    office = ReviewScenario(House(gather()))
    hours = {"serious": 12, "breach": 72, "note": 336}
    set_review_policy(
        casino=office.casino, service_hours=hours, seconded=["serious"], reason="x", actor=office.olga, now=office.now
    )
    [review] = office.overpay()
    first = office.decide(review)
    confirm_decision(decision=first, agrees=False, note="Look again.", actor=office.iris, now=office.now)
    second = office.decide(review, by=office.olga)
    return Attempt(
        lambda actor: confirm_decision(decision=second, agrees=True, note="", actor=actor, now=office.now),
        {"decided first": office.ines, "decided last": office.olga},
        office.iris,
    )


def decide_an_expired_risk() -> Attempt:
    office = ReviewScenario(House(gather()))
    [review] = office.overpay()
    office.decide(review, Outcome.RISK_ACCEPTED)
    later = office.now + 31 * DAY
    assert len(reopen_expired_risks(casino=office.casino, now=later)) == 1
    return Attempt(
        lambda actor: office.decide(review, Outcome.RISK_ACCEPTED, by=actor, at=later),
        {"accepted": office.ines},
        office.iris,
    )


def review_a_dispute() -> Attempt:
    floor = gather_people()
    floor.open_table()
    dispute = floor.log()
    floor.decide(dispute, floor.sid, in_absence=True)
    floor.tell(dispute, "review")
    return Attempt(lambda actor: floor.decide(dispute, actor, rung=1), {"decided": floor.sid}, floor.sue)


def determine_a_complaint() -> Attempt:
    """Gina decided at the table and is an inspector now."""
    floor = gather_people()
    floor.open_table()
    dispute = floor.log()
    floor.decide(dispute, floor.gina)
    floor.tell(dispute, "not-satisfied")
    record_complaint(dispute=dispute, received="writing", actor=floor.ines, now=DISPUTED + HOUR)
    change_sides(floor.gina, floor.harbour, Role.INSPECTOR, floor.crew.cast.ada)
    outcome = InspectorDeterminationBody(outcome="not-substantiated", reasons="As decided.", amount_cents=0)
    return Attempt(
        lambda actor: determine_complaint(dispute=dispute, determination=outcome, actor=actor, now=DISPUTED + HOUR),
        {"decided": floor.gina},
        floor.ines,
    )


def decide_an_amendment() -> Attempt:
    crew = promotions.make_crew()
    first, later = promotions.file_example_terms(crew), promotions.START + DAY
    changed = promotions.answers(eligibility={"text": "Gold members only."})
    draft = promotions.make_draft(crew, changed, promotion=first.promotion, now=later)
    version = request_amendment(draft=draft, reason="x", actor=crew.mara, now=later)
    change_sides(crew.mara, crew.harbour, Role.AUTHORITY_OFFICER, crew.cast.ada)
    return Attempt(
        lambda actor: decide_amendment(
            version=version, is_approved=True, reasons="Yes.", actor=actor, now=later + HOUR
        ),
        {"filed": crew.mara},
        crew.aron,
    )


def validate_a_promotion() -> Attempt:
    crew = promotions.make_crew()
    promotion, doubt = promotions.file_example_terms(crew).promotion, promotions.START + DAY
    postpone_promotion(promotion=promotion, determined_at=doubt, reason="x", actor=crew.cleo, now=doubt)
    return Attempt(
        lambda actor: validate_promotion(promotion=promotion, how="Counted.", actor=actor, now=doubt + HOUR),
        {"filed": crew.mara, "postponed": crew.cleo},
        hire("max", crew.harbour, Role.MARKETING, by=crew.cast.ada),
    )


def validate_a_draw() -> Attempt:
    crew = promotions.make_crew()
    promotion, doubt = promotions.file_example_terms(crew).promotion, promotions.START + DAY
    draw = schedule_draw(
        promotion=promotion, scheduled_at=doubt + DAY, place="Bar", method="Barrel", actor=crew.mara, now=doubt
    )
    stop_draw(draw=draw, act=DrawAct.POSTPONED, determined_at=doubt, reason="x", actor=crew.cleo, now=doubt)
    return Attempt(
        lambda actor: validate_draw(
            draw=draw, how="Counted.", scheduled_at=doubt + 2 * DAY, actor=actor, now=doubt + HOUR
        ),
        {"scheduled": crew.mara, "postponed": crew.cleo},
        hire("max", crew.harbour, Role.MARKETING, by=crew.cast.ada),
    )


def change_sides(person: User, casino: Casino, role: Role, administrator: User) -> None:
    """The person leaves the casino and takes a role of the government."""
    now = promotions.START + DAY
    end_role(held=person.roles.current().get(), actor=administrator, now=now)
    give_role(subject=person, casino=casino, role=role, actor=government_administrator(), now=now)


# The service module of each act, with the builders of the acts that it has.
ACTS: dict[str, tuple[Callable[[], Attempt], ...]] = {
    "rounds/rulebook/versions/approve.py": (approve_a_rule_version,),
    "rounds/floor/services/controllers.py": (approve_a_key,),
    "rounds/intake/services/paper_rounds.py": (confirm_a_round_from_paper, refuse_a_round_from_paper),
    "compliance/inspection/reviews/services/second_review.py": (confirm_a_decision,),
    "compliance/inspection/reviews/services/decisions.py": (decide_an_expired_risk,),
    "compliance/disputes/services/decisions.py": (review_a_dispute,),
    "compliance/disputes/services/inspector_complaints.py": (determine_a_complaint,),
    "promotions/terms/services/amendments.py": (decide_an_amendment,),
    "promotions/terms/services/postponements.py": (validate_a_promotion,),
    "promotions/draws/services/draws.py": (validate_a_draw,),
}
# Pages that ask before they show a form; the service asks again.
PAGES = {"rounds/rulebook/pages/approve.py"}


@pytest.mark.parametrize("build", [build for builders in ACTS.values() for build in builders])
def test_only_somebody_uninvolved_can_do_it(
    build: Callable[[], Attempt], settings: Settings, tmp_path: Path, db: None
) -> None:
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    attempt = build()
    for part, person in attempt.earlier.items():
        with pytest.raises(TookPartBefore):
            attempt.act(User.objects.get(pk=person.pk))
            pytest.fail(f"who {part} it did it")
    attempt.act(attempt.uninvolved)


def callers(source: Path) -> set[str]:
    files = (path for root in ("compliance", "rounds", "promotions") for path in (source / root).rglob("*.py"))
    calls = re.compile(r"^ +require_other_person\(", re.MULTILINE)
    return {str(path.relative_to(source)) for path in files if calls.search(path.read_text())}


def test_every_act_that_needs_a_second_person_has_a_row() -> None:
    assert callers(PROJECT) == ACTS.keys() | PAGES
