"""Drafts of proposals: saved step by step for one person, deleted when sent or discarded."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from rounds.rulebook.models import Draft, RuleVersion
from tests.compliance.core.accounts.people import browser_of
from tests.rounds.rulebook.rule_makers import NSW, RuleMakers, shipped_pack_bytes

PROPOSE = "/casinos/harbour/rulebook/propose/"


def choose(browser: Client, step: str, **typed: object) -> None:
    assert browser.post(f"{PROPOSE}{step}/", typed).headers["Location"] == PROPOSE


def fill(browser: Client) -> None:
    choose(browser, "pack", pack=f"{NSW}@1")
    choose(browser, "source", source=SimpleUploadedFile("rules.txt", b"As printed."))
    readings = Draft.objects.get().readings or {}
    form = browser.get(f"{PROPOSE}readings/").context["form"]
    choose(browser, "readings", **{name: readings.get(name, field.initial) for name, field in form.fields.items()})


def test_every_page_is_kept_and_the_last_makes_the_version(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    fill(cora)
    shown = cora.get(f"{PROPOSE}check/").content.decode()
    assert "rules.txt" in shown
    assert "as-printed" in shown
    sent = cora.post(f"{PROPOSE}check/")
    version = RuleVersion.objects.get()
    assert sent.headers["Location"] == version.get_absolute_url()
    assert version.proposed_by == rulers.cora
    assert bytes(version.source_document.content) == b"As printed."
    assert not Draft.objects.exists()


def test_a_pack_of_ones_own_is_taken_whole_and_asks_for_its_readings_again(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    fill(cora)
    own = shipped_pack_bytes(NSW).replace(b'version = "1"', b'version = "2"', 1)
    choose(cora, "pack", pack="own", pack_file=SimpleUploadedFile("mine.toml", own))
    draft = Draft.objects.get()
    assert bytes(draft.pack_content or b"") == own
    assert not draft.has_chosen_readings
    assert bytes(draft.source_content or b"") == b"As printed."
    assert cora.get(f"{PROPOSE}check/").headers["Location"] == PROPOSE


def test_a_bad_upload_names_the_fault_and_leaves_the_draft_alone(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    fill(cora)
    for step, typed, fault in (
        (
            "pack",
            {"pack": "own", "pack_file": SimpleUploadedFile("mine.toml", b"slug = [")},
            "mine.toml: the file: found",
        ),
        ("pack", {"pack": "own"}, "Choose the file of your rule pack."),
        ("source", {"source": SimpleUploadedFile("rules.exe", b"MZ\x00")}, "It must be a PDF or a plain text"),
        ("source", {}, "Choose the document."),
        ("readings", {"even": "never"}, "Select a valid choice"),
    ):
        answer = cora.post(f"{PROPOSE}{step}/", typed)
        assert answer.status_code == 200
        assert fault in answer.content.decode()
    assert cora.get(f"{PROPOSE}check/").status_code == 200


def test_a_draft_is_its_makers_alone_and_can_be_given_up(rulers: RuleMakers) -> None:
    fill(browser_of(rulers.cora))
    assert "Discard this draft" not in browser_of(rulers.olga).get(PROPOSE).content.decode()
    browser_of(rulers.olga).post(f"{PROPOSE}discard/")
    assert Draft.objects.count() == 1
    assert "Discard it" in browser_of(rulers.cora).get(f"{PROPOSE}discard/").content.decode()
    assert Draft.objects.count() == 1, "it is asked first"
    browser_of(rulers.cora).post(f"{PROPOSE}discard/")
    assert not Draft.objects.exists()
    assert not RuleVersion.objects.exists()
