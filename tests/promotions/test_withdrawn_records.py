"""Records of promotions withdrawn: decided, held or filed anew; the letter and the reports say so."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from compliance.core.accounts.models import User
from compliance.core.corrections.errors import StillNeeded
from compliance.core.corrections.report_section import corrections_between
from compliance.core.corrections.services import withdraw_record
from promotions.claims.models import Claim, ClaimDecision, ClaimState
from promotions.claims.pdf import denial_letter
from promotions.claims.services import decide_claim
from promotions.draws.models import Draw, DrawStep
from promotions.draws.services import schedule_draw
from promotions.shared.duties import require_duties
from promotions.terms.selectors import current_versions
from rounds.ledger import entry_at, verify_log
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.core.accounts.people import browser_of
from tests.pdf_text import extract_text
from tests.promotions.claims.test_claims import claimed, deny
from tests.promotions.crew import HOUR, START, Crew, file_example_terms
from tests.promotions.draws.test_draws import held, scheduled, stopped


def withdraw(index: int, by: User, at: datetime) -> int:
    entry = entry_at("harbour", index)
    assert entry is not None
    [casino] = {role.casino for role in by.roles_now()}
    return withdraw_record(casino=casino, entry=entry, reason="Recorded in error.", actor=by, now=at)


@pytest.fixture(autouse=True)
def ledger_key(settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)


def test_a_claim_is_decided_anew_and_the_letter_says_so(crew: Crew) -> None:
    claim = deny(crew, claimed(crew))
    withdraw(claim.decision.entry_index, crew.cleo, START + 2 * HOUR)
    again = Claim.objects.with_details().get()
    assert again.state is ClaimState.OPEN
    decision = decide_claim(claim=again, is_met=False, reasons="Too late.", actor=crew.mara, now=START + 3 * HOUR)
    assert list(ClaimDecision.objects.all()) == [decision]
    right = require_duties(crew.harbour, START).duties.dispute
    letter = extract_text(denial_letter(again, decision, {}, right, "https://example.com/", START + 3 * HOUR))
    assert "We corrected our records" in letter
    assert "Too late." in letter
    assert verify_log("harbour").issues == ()
    [section] = corrections_between(crew.harbour, START, START + 4 * HOUR)
    assert section.grid is not None
    assert [row.cells[-1] for row in section.grid.rows] == ["Recorded in error."]
    assert corrections_between(crew.harbour, START, START + HOUR) == ()


def test_a_draw_that_was_not_held_can_be_stopped(crew: Crew) -> None:
    draw = scheduled(crew)
    step = held(crew, draw)
    with pytest.raises(StillNeeded, match="held"):
        withdraw(draw.entry_index, crew.mara, START)
    withdraw(step.entry_index, crew.mara, START)
    assert Draw.objects.with_state().get().state == "scheduled"
    assert stopped(crew, draw).step == 2
    assert DrawStep.objects.count() == 1
    assert verify_log("harbour").issues == ()


def test_a_filing_is_withdrawn_unless_something_depends_on_it(crew: Crew) -> None:
    version = file_example_terms(crew)
    said: dict[str, Any] = {"scheduled_at": START, "place": "Stage", "method": "Barrel", "now": START}
    draw = schedule_draw(promotion=version.promotion, actor=crew.mara, **said)
    with pytest.raises(StillNeeded, match="Draw 1"):
        withdraw(version.entry_index, crew.mara, START)
    withdraw(draw.entry_index, crew.mara, START)
    withdraw(version.entry_index, crew.mara, START)
    assert list(current_versions(crew.harbour, START)) == []
    page = browser_of(crew.mara).get(version.promotion.get_absolute_url())
    assert page.status_code == 200
    assert "<del>Terms filed or amendment requested" in page.content.decode()
    assert browser_of(crew.mara).get(f"/promotions/harbour/{version.promotion.number}/1/").status_code == 404
    assert verify_log("harbour").issues == ()
