"""Bundles of wagers for analysis: requested like evidence, built, recorded, downloaded and checked."""

import io
import zipfile
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from compliance.analysis.parquet.compare_verdicts import audit_folder
from compliance.core.accounts.models import User
from compliance.core.web.errors import NotFound
from compliance.privacy.access_log.models import Disclosure
from compliance.transparency.ledger_pages.errors import NothingToExport, TooManyWagers
from compliance.transparency.ledger_pages.models import Bundle
from compliance.transparency.ledger_pages.services import request_gaming_days_bundle
from compliance.transparency.ledger_pages.tasks import build_bundles
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.search import size_of
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import wager
from tests.compliance.core.accounts.people import browser_of
from tests.rounds.floor.crew import gather

LIST = "/casinos/harbour/ledger/bundles/"
DAY = date(2026, 11, 16)


@pytest.fixture
def house(transactional_db: None) -> House:
    """Two days at one table, with a wrong settlement on the first."""
    house = House(gather())
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100, id="wrong"))
    house.play((4, 2, 4), wager("small", 2_500, 5_000, id="right"))
    house.play((4, 2, 4), wager("small", 2_500, 5_000, id="next"), gaming_day=DAY + timedelta(days=1))
    house.audit()
    return house


@pytest.fixture
def ines(house: House) -> User:
    return house.crew.cast.ines


def ask(ines: User, first: str = "2026-11-16", last: str = "2026-11-16") -> Any:
    return browser_of(ines).post(LIST + "new/", {"what": "days", "first_day": first, "last_day": last})


def test_a_day_is_asked_for_prepared_downloaded_and_audited(house: House, ines: User, tmp_path: Path) -> None:
    assert ask(ines).status_code == 302
    # Rounds recorded while the request waits are not part of it.
    house.play((4, 2, 4), wager("small", 2_500, 5_000, id="late"))
    house.audit()
    bundle = Bundle.objects.get()
    page = browser_of(ines).get(f"{LIST}{bundle.pk}/").content.decode()
    assert "Wagers of 16 Nov 2026" in page
    size = size_of("harbour")
    build_bundles()
    bundle.refresh_from_db()
    assert (bundle.state, bundle.failure, bundle.checkpoint_size) == ("done", "", size)
    [entry] = read_entries("harbour", size, size + 1)
    content = bundle.path.read_bytes()
    assert (entry.kind, entry.content()) == (
        "evidence-exported",
        {
            "bundle": bundle.pk,
            "by": {"id": ines.pk, "name": ines.name},
            "first": bundle.first_index,
            "end": bundle.first_index + 2,
            "only": None,
            "entries": 2,
            "checkpoint": size,
            "bytes": len(content),
            "sha256": sha256(content).hexdigest(),
            "days": ["2026-11-16", "2026-11-16"],
        },
    )
    assert browser_of(ines).get(f"{LIST}{bundle.pk}/file/").getvalue() == content
    told = Disclosure.objects.get(way="file")
    assert (told.what, told.by) == (f"harbour-analysis-{bundle.pk}.zip", ines)
    zipfile.ZipFile(io.BytesIO(content)).extractall(tmp_path / "home")
    [folder] = (tmp_path / "home").iterdir()
    assert folder.name == f"harbour-analysis-{bundle.pk}"
    audited = audit_folder(folder)
    assert [(each.wager, each.code) for each in audited.differences] == [("wrong", "SETTLE-OVERPAID")]
    assert audited.recomputed.wagers == 2
    page = browser_of(ines).get(f"{LIST}{bundle.pk}/").content.decode()
    assert f"python manage.py audit --parquet harbour-analysis-{bundle.pk}" in page


REFUSED = {
    ("", "2026-11-16"): "Enter the first gaming day.",
    ("2026-11-16", ""): "Enter the last gaming day.",
    ("2026-11-17", "2026-11-16"): "The last gaming day must not come before the first.",
    ("2026-11-32", "2026-11-16"): "Enter a valid date.",
    ("2020-01-01", "2020-01-02"): "The audit knows no rounds of these gaming days yet.",
}


def test_what_cannot_be_taken_is_told_and_nothing_is_lost(ines: User) -> None:
    for (first, last), complaint in REFUSED.items():
        page = ask(ines, first, last).content.decode()
        assert complaint in page
        assert all(f'value="{text}"' in page for text in (first, last) if text)
    assert not Bundle.objects.exists()


def test_the_service_refuses_by_itself(house: House, ines: User, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Any = {"casino": house.casino, "first_day": DAY, "last_day": DAY + timedelta(days=1), "now": NOW}
    with pytest.raises(NotFound):
        request_gaming_days_bundle(**asked, actor=house.crew.sid)
    with pytest.raises(NothingToExport):
        request_gaming_days_bundle(**asked | {"first_day": date(2020, 1, 1), "last_day": date(2020, 1, 1)}, actor=ines)
    assert request_gaming_days_bundle(**asked, actor=ines).total == 3
    monkeypatch.setattr("compliance.transparency.ledger_pages.services.MAX_WAGERS", 2)
    with pytest.raises(TooManyWagers, match="That is 3 wagers; one file holds at most 2"):
        request_gaming_days_bundle(**asked, actor=ines)


def test_which_days_were_asked_for_is_never_rewritten(house: House, ines: User) -> None:
    ask(ines)
    bundle = Bundle.objects.get()
    for change in ({"first_day": DAY - timedelta(days=1)}, {"last_day": DAY + timedelta(days=1)}):
        with pytest.raises(IntegrityError, match="what was asked"), transaction.atomic():
            Bundle.objects.filter(pk=bundle.pk).update(**change)
    for days in ((DAY, None), (DAY, DAY - timedelta(days=1))):
        bundle.pk, (bundle.first_day, bundle.last_day) = None, days
        with pytest.raises(IntegrityError, match="evidence_bundle_days"), transaction.atomic():
            bundle.save(force_insert=True)
