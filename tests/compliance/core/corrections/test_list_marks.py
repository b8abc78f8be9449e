"""The column of lists that marks withdrawn and corrected records: on pages, in files, and for ten thousand rows."""

import csv
import io
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from compliance.core.accounts.models import User
from compliance.core.corrections.list_marks import CORRECTED, WITHDRAWN, CorrectionMarks, Parts
from compliance.core.corrections.services import withdraw_record
from compliance.disputes.models import Dispute, Step
from promotions.claims.models import Payment
from rounds.ledger import entry_at, size_of
from rounds.ledger.models import Log, Reversal
from tests.compliance.audit.checks.timeline.test_promotion_awards import hold, scheduled, win
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.disputes.disputed_round import MINUTE, NOW, NSW, Floor, make_disputed_floor
from tests.promotions import crew as promotions
from tests.promotions.claims.test_claims import claimed, deny

pytestmark = pytest.mark.django_db
ROWS = 10_000


@pytest.fixture
def floor(tmp_path: Path, settings: Settings) -> Floor:
    return make_disputed_floor(tmp_path, settings)


def withdraw(index: int, by: User) -> None:
    entry = entry_at("harbour", index)
    [casino] = {role.casino for role in by.roles_now()}
    assert entry is not None
    withdraw_record(casino=casino, entry=entry, reason="In error.", actor=by, now=NOW + 30 * MINUTE)


def marks_in(browser: Client, address: str, name: str = "") -> list[str]:
    prefix = f"{name}-" if name else ""
    file = browser.get(address, {f"{prefix}format": "csv"})
    text = b"".join(file.streaming_content) if file.streaming else file.content  # type: ignore[attr-defined]
    rows = list(csv.DictReader(io.StringIO(text.decode("utf-8-sig"))))
    return [row["Corrections"] for row in rows]


def test_a_dispute_with_a_withdrawn_step(floor: Floor) -> None:
    floor.open_table(NSW)
    address, sid = "/casinos/harbour/disputes/", browser_of(floor.sid)
    assert sid.get(address).status_code == 200
    first, second = floor.log(), floor.log()
    floor.decide(first, floor.gina)
    assert marks_in(sid, address) == ["", ""]
    withdraw(Step.objects.get(kind="dispute-decided").entry_index, floor.gina)
    assert sorted(marks_in(sid, address)) == ["", "Corrected"]
    page = sid.get(address).content.decode()
    assert page.count(">Corrected<") == 1
    assert second.reference in page


def test_winners_draws_and_claims() -> None:
    """Withdrawn ones stay in the list, and are marked."""
    crew = promotions.make_crew()
    draw = scheduled(crew)
    hold(crew, draw)
    first, _ = win(crew, draw, "1"), win(crew, draw, "2")
    withdraw(first.entry_index, crew.mara)
    mara = browser_of(crew.mara)
    assert sorted(marks_in(mara, draw.get_absolute_url(), "winners")) == ["", "Withdrawn"]
    assert marks_in(mara, draw.promotion.address("draws", app="draws")) == ["Corrected"]
    claim = deny(crew, claimed(crew))
    withdraw(claim.decision.entry_index, crew.mara)
    assert marks_in(mara, "/casinos/harbour/promotions/claims/") == ["Corrected"]
    withdraw(claim.entry_index, crew.mara)
    assert marks_in(mara, "/casinos/harbour/promotions/claims/") == ["Withdrawn"]
    assert not Payment.objects.exists()


@pytest.mark.parametrize("number", [0, 1, ROWS])
def test_the_cost_does_not_grow_with_the_rows(floor: Floor, number: int) -> None:
    log, first = Log.objects.get(slug="harbour"), size_of("harbour")
    rows = [SimpleNamespace(pk=key, entry_index=first + key) for key in range(number)]
    Reversal.objects.bulk_create(
        Reversal(log=log, corrected_index=row.entry_index, correction_index=first + ROWS + row.pk) for row in rows[::2]
    )
    marks = CorrectionMarks(floor.harbour, [Parts(Step.recorded.all(), "dispute_id")])
    began = time.process_time()
    with CaptureQueriesContext(connection) as captured:
        for start in range(0, number or 1, 1_000):
            marks.read(rows[start : start + 1_000])
            shown = [marks.tag(row) for row in rows[start : start + 1_000]]
            assert shown.count(WITHDRAWN) == len(shown) - len(shown) // 2
            assert CORRECTED not in shown
    assert len(captured) == (number + 999) // 1_000 * 2
    assert time.process_time() - began < 2
    assert not Dispute.objects.exists()
