"""Exports and downloads are recorded before they are sent, in the ledger and in a row."""

import csv
import io
from pathlib import Path

import pytest
from django.db import DatabaseError, connection, transaction
from django.http.response import HttpResponseBase
from pytest_django import DjangoAssertNumQueries, Settings

from compliance.core.accounts.models import Casino, User
from compliance.privacy.access_log.models import Disclosure
from compliance.transparency.ledger_pages.models import Bundle
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.core.accounts.people import LONG_AGO, Cast, assemble, browser_of
from tests.compliance.privacy.personal_data.conftest import Overseers
from tests.compliance.privacy.personal_data.records import keep
from tests.compliance.tampering import tamper

RECORDS = "/casinos/harbour/personal-data/"


def body_of(response: HttpResponseBase) -> str:
    return b"".join(response).decode()


def rows_of(response: HttpResponseBase) -> list[list[str]]:
    return list(csv.reader(io.StringIO(body_of(response).removeprefix("\ufeff"))))[1:]


def test_an_export_has_every_row_that_fits_the_filter_and_is_an_entry_of_the_ledger(cast: Cast) -> None:
    for number in range(60):
        keep(cast.harbour, reference=f"D-{number}")
    keep(cast.harbour, reference="Zoe Example")
    response = browser_of(cast.ines).get(f"{RECORDS}?reference=D-&sort=pk&page=2&format=csv")
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert response.headers["Content-Disposition"].startswith('attachment; filename="records-at-harbour-casino-')
    assert [row[2] for row in rows_of(response)] == [f"D-{number}" for number in range(60)]

    [told] = Disclosure.objects.all()
    assert (told.by, told.way, told.address, told.format, told.rows) == (cast.ines, "list", RECORDS, "csv", 60)
    assert told.filters == {"reference": "D-"}
    [entry] = read_entries("harbour", told.entry_index, told.entry_index + 1)
    assert entry.kind == "disclosed"
    assert entry.content() | {"at": None} == {
        "way": "list",
        "what": "Records at Harbour Casino, without the details",
        "address": RECORDS,
        "format": "csv",
        "filters": ["reference"],
        "rows": 60,
        "by": {"id": cast.ines.pk, "name": "Ines"},
        "through": "",
        "at": None,
    }


def test_what_was_typed_into_a_filter_is_in_no_leaf(cast: Cast) -> None:
    body_of(browser_of(cast.ines).get(f"{RECORDS}?reference=Pat+Example&format=ndjson"))
    assert Disclosure.objects.get().filters == {"reference": "Pat Example"}
    assert b"Pat Example" not in b"".join(entry.body for entry in read_entries("harbour", 0, 1000))


def test_it_is_recorded_before_the_first_byte_and_hands_out_what_was_recorded(cast: Cast) -> None:
    keep(cast.harbour)
    response = browser_of(cast.ines).get(f"{RECORDS}?format=csv")
    assert Disclosure.objects.get().rows == 1
    keep(cast.harbour, reference="D-2")
    assert len(rows_of(response)) == 1


def test_who_may_not_open_the_page_cannot_take_its_list(cast: Cast, more: Overseers) -> None:
    for person in (cast.otto, cast.mara, more.gita):
        assert browser_of(person).get(f"{RECORDS}?format=csv").status_code == 404
    assert browser_of(cast.ines).head(f"{RECORDS}?format=csv").status_code == 200
    assert Disclosure.objects.count() == 0


def test_a_list_that_belongs_to_no_casino_is_not_given_out(cast: Cast) -> None:
    answer = browser_of(cast.ines).get("/account/?sign-ins-format=csv&format=csv&events-format=csv")
    assert answer.status_code in (200, 404)
    assert answer.headers["Content-Type"].startswith("text/html")


def test_queries_do_not_grow_with_the_rows(cast: Cast, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    browser = browser_of(cast.ines)
    for number in range(3):
        keep(cast.harbour, reference=f"D-{number}")
    body_of(browser.get(f"{RECORDS}?format=csv"))
    with django_assert_max_num_queries(40) as few:
        body_of(browser.get(f"{RECORDS}?format=csv"))
    for number in range(30):
        keep(cast.harbour, reference=f"E-{number}")
    with django_assert_max_num_queries(len(few)):
        body_of(browser.get(f"{RECORDS}?format=csv"))


def ready_bundle(casino: Casino, by: User, folder: Path) -> Bundle:
    bundle = Bundle.objects.create(
        casino=casino,
        asked_by=by,
        asked_by_name=by.name,
        asked_at=LONG_AGO,
        first_index=0,
        end_index=1,
        state="waiting",
    )
    Bundle.objects.filter(pk=bundle.pk).update(state="running")
    Bundle.objects.filter(pk=bundle.pk).update(
        state="done",
        prepared_at=LONG_AGO,
        checkpoint_size=1,
        file_bytes=3,
        file_sha256="0" * 64,
        log=casino.slug,
        entry_index=10**6,
    )
    bundle.refresh_from_db()
    folder.mkdir(exist_ok=True)
    bundle.path.write_bytes(b"zip")
    return bundle


def test_a_file_is_recorded_on_its_way_out(cast: Cast, settings: Settings, tmp_path: Path) -> None:
    settings.EVIDENCE_DIR = tmp_path / "evidence"
    bundle = ready_bundle(cast.harbour, cast.ines, tmp_path / "evidence")
    address = f"/casinos/harbour/ledger/bundles/{bundle.pk}/file/"
    assert body_of(browser_of(cast.ines).get(address)) == "zip"
    [told] = Disclosure.objects.all()
    assert (told.way, told.what, told.address) == ("file", f"harbour-evidence-{bundle.pk}.zip", address)
    assert (told.rows, told.by) == (None, cast.ines)
    assert browser_of(cast.otto).get(address).status_code == 404
    assert Disclosure.objects.count() == 1


def test_a_page_is_no_file(cast: Cast) -> None:
    assert browser_of(cast.ines).get(RECORDS).status_code == 200
    assert Disclosure.objects.count() == 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE disclosures_disclosure SET rows = 1",
        "DELETE FROM disclosures_disclosure",
        "TRUNCATE disclosures_disclosure",
        "DELETE FROM disclosures_seen",
    ],
)
def test_what_went_out_cannot_be_changed_or_forgotten(cast: Cast, statement: str) -> None:
    body_of(browser_of(cast.ines).get(f"{RECORDS}?format=csv"))
    with pytest.raises(DatabaseError, match=r"permission denied|cannot delete from view"), transaction.atomic():
        connection.cursor().execute(statement)


def test_a_row_that_was_altered_in_the_database_is_found(
    transactional_db: None, settings: Settings, tmp_path: Path
) -> None:
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    ines = assemble().ines
    body_of(browser_of(ines).get(f"{RECORDS}?format=csv"))
    assert verify_log("harbour").is_intact
    tamper("disclosures_disclosure", "UPDATE disclosures_disclosure SET by_name = 'Otto'")
    assert not verify_log("harbour").is_intact
