"""Records of equipment, conduct and paper rounds withdrawn."""

from datetime import datetime
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from compliance.core.accounts.models import User
from compliance.core.corrections.errors import NotAuthorOrSuperior
from compliance.core.corrections.services import withdraw_record
from compliance.tables.equipment.models import ReturnToPlay
from compliance.tables.equipment.projections import Fault
from compliance.tables.equipment.selectors import stopped_tables
from compliance.tables.equipment.services.floor_records import return_to_play
from compliance.tables.player_conduct.models import ConductAct
from compliance.tables.player_conduct.selectors import acts_of
from rounds.intake.protocol import equipment as lines
from rounds.intake.protocol.table import Correction
from rounds.intake.services.paper_rounds import confirm_paper_round
from rounds.ledger import entry_at, verify_log
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.tables.equipment.builders import EVENING, NSW, SUPERVISOR, Floor
from tests.compliance.tables.equipment.test_faults import MINUTE
from tests.compliance.tables.player_conduct.test_conduct import act
from tests.rounds.intake.services.test_paper_rounds import LIST, enter

FAILURE = lines.Fault(fault="F-1", equipment="electrical-device", effect="not-lit")


def withdraw(index: int, by: User, at: datetime) -> int:
    entry = entry_at("harbour", index)
    assert entry is not None
    [casino] = {role.casino for role in by.roles_now()}
    return withdraw_record(casino=casino, entry=entry, reason="Recorded in error.", actor=by, now=at)


def issues() -> list[str]:
    """What verify_ledger reports, apart from lines that the test sent without a signed batch."""
    found = (issue.sentence for issue in verify_log("harbour").issues)
    return [sentence for sentence in found if "signed batches" not in sentence]


@pytest.fixture(autouse=True)
def ledger_key(settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)


def test_play_is_stopped_again_when_the_return_was_withdrawn(floor: Floor) -> None:
    table, at = floor.table(NSW), EVENING + 10 * MINUTE
    floor.lights_fail()
    floor.lights_mended(at=EVENING + MINUTE)
    floor.consume()
    return_to_play(table=table, note="Works.", actor=floor.crew.sid, now=EVENING + 2 * MINUTE)
    floor.consume()
    assert list(stopped_tables("harbour")) == []
    withdraw(ReturnToPlay.objects.get().entry_index, floor.crew.sid, at)
    floor.consume()
    assert list(stopped_tables("harbour")) == ["sb-1"]
    assert not ReturnToPlay.objects.exists()
    assert issues() == []


def test_conduct_recorded_in_error_is_shown_as_withdrawn(floor: Floor) -> None:
    refused = act(floor.table(NSW), floor.crew.gina, kind="wager-refusal", grounds="other")
    with pytest.raises(NotAuthorOrSuperior):
        withdraw(refused.entry_index, floor.crew.cast.ines, EVENING)
    withdraw(refused.entry_index, floor.crew.sid, EVENING)
    assert list(acts_of(floor.crew.harbour)) == [refused]
    assert not ConductAct.objects.exists()
    page = browser_of(floor.crew.sid).get(f"/casinos/harbour/conduct/{refused.entry_index}/").content.decode()
    assert "Reason: Recorded in error." in page


def test_a_round_from_paper_is_withdrawn_from_its_page(floor: Floor) -> None:
    crew = floor.crew
    paper = enter(crew)
    paper = confirm_paper_round(paper=paper, actor=crew.gina, now=timezone.now())
    page = f"/casinos/harbour/entries/{paper.entry_index}/withdraw/"
    sid = browser_of(crew.sid)
    assert page in sid.get(f"{LIST}{paper.pk}/").content.decode()
    assert sid.post(page, {"reason": "The stake was 100."}).status_code == 302
    assert "Reason: The stake was 100." in sid.get(f"{LIST}{paper.pk}/").content.decode()
    assert issues() == []


def test_the_page_of_a_withdrawn_fault_says_so(floor: Floor) -> None:
    table = floor.table(NSW)
    line = floor.record(table, "fault", FAILURE)
    page = f"/casinos/harbour/equipment/faults/{line.entry_index}/"
    browser = browser_of(floor.crew.cast.ines)
    assert "It is mended" in browser_of(floor.crew.sid).get(page).content.decode()
    correction = withdraw(line.entry_index, floor.crew.sid, EVENING + MINUTE)
    before = browser.get(page).content.decode()
    floor.consume()
    assert not Fault.objects.exists()
    for said in (before, browser.get(page).content.decode()):
        assert "This record was withdrawn by Sid" in said
        assert "Recorded in error." in said
        assert f"/casinos/harbour/ledger/{correction}/" in said
        assert "Play is stopped" not in said
    assert "It is mended" not in browser_of(floor.crew.sid).get(page).content.decode()
    assert browser_of(floor.crew.cast.otto).get(page).status_code == 404


def test_the_page_of_a_fault_that_its_controller_took_back(floor: Floor) -> None:
    floor.table(NSW)
    fault = floor.lights_fail()
    floor.report("correction", Correction(corrects=1, reason="Typed wrongly.", by=SUPERVISOR))
    said = browser_of(floor.crew.cast.ines).get(f"/casinos/harbour/equipment/faults/{fault.index}/").content.decode()
    assert "This record was withdrawn" in said
    assert "Typed wrongly." in said
    assert f"/casinos/harbour/alerts/{fault.alert_index}/" in said


def test_an_entry_that_is_no_fault_has_no_page(floor: Floor) -> None:
    floor.table(NSW)
    assert browser_of(floor.crew.cast.ines).get("/casinos/harbour/equipment/faults/1/").status_code == 404
