"""The demo has a dispute in each state, and working papers, all through the services.
Loading it again changes nothing."""

from datetime import timedelta
from pathlib import Path

from django.utils import timezone
from pytest_django import Settings

from compliance.api.demo import make_demo_token
from compliance.api.models import ApiToken, TokenGrant
from compliance.core.accounts.demo import demo_email, make_demo_people
from compliance.core.accounts.roles import Role
from compliance.disputes.demo import make_demo_disputes
from compliance.disputes.models import Dispute
from compliance.inspection.checklists.demo import make_demo_checklists
from compliance.inspection.checklists.models import Checklist, Sample
from promotions.demo import make_demo_promotions
from rounds.floor.demo import make_demo_floors
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.rulebook.versions.demo import make_demo_rules


def test_a_dispute_in_each_state_and_working_papers(db: None, settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEY_FILE, settings.DATA_DIR = tmp_path / "ledger.key", tmp_path
    create_key_file(settings.LEDGER_KEY_FILE)
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
    make_demo_promotions(now=now)
    for _ in range(2):
        make_demo_disputes(now)
        make_demo_checklists(now)
        make_demo_token(now)
    disputed = Dispute.objects.get(number=6)
    assert (disputed.subject_kind, disputed.logged_by_name) == ("promotion-claim", "Marketing")
    sample = Sample.objects.get()
    assert [one.verdict for one in sample.sampled_rounds.order_by("place")] == ["not-in-order", "", ""]
    assert sorted(Checklist.objects.get().drafts.values_list("clause", flat=True)) == ["2.4", "2.5", "4.1"]
    assert (ApiToken.objects.get().made_by.email, TokenGrant.objects.count()) == (demo_email(Role.AUTHORITY_OFFICER), 1)
