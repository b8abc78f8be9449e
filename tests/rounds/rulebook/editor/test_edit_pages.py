"""Pages of the editor: starting points, autosave, conflicts between two windows, applying the text to the draft."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from rounds.rulebook.editor.services import apply_edit_to_draft
from rounds.rulebook.errors import ChangedInOtherWindow
from rounds.rulebook.models import Draft, PackEdit, RuleVersion
from tests.compliance.core.accounts.people import browser_of
from tests.rounds.rulebook.rule_makers import NSW, RWS, RuleMakers, propose, propose_and_approve, shipped_pack_bytes

PROPOSE = "/casinos/harbour/rulebook/propose/"
EDIT = f"{PROPOSE}edit/"
TEXT = shipped_pack_bytes(NSW).decode()
DEARER = TEXT.replace('odds = "180 to 1"', 'odds = "150 to 1"')


def begin(browser: Client, start: str = f"shipped:{NSW}", **typed: Any) -> None:
    answer = browser.post(f"{EDIT}begin/", {"start": start} | typed)
    assert answer.headers.get("Location") == EDIT, answer.content.decode()


def window_of(browser: Client) -> dict[str, str]:
    """The edit number and the window name of a newly opened page."""
    context = browser.get(EDIT).context
    return {"number": str(context["number"]), "window": context["window"]}


def keep(browser: Client, text: str, window: dict[str, str], act: str = "check", **headers: str) -> Any:
    return browser.post(EDIT, {"text": text, "act": act} | window, headers=headers)


def kept() -> str:
    return PackEdit.objects.get().text


def test_an_edit_begins_from_any_version_a_shipped_pack_the_proposal_or_a_file(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    propose_and_approve(rulers)
    waiting = propose(rulers, RWS, readings={})
    choices = dict(cora.get(f"{EDIT}begin/").context["form"].fields["start"].choices)
    assert [label for _, label in choices["In force now"]] == ["Sic Bo (New South Wales), version 1"]
    assert choices["Other versions"][0][1].endswith("(waiting for approval)")
    begin(cora, f"version:{RWS}:{waiting.number}")
    assert kept() == shipped_pack_bytes(RWS).decode()
    cora.post(f"{PROPOSE}pack/", {"pack": f"{NSW}@1"})
    begin(cora, "proposal")
    assert kept() == TEXT
    begin(cora, "own", pack_file=SimpleUploadedFile("mine.toml", b"slug = [\r\n"))
    assert kept() == "slug = [\n"
    assert PackEdit.objects.get().began_from == "the file mine.toml"
    begin(cora)
    assert PackEdit.objects.get().began_from == "Sic Bo (New South Wales), as shipped"


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ({"start": ""}, "Choose what to begin from."),
        ({"start": "version:nsw-sic-bo:77"}, "Select a valid choice"),
        ({"start": "own"}, "Choose the file."),
        ({"start": "own", "pack_file": SimpleUploadedFile("x.toml", b"\xff\xfe")}, "It is not a text in UTF-8."),
        ({"start": "own", "pack_file": SimpleUploadedFile("x.toml", b"#" * 262_145)}, "The text has 262,145 bytes"),
    ],
)
def test_what_cannot_be_begun_from_is_said(rulers: RuleMakers, typed: dict[str, Any], fault: str) -> None:
    answer = browser_of(rulers.cora).post(f"{EDIT}begin/", typed)
    assert answer.status_code == 200
    assert fault in answer.content.decode()
    assert not PackEdit.objects.exists()


def test_what_is_typed_is_kept_right_or_wrong_and_is_there_when_the_page_is_opened_again(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    begin(cora)
    window = window_of(cora)
    answer = keep(cora, "slug = [\r\n# €\t\0", window, **{"HX-Request": "true"})
    assert answer.status_code == 200
    assert "<html" not in answer.content.decode()
    assert "1 fault" in answer.content.decode()
    assert kept() == "slug = [\n# €\t\0"
    assert cora.get(EDIT).context["text"] == "slug = [\n# €\t\0"
    assert PackEdit.objects.get().number == 2
    assert browser_of(rulers.olga).get(EDIT).headers["Location"] == f"{EDIT}begin/"


def test_a_window_of_any_name_can_keep_what_was_typed(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    begin(cora)
    for name in ("\0", "x" * 500, "\u202e"):
        number = str(PackEdit.objects.get().number)
        assert keep(cora, f"# {len(name)}\n", {"number": number, "window": name}).status_code == 200
        assert kept() == f"# {len(name)}\n"


def test_two_windows_do_not_write_over_each_other_unseen(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    begin(cora)
    one, other = window_of(cora), window_of(cora)
    keep(cora, DEARER, one)
    refused = keep(cora, TEXT + "# other\n", other)
    shown = refused.content.decode()
    assert kept() == DEARER
    assert "Changed in another window" in shown
    assert refused.context["text"] == TEXT + "# other\n"
    assert {line.text for line in refused.context["examined"].from_the_other if line.kind == "new"} >= {"# other"}
    # The window that saved last may save again with an old number, as after a lost response.
    keep(cora, DEARER + "# one\n", one)
    assert kept() == DEARER + "# one\n"
    # The person chooses the other window's text; this window's text is kept in put_aside.
    keep(cora, TEXT + "# other\n", other, "overwrite")
    assert kept() == TEXT + "# other\n"
    keep(cora, TEXT + "# other\n", window_of(cora), "bring-back")
    assert kept() == DEARER + "# one\n"
    keep(cora, "# mine\n", other, "take-other")
    assert kept() == DEARER + "# one\n"
    keep(cora, kept(), window_of(cora), "bring-back")
    assert kept() == "# mine\n"


def test_back_to_the_start_and_back_again(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    begin(cora)
    keep(cora, DEARER, window_of(cora), "go-back")
    assert kept() == TEXT
    keep(cora, TEXT, window_of(cora), "bring-back")
    assert kept() == DEARER
    begin(cora, f"shipped:{RWS}")
    keep(cora, kept(), window_of(cora), "bring-back")
    assert kept() == DEARER


def test_a_text_is_given_up_only_after_a_page_that_asks(rulers: RuleMakers) -> None:
    cora, give_up = browser_of(rulers.cora), f"{EDIT}give-up/"
    assert cora.get(give_up).headers["Location"] == f"{EDIT}begin/"
    begin(cora)
    assert keep(cora, DEARER, window_of(cora), "give-up").headers["Location"] == give_up
    asked = cora.get(give_up)
    assert "Give this text up" in asked.content.decode()
    assert "Sic Bo (New South Wales), as shipped" in asked.content.decode()
    # After cancelling, the typed text is still there.
    assert asked.context["act"].back == EDIT
    assert cora.get(EDIT).context["text"] == kept() == DEARER
    gone = cora.post(give_up)
    assert gone.headers["Location"] == PROPOSE
    assert not PackEdit.objects.exists()
    assert Draft.objects.exists()


def test_a_window_that_does_not_know_of_another_s_text_cannot_ask_to_give_it_up(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    begin(cora)
    one, other = window_of(cora), window_of(cora)
    keep(cora, DEARER, one)
    assert "Changed in another window" in keep(cora, TEXT + "# other\n", other, "give-up").content.decode()
    assert kept() == DEARER


def test_a_text_without_faults_becomes_the_pack_of_the_proposal_and_one_with_faults_does_not(
    rulers: RuleMakers,
) -> None:
    cora = browser_of(rulers.cora)
    propose_and_approve(rulers)
    begin(cora, f"version:{NSW}:1")
    refused = keep(cora, DEARER.replace("150 to 1", "150 for 1"), window_of(cora), "finish")
    assert "The text has faults" in refused.content.decode()
    assert Draft.objects.get().pack_content is None
    assert keep(cora, DEARER, window_of(cora), "finish").headers["Location"] == PROPOSE
    draft = Draft.objects.get()
    assert bytes(draft.pack_content or b"") == DEARER.encode()
    assert draft.pack_file == "nsw-sic-bo@1.toml"
    assert not draft.has_chosen_readings


def test_a_text_that_was_kept_after_the_one_that_was_examined_is_not_taken_over(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    begin(cora)
    examined = PackEdit.objects.get()
    keep(cora, DEARER, window_of(cora))
    with pytest.raises(ChangedInOtherWindow):
        apply_edit_to_draft(edit=examined, casino=rulers.harbour, actor=rulers.cora, now=examined.kept_at)
    assert Draft.objects.get().pack_content is None


def test_a_proposal_does_not_go_out_without_the_edit_that_is_still_going_on(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    begin(cora)
    keep(cora, DEARER, window_of(cora), "finish")
    cora.post(f"{PROPOSE}source/", {"source": SimpleUploadedFile("rules.txt", b"As printed.")})
    form = cora.get(f"{PROPOSE}readings/").context["form"]
    cora.post(f"{PROPOSE}readings/", {name: field.initial for name, field in form.fields.items()})
    assert cora.get(f"{PROPOSE}check/").status_code == 200
    keep(cora, TEXT, window_of(cora))
    assert cora.post(f"{PROPOSE}check/").headers["Location"] == PROPOSE
    assert "Finish editing first" in cora.get(PROPOSE).content.decode()
    keep(cora, DEARER, window_of(cora))
    cora.post(f"{PROPOSE}check/")
    version = RuleVersion.objects.get()
    assert bytes(version.pack.content) == DEARER.encode()
    assert not PackEdit.objects.exists()


def test_a_text_too_large_is_shown_again_and_what_was_kept_stays(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    begin(cora)
    answer = keep(cora, "#" * 262_145, window_of(cora))
    assert "The text has 262,145 bytes" in answer.content.decode()
    assert "#" * 262_145 in answer.content.decode()
    assert kept() == TEXT


def test_what_is_typed_outlives_a_draft_that_was_given_up_elsewhere(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    begin(cora)
    window = window_of(cora)
    cora.post(f"{PROPOSE}discard/")
    keep(cora, DEARER, window)
    assert kept() == DEARER
