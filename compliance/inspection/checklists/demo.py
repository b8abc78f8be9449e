"""Demo records: a sample with one round checked, and a checklist half answered."""

from datetime import datetime, timedelta

from compliance.audit.run.worker import audit_log
from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.inspection.checklists.answer_choices import AnswerBasis, ClauseVerdict, RoundVerdict
from compliance.inspection.checklists.models import Checklist, Sample
from compliance.inspection.checklists.services.checklists import GivenAnswer, answer_clause, begin_checklist
from compliance.inspection.checklists.services.draws import draw_sample
from compliance.inspection.checklists.services.samples import record_round_check, seed_sample
from rounds.rulebook.selectors import version_in_force

CASINO, RULES = "harbour", "nsw-sic-bo"
PERIOD = timedelta(days=7)
ANSWERS = {
    "2.4": GivenAnswer(verdict=ClauseVerdict.YES, basis=AnswerBasis.OBSERVATION),
    "2.5": GivenAnswer(
        verdict=ClauseVerdict.YES, basis=AnswerBasis.EXAMINATION, comment="Looked at the dice of both tables, in use."
    ),
    "4.1": GivenAnswer(verdict=ClauseVerdict.YES, basis=AnswerBasis.OBSERVATION),
}


def make_demo_checklists(now: datetime) -> None:
    """Idempotent: skips casinos that have a sample or a checklist."""
    casino, inspector = Casino.objects.get(slug=CASINO), User.objects.get(email=demo_email(Role.INSPECTOR))
    if not Sample.objects.filter(casino=casino).exists():
        _make_sample(casino, inspector, now)
    if not Checklist.objects.filter(casino=casino).exists():
        _make_checklist(casino, inspector, now)


def _make_sample(casino: Casino, inspector: User, now: datetime) -> None:
    """Drawn from the audited rounds, which by now include those the demo's patrons dispute."""
    for _ in audit_log(casino):
        pass
    sample = seed_sample(
        casino=casino,
        purpose="Settlements of the last days",
        since=now - PERIOD,
        until=now,
        tables=(),
        size=3,
        actor=inspector,
        now=now,
    )
    draw_sample(sample=sample, now=now)
    record_round_check(
        sampled=sample.sampled_rounds.order_by("place")[0],
        verdict=RoundVerdict.NOT_IN_ORDER,
        expected_checks=0,
        actor=inspector,
        now=now,
        note="Total ten was taken although the dice show ten. See the dispute about it.",
    )


def _make_checklist(casino: Casino, inspector: User, now: datetime) -> None:
    version = version_in_force(casino, RULES, now)
    if version is None:
        return
    checklist = begin_checklist(casino=casino, version=version, since=now - PERIOD, until=now, actor=inspector, now=now)
    for clause, answer in ANSWERS.items():
        answer_clause(checklist=checklist, clause=clause, answer=answer, expected_changes=0, actor=inspector, now=now)
