"""Person × act × earlier acts: every act that needs a second person is tried by each person with an earlier part, who
holds the role that the act needs, and then by somebody uninvolved. A new such act needs a row."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from pathlib import Path

import msgspec
import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import Settings

from compliance.audit.models import PackedRound
from compliance.audit.run.worker import audit_log
from compliance.config.environment import PROJECT
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.separation import TookPartBefore
from compliance.core.accounts.services import end_role, give_role
from compliance.core.corrections.services import withdraw_record
from compliance.disputes.entry_bodies import InspectorDeterminationBody
from compliance.disputes.services import determine_complaint, record_complaint
from compliance.inspection.checklists.answer_choices import RoundVerdict
from compliance.inspection.checklists.services import record_round_check
from compliance.inspection.reviews.consumer import consume_findings
from compliance.inspection.reviews.models import Review
from compliance.inspection.reviews.outcomes import OPTION_BY_OUTCOME, Outcome
from compliance.inspection.reviews.services import DecisionInput, confirm_decision, decide_finding, set_review_policy
from compliance.inspection.reviews.services.expired_risks import reopen_expired_risks
from compliance.tables.equipment.services.floor_records import record_manual_line, return_to_play
from promotions.draws.services import schedule_draw, stop_draw, validate_draw
from promotions.draws.states import DrawAct
from promotions.terms.services import decide_amendment, postpone_promotion, request_amendment, validate_promotion
from rounds.floor.models import Table
from rounds.floor.services import approve_key, propose_key
from rounds.intake.protocol.equipment import Fault, FaultCleared
from rounds.intake.protocol.examples import BODIES
from rounds.intake.protocol.fields import Body
from rounds.intake.protocol.round import Round
from rounds.intake.services.paper_rounds import confirm_paper_round, enter_paper_round, refuse_paper_round
from rounds.ledger import entry_at
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.audit.checks.timeline.test_disputes import made
from tests.compliance.audit.house import House
from tests.compliance.core.accounts.people import government_administrator, hire
from tests.compliance.disputes.disputed_round import NOW as DISPUTED
from tests.compliance.disputes.disputed_round import SKYCITY, gather_people
from tests.compliance.inspection.checklists.scenario import ChecklistScenario
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.tables.equipment.builders import EVENING, open_floor
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


def withdraw_a_second_review() -> Attempt:
    """Olga decided last and is the superior of Iris, who disagreed: Alf, another authority officer, withdraws it."""
    office = ReviewScenario(House(gather()))
    hours = {"serious": 12, "breach": 72, "note": 336}
    set_review_policy(
        casino=office.casino, service_hours=hours, seconded=["serious"], reason="x", actor=office.olga, now=office.now
    )
    [review] = office.overpay()
    decision = office.decide(review, by=office.olga)
    second = confirm_decision(decision=decision, agrees=False, note="No.", actor=office.iris, now=office.now)
    alf = hire("alf", office.casino, Role.AUTHORITY_OFFICER, by=office.house.crew.cast.ada)
    return withdrawal(office.casino, second.entry_index, {"decided": office.olga}, alf)


def withdraw_a_validation() -> Attempt:
    """Cleo, compliance officer and superior of marketing, postponed the promotion."""
    crew = promotions.make_crew()
    promotion, doubt = promotions.file_example_terms(crew).promotion, promotions.START + DAY
    postpone_promotion(promotion=promotion, determined_at=doubt, reason="x", actor=crew.cleo, now=doubt)
    max_ = hire("max", crew.harbour, Role.MARKETING, by=crew.cast.ada)
    step = validate_promotion(promotion=promotion, how="Counted.", actor=max_, now=doubt + HOUR)
    other = hire("corin", crew.harbour, Role.COMPLIANCE_OFFICER, by=crew.cast.ada)
    return withdrawal(crew.harbour, step.entry_index, {"postponed": crew.cleo}, other)


def withdrawal(casino: Casino, index: int, earlier: dict[str, User], uninvolved: User) -> Attempt:
    entry = entry_at(casino.slug, index)
    assert entry is not None
    return Attempt(
        lambda actor: withdraw_record(casino=casino, entry=entry, reason="x", actor=actor, now=timezone.now()),
        earlier,
        uninvolved,
    )


def check_a_sampled_round() -> Attempt:
    """Sid entered the round from paper, Gina confirmed it, and both are inspectors now."""
    office = ReviewScenario(House(gather()))
    desk, crew = ChecklistScenario(office), office.house.crew
    desk.play(honest=1)
    before = PackedRound.objects.get()
    paper = enter_paper_round(
        table=Table.objects.get(slug="sb-1"),
        played=msgspec.convert(BODIES["round"], Round),
        played_at=before.ended_at + HOUR,
        why="x",
        actor=crew.sid,
        now=office.now,
    )
    index = confirm_paper_round(paper=paper, actor=crew.gina, now=office.now).entry_index
    assert index is not None
    office.audit()
    sampled = desk.sample(size=2).sampled_rounds.get(round_index=index)
    for person in (crew.sid, crew.gina):
        change_sides(person, office.casino, Role.INSPECTOR, crew.cast.ada)
    return Attempt(
        lambda actor: record_round_check(
            sampled=sampled, verdict=RoundVerdict.IN_ORDER, note="Same.", expected_checks=0, actor=actor, now=office.now
        ),
        {"entered": crew.sid, "confirmed": crew.gina},
        office.ines,
    )


def decide_a_finding_about_an_own_record() -> Attempt:
    """Gina decided a dispute that was not hers to decide, and is an inspector now."""
    floor = gather_people()
    floor.open_table(SKYCITY)
    made(floor, floor.log(wagers=[]), floor.gina, Role.GAMES_SUPERVISOR)
    list(audit_log(floor.harbour))
    consume_findings(["harbour"])
    review = Review.objects.select_related("finding", "casino").get(code="DISPUTE-DECIDER")
    change_sides(floor.gina, floor.harbour, Role.INSPECTOR, floor.crew.cast.ada)
    upheld = DecisionInput(outcome=Outcome.UPHELD, reason=OPTION_BY_OUTCOME[Outcome.UPHELD].reasons[0][0], note="x")
    return Attempt(
        lambda actor: decide_finding(
            review=review, decided=upheld, expected_decisions=0, actor=actor, now=DISPUTED + HOUR
        ),
        {"recorded": floor.gina},
        floor.ines,
    )


def sign_a_return_to_play() -> Attempt:
    """Sid recorded the repair."""
    floor = open_floor(gather())
    table, sid = floor.table("nsw-sic-bo"), floor.crew.sid
    broken: dict[str, Body] = {
        "fault": Fault(fault="F-1", equipment="electrical-device", effect="failed"),
        "fault-cleared": FaultCleared(fault="F-1"),
    }
    for kind, body in broken.items():
        record_manual_line(table=table, kind=kind, body=body, at=EVENING, actor=sid, now=EVENING)
        floor.consume()
    return Attempt(
        lambda actor: return_to_play(table=table, note="Lit.", actor=actor, now=EVENING + HOUR),
        {"repaired": sid},
        floor.crew.gina,
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
    "compliance/core/corrections/services.py": (withdraw_a_second_review, withdraw_a_validation),
    "compliance/inspection/checklists/services/samples.py": (check_a_sampled_round,),
    "compliance/inspection/reviews/services/decisions.py": (
        decide_an_expired_risk,
        decide_a_finding_about_an_own_record,
    ),
    "compliance/tables/equipment/services/floor_records.py": (sign_a_return_to_play,),
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


# The pairs of people that the database compares by itself.
IN_THE_DATABASE = (
    approve_a_rule_version, approve_a_key, confirm_a_round_from_paper, refuse_a_round_from_paper, confirm_a_decision,
    decide_an_expired_risk, determine_a_complaint, decide_an_amendment, validate_a_promotion, validate_a_draw,
)  # fmt: skip
REFUSED_BY = {build: path for path, builders in ACTS.items() for build in builders}


@pytest.mark.parametrize("build", IN_THE_DATABASE)
def test_the_database_refuses_it_too(
    build: Callable[[], Attempt], settings: Settings, tmp_path: Path, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service without its own question: its INSERT or UPDATE fails."""
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    attempt = build()
    module = import_module(REFUSED_BY[build].removesuffix(".py").replace("/", "."))
    monkeypatch.setattr(module, "require_other_person", lambda actor, **parts: None)
    # Of amendments the service asks for more.
    monkeypatch.setattr(module, "is_independent", lambda actor, version: True, raising=False)
    for part, person in attempt.earlier.items():
        with pytest.raises(IntegrityError), transaction.atomic():
            attempt.act(User.objects.get(pk=person.pk))
            pytest.fail(f"the database let who {part} it do it")
    attempt.act(attempt.uninvolved)


def callers(source: Path) -> set[str]:
    files = (path for root in ("compliance", "rounds", "promotions") for path in (source / root).rglob("*.py"))
    calls = re.compile(r"^ +require_other_person\(", re.MULTILINE)
    return {str(path.relative_to(source)) for path in files if calls.search(path.read_text())}


def test_every_act_that_needs_a_second_person_has_a_row() -> None:
    assert callers(PROJECT) == ACTS.keys() | PAGES
