"""Hostile texts (denial of service): each is answered in bounded time, blocks no other request, and is saved."""

from time import monotonic

import pytest

from rounds.engine.pack.pack_file import Pack, parse_pack
from rounds.rulebook.editor import views
from rounds.rulebook.editor.analysis import AnalysisRequest, analyse_pack
from rounds.rulebook.editor.worker_process import AnalysisProcess, AnalysisTimedOut
from rounds.rulebook.models import PackEdit
from tests.compliance.core.accounts.people import browser_of
from tests.rounds.rulebook.editor.test_edit_pages import EDIT, begin, keep, kept, window_of
from tests.rounds.rulebook.rule_makers import NSW, RuleMakers, shipped_pack_bytes

TEXT = shipped_pack_bytes(NSW).decode()
LARGEST = 256 * 1024

HOSTILE = {
    "brackets within brackets": "a = " + "[" * 100_000,
    "braces within braces": "a = {b = " * 20_000,
    "a key of very many parts": "a." * 100_000 + "b = 1",
    "headings without end": "[a" * 80_000,
    "a text that never ends": 'a = """' + "x\n" * 120_000,
    "lists that never end": "a = [\n" * 40_000,
    "lists that go on to the end": "a=[1,\n" * 40_000,
    "lists of tables that go on to the end": "a=[{b=1},\n" * 20_000,
    "nothing readable": "\x00\x01\x7f\u202e\ufeff" * 20_000,
    "half of a line ending": "a = 1\r" * 40_000,
    "one name very often": "a = 1\n" * 40_000,
    "very many keys": "".join(f"k{number} = 1\n" for number in range(20_000)),
    "very many wagers": "[law]\n" + "".join(f'[law.wager.w{n}]\nname="x"\nbets=["small"]\n' for n in range(5_000)),
    "very many quotes": "'" * LARGEST,
    "very many comments": "#\n" * 120_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_is_told_what_is_wrong_with_it_at_once(text: str) -> None:
    assert len(text.encode()) <= LARGEST
    began = monotonic()
    told = analyse_pack(AnalysisRequest(text, "", {}, {}))
    assert told.faults
    assert all(1 <= fault.line <= text.count("\n") + 1 for fault in told.faults)
    assert monotonic() - began < 8


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("longest = 12", "longest = 999999999999", "law.streak.longest: found 999999999999, expected at most 100"),
        ('12 = "500 to 1"', '999999999999 = "500 to 1"', "law.streak.pays: found ['4', '5', '6'"),
        (
            "[readings.even]",
            "".join(
                f'[readings.r{n}]\nclause = "6.2"\nitem = "x"\ndefault = "a"\nexplains = "x"\n'
                f'[readings.r{n}.choices.a]\nexplains = "x"\n[readings.r{n}.choices.b]\nexplains = "x"\n'
                for n in range(12)
            )
            + "[readings.even]",
            "readings: found 1,769,472 ways to combine the choices, expected at most 10,000",
        ),
        (
            "[readings.even.choices.as-printed]",
            "".join(f'[readings.even.choices.c{n}]\nexplains = "x"\n' for n in range(200))
            + "[readings.even.choices.as-printed]",
            "readings: found 217 choices in all, expected at most 200",
        ),
        (
            "two = { wagered_number_on = [2] }",
            "\n".join(f"l{n} = {{ wagered_number_on = [2] }}" for n in range(50)),
            "law.wager.single.wins: found 52 levels, expected at most 10",
        ),
    ],
    ids=["streak", "length of a streak", "combinations", "choices", "levels"],
)
def test_a_pack_that_would_take_for_ever_to_work_out_is_refused(old: str, new: str, problem: str) -> None:
    began = monotonic()
    refused = parse_pack(TEXT.replace(old, new, 1).encode())
    assert not isinstance(refused, Pack)
    assert any(str(each).startswith(problem) for each in refused), refused
    assert monotonic() - began < 4


def test_what_takes_too_long_is_stopped_and_the_next_is_answered() -> None:
    process = AnalysisProcess()
    slow = AnalysisRequest("a\n" * 60_000, "a\n" * 60_000 + "b\n", {}, {})
    began = monotonic()
    with pytest.raises(AnalysisTimedOut):
        process.analyse(slow, seconds=1)
    assert monotonic() - began < 4
    assert process.analyse(AnalysisRequest(TEXT, TEXT, {}, {})).name == "nsw-sic-bo@1"
    process.stop()


def test_what_a_text_means_is_asked_in_the_web_server_too_and_keeps_nobody_waiting(rulers: RuleMakers) -> None:
    """The form for single values parses the text in the web process, not in the worker process."""
    cora = browser_of(rulers.cora)
    begin(cora)
    PackEdit.objects.update(content=HOSTILE["lists that go on to the end"].encode())
    began = monotonic()
    assert cora.get(f"{EDIT}values/").status_code == 200
    assert monotonic() - began < 8


def test_line_endings_and_tabs_are_taken_as_they_are_meant(rulers: RuleMakers) -> None:
    cora = browser_of(rulers.cora)
    begin(cora)
    typed = TEXT.replace("clause =", "clause\t=").replace("\n", "\r\n")
    answer = keep(cora, typed, window_of(cora))
    assert answer.context["examined"].name == "nsw-sic-bo@1"
    assert kept() == TEXT.replace("clause =", "clause\t=")


def test_whoever_asks_too_often_is_kept_waiting_for_the_check_and_not_for_the_keeping(
    rulers: RuleMakers, monkeypatch: pytest.MonkeyPatch
) -> None:
    ines = browser_of(rulers.ines)
    begin(ines)
    window = window_of(ines)
    monkeypatch.setattr(views, "MAX_ANALYSES_PER_MINUTE", 1)
    answers = [keep(ines, f"{TEXT}# {number}\n", window).content.decode() for number in range(3)]
    assert "The text was not checked. Wait" in answers[-1]
    assert kept() == f"{TEXT}# 2\n"
