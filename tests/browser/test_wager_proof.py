"""From a wager on its round's page to the printed sheet, and from the sheet's QR code to the check. The code never
appears in a URL that is sent to the server.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import Settings

from compliance.transparency.wager_proofs.models import Proof
from compliance.transparency.wager_proofs.tasks import commit_wagers
from rounds.intake.protocol.examples import BODIES
from rounds.ledger.signing.checkpoints import create_key_file, sign_log
from rounds.ledger.writing.append import append, make_entry
from tests.browser.conftest import demo_floors
from tests.browser.user_actions import assert_accessible, assert_fits_its_width, save_screenshot, sign_in

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]


@pytest.fixture
def world() -> Callable[[], None]:
    return demo_floors


@pytest.fixture
def played(site: str, settings: Settings, tmp_path: Path) -> int:
    """A round at Harbour whose wagers are not yet committed to."""
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    line = {"kind": "round", "table": "sb-1", "at": timezone.now().isoformat(), "body": BODIES["round"]}
    with transaction.atomic():
        [receipt] = append("harbour", [make_entry("round", line, table="sb-1")], timezone.now())
    return receipt.index


def look_at(page: Page, name: str) -> None:
    for width in (320, 1024):
        page.set_viewport_size({"width": width, "height": 1024})
        assert_fits_its_width(page)
    assert_accessible(page)
    save_screenshot(page, name)


def test_from_the_round_to_the_patrons_telephone(played: int, open_browser: OpenBrowser) -> None:
    page = open_browser()
    sign_in(page, "Casino supervisor")
    page.goto(f"/casinos/harbour/rounds/{played}/")
    page.set_viewport_size({"width": 1024, "height": 768})
    wagers = page.locator(".table-scroll", has=page.get_by_role("link", name="Proof of wager"))
    assert wagers.evaluate("box => box.scrollWidth - box.clientWidth") <= 0, "its last column is cut off on a laptop"
    page.get_by_role("link", name="Proof of wager 0041-1 for its patron").click()
    expect(page.get_by_text("not ready to be proved yet")).to_be_visible()
    look_at(page, "wager-proof-not-yet")
    commit_wagers()
    sign_log("harbour", timezone.now())
    page.get_by_role("link", name="Look again").click()
    page.get_by_role("button", name="Make the proof").click()
    expect(page.get_by_text("The proof is made.")).to_be_visible()
    look_at(page, "wager-proof-made")
    page.goto("/casinos/harbour/wager-proofs/")
    expect(page.get_by_role("row")).to_have_count(2)
    look_at(page, "wager-proofs")

    code = Proof.objects.get().code
    asked: list[str] = []
    telephone = open_browser(viewport={"width": 390, "height": 844})
    telephone.on("request", lambda request: asked.append(f"{request.url} {request.headers.get('referer')}"))
    telephone.goto(f"/wager/#{code}")
    expect(telephone.get_by_role("heading", name="Your wager, checked")).to_be_visible()
    expect(telephone.get_by_text("It fits:")).to_be_visible()
    assert "#" not in telephone.url
    assert asked
    assert not [address for address in asked if code in address]
    look_at(telephone, "wager-checked")
    with telephone.expect_download() as download:
        telephone.get_by_role("button", name="Proof file").click()
    assert Path(download.value.path()).read_bytes() == bytes(Proof.objects.get().content)
    telephone.goto("/wager/")
    telephone.get_by_label("The code on the sheet").fill("wrong")
    telephone.get_by_role("button", name="Check").click()
    expect(telephone.locator(".error-summary")).to_contain_text("No proof has this code")
    look_at(telephone, "wager-check-unknown")
