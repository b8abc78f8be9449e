"""Building bundles: cancelled in time without a file or an entry, and tried again."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError
from django.utils import timezone

from compliance.core.web.errors import NotFound
from compliance.core.web.jobs import runner
from compliance.transparency.ledger_pages.build_bundle import build_queued_bundles, remove_expired_files
from compliance.transparency.ledger_pages.models import Bundle
from compliance.transparency.ledger_pages.services import cancel_bundle, request_range_bundle, retry_bundle
from rounds.ledger.readers.search import size_of
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.core.web.jobs.cancelling_clock import cancelling_clock
from tests.compliance.transparency.ledger_pages.harbour_scenario import Floor, play

LIST = "/casinos/harbour/ledger/bundles/"


def queue(floor: Floor) -> Bundle:
    play(40)
    last = size_of("harbour") - 1
    return request_range_bundle(casino=floor.harbour, first=last - 39, last=last, actor=floor.ines, now=timezone.now())


def files() -> list[str]:
    return sorted(path.name for path in Path(settings.EVIDENCE_DIR).glob("*"))


def test_a_bundle_that_waits_is_cancelled_and_built_after_all(committed_floor: Floor) -> None:
    bundle, size = queue(committed_floor), size_of("harbour")
    page, ines, sam = f"{LIST}{bundle.pk}/", browser_of(committed_floor.ines), browser_of(committed_floor.sam)
    assert f'action="{page}cancel/"' in ines.get(f"{page}progress/").content.decode()
    assert sam.post(f"{page}cancel/").status_code == 404
    answer = ines.post(f"{page}cancel/", follow=True)
    assert answer.redirect_chain == [(page, 302)]
    shown = answer.content.decode()
    for words in ("The bundle is cancelled.", "Ines cancelled it before it was done.", f'action="{page}retry/"'):
        assert words in shown, words
    assert f'action="{page}cancel/"' not in shown
    assert ines.post(f"{page}cancel/").status_code == 409, "submitted twice"
    assert ines.get(f"{page}file/").status_code == 409
    build_queued_bundles(timezone.now)
    assert (size_of("harbour"), files()) == (size, [])
    assert sam.post(f"{page}retry/").status_code == 404
    answer = ines.post(f"{page}retry/", follow=True)
    assert answer.redirect_chain == [(page, 302)]
    assert "The bundle is prepared again." in answer.content.decode()
    assert ines.post(f"{page}retry/").status_code == 409, "submitted twice"
    build_queued_bundles(timezone.now)
    bundle.refresh_from_db()
    assert (bundle.state, bundle.attempts, bundle.entry_index) == ("done", 1, size)
    assert ines.post(f"{page}cancel/").status_code == 409
    assert ines.post(f"{page}retry/").status_code == 409
    assert ines.get(f"{page}file/").status_code == 200


def test_those_who_may_not_request_one_neither_cancel_nor_retry_it(committed_floor: Floor) -> None:
    bundle = queue(committed_floor)
    for person in (committed_floor.sam, committed_floor.ada, committed_floor.otto):
        with pytest.raises(NotFound):
            cancel_bundle(bundle=bundle, actor=person, now=timezone.now())
    cancel_bundle(bundle=bundle, actor=committed_floor.cora, now=timezone.now())
    with pytest.raises(NotFound):
        retry_bundle(bundle=bundle, actor=committed_floor.sam)


@pytest.mark.parametrize(("interval", "call"), [(0, 1), (0, 2), (0, 3), (0, 5), (1, 3), (1, 5)])
def test_a_bundle_cancelled_while_it_is_built_is_neither_recorded_nor_left_on_disk(
    committed_floor: Floor, monkeypatch: pytest.MonkeyPatch, interval: int, call: int
) -> None:
    """With progress saved always the worker notices at its next step; otherwise at the latest before it records."""
    monkeypatch.setattr(runner, "PROGRESS_INTERVAL", timedelta(seconds=interval))
    monkeypatch.setattr("rounds.ledger.export.export_entries.CHUNK_SIZE", 10)
    bundle, size = queue(committed_floor), size_of("harbour")
    clock = cancelling_clock(call, lambda now: cancel_bundle(bundle=bundle, actor=committed_floor.ines, now=now))
    assert build_queued_bundles(clock) == 1
    bundle.refresh_from_db()
    assert (bundle.state, bundle.cancelled_by_name, bundle.entry_index) == ("cancelled", "Ines", None)
    assert (size_of("harbour"), files()) == (size, [])
    with pytest.raises(IntegrityError, match="does not become done"):
        Bundle.objects.filter(pk=bundle.pk).update(state="done")
    retry_bundle(bundle=bundle, actor=committed_floor.cora)
    build_queued_bundles(timezone.now)
    bundle.refresh_from_db()
    assert (bundle.state, size_of("harbour"), files()) == ("done", size + 1, [f"{bundle.pk}.zip"])


def test_what_a_lost_worker_left_of_a_cancelled_bundle_is_removed(committed_floor: Floor) -> None:
    bundle = queue(committed_floor)
    bundle.path.with_suffix(".part").mkdir(parents=True)
    bundle.path.write_text("half")
    Bundle.objects.update(state="running", attempts=1)
    remove_expired_files(timezone.now())
    assert files() == [f"{bundle.pk}.part", f"{bundle.pk}.zip"], "it may be at work"
    cancel_bundle(bundle=bundle, actor=committed_floor.ines, now=timezone.now())
    remove_expired_files(timezone.now())
    assert files() == []


def test_a_bundle_that_failed_is_tried_again(committed_floor: Floor) -> None:
    bundle = queue(committed_floor)
    folder = Path(settings.EVIDENCE_DIR)
    folder.write_text("a file, not a folder")
    build_queued_bundles(timezone.now)
    bundle.refresh_from_db()
    assert bundle.state == "failed"
    assert bundle.failure in browser_of(committed_floor.ines).get(f"{LIST}{bundle.pk}/").content.decode()
    folder.unlink()
    retry_bundle(bundle=bundle, actor=committed_floor.ines)
    build_queued_bundles(timezone.now)
    bundle.refresh_from_db()
    assert (bundle.state, bundle.attempts, bundle.failure) == ("done", 1, "")
