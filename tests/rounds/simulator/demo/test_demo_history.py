"""The demo's past is sent through the real API, and its loaded dice are signalled by the real examination."""

import pytest
from django.utils import timezone

from compliance.analysis.fairness.examination.daily_examination import days_to_examine, examine_day
from compliance.analysis.fairness.models import LastTest, Signal, SubjectKind
from compliance.audit.models import Finding
from compliance.audit.run.worker import audit_log
from compliance.core.accounts.models import Casino
from compliance.tables.equipment.consumer import consume_equipment
from rounds.intake.models import Quarantined
from rounds.simulator.demo.demo_history import PAST_DAYS, play_demo_history
from tests.rounds.simulator.test_honest_play_has_no_findings import floors

__all__ = ["floors"]


@pytest.mark.usefixtures("floors")
def test_the_loaded_dice_are_signalled_and_the_fair_ones_are_looked_at() -> None:
    now, casino = timezone.now(), Casino.objects.get(slug="harbour")
    assert play_demo_history(address=None, keys=None, now=now) >= sum(day.rounds for day in PAST_DAYS)
    assert play_demo_history(address=None, keys=None, now=now) == 0, "it is past"
    assert not Quarantined.objects.exists()
    list(audit_log(casino))
    consume_equipment(timezone.now, ["harbour"])
    [day] = days_to_examine(casino, now)
    examine_day(casino=casino, day=day, now=now)
    dice = LastTest.objects.filter(casino=casino, subject_kind=SubjectKind.DICE)
    assert sorted(look.subject.rpartition("-20")[0] for look in dice) == ["dice-sb-1", "dice-sb-2"]
    signals = {(one.subject_kind, one.subject.partition("-20")[0]) for one in Signal.objects.filter(casino=casino)}
    assert (SubjectKind.DICE, "dice-sb-2") in signals
    assert not any("sb-1" in subject for _, subject in signals)
    serious = Finding.objects.current().filter(casino=casino, severity="serious")
    assert not serious.exists(), "dice that fall oddly are a signal, never a finding"
