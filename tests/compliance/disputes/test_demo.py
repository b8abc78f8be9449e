"""The demo has a dispute in each state, made through the services; loading it again changes nothing."""

from datetime import timedelta
from pathlib import Path

from django.utils import timezone
from pytest_django import Settings

from compliance.accounts.demo import make_demo_people
from compliance.disputes.demo import make_demo_disputes
from compliance.disputes.models import Dispute
from rounds.floor.demo import make_demo_floors
from rounds.ledger.checkpoints import make_key
from rounds.rulebook.demo import make_demo_rules


def test_a_dispute_in_each_state(db: None, settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEY_FILE, settings.DATA_DIR = tmp_path / "ledger.key", tmp_path
    make_key(settings.LEDGER_KEY_FILE)
    now = timezone.now()
    make_demo_people(now=now - timedelta(days=60))
    make_demo_disputes(now)
    assert not Dispute.objects.exists()
    make_demo_rules(began_at=now - timedelta(days=60))
    make_demo_floors(now)
    make_demo_disputes(now)
    make_demo_disputes(now)
    states = list(Dispute.objects.order_by("number").values_list("state", flat=True))
    assert states == ["waiting", "waiting", "closed", "told", "with-inspector"]
    assert Dispute.objects.overdue(now).filter(number=2).exists()
    assert Dispute.objects.with_file().get(number=4).lacks_advice
