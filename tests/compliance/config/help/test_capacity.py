"""The help page on capacity: its estimates against figures worked out by hand, and its table against the benchmark."""

import inspect
import json
import re
from pathlib import Path

import pytest
from django.test import Client

from compliance.config.environment import PROJECT
from compliance.config.help import capacity
from compliance.config.help.capacity import CASINO, ONLINE
from tests.bench import footprint
from tests.bench.__main__ import SUBJECTS, as_record, save_record
from tests.bench.support.measurement import Measurement, at_most
from tests.bench.support.workload_size import Size
from tests.compliance.core.web.conftest import Elements


def test_a_year_of_a_hundred_tables_by_hand() -> None:
    # 100 tables x 20 h x 40 rounds an hour = 80,000 rounds of 20 wagers a day.
    assert (CASINO.rounds_a_day, CASINO.wagers_a_day) == (80_000, 1_600_000)
    assert (CASINO.rounds_a_year, CASINO.wagers_a_year) == (29_200_000, 584_000_000)
    # 29.2 M x 1,500 bytes + 584 M x 100 bytes = 102.2 GB.
    assert CASINO.gigabytes_a_year == 103
    # 1.6 M wagers at 70 s a million: 1.9 minutes.
    assert (CASINO.minutes_a_day, CASINO.percent_of_a_processor) == (2, 1)


def test_a_year_of_ten_thousand_wagers_a_round_by_hand() -> None:
    # Two rounds a minute: 2,880 a day.
    assert (ONLINE.rounds_a_day, ONLINE.wagers_a_day) == (2_880, 28_800_000)
    # 10,512 M x 100 bytes + 1.05 M x 1,500 bytes = 1,052.8 GB.
    assert ONLINE.gigabytes_a_year == 1_053
    # 28.8 M wagers at 70 s a million: 33.6 minutes.
    assert (ONLINE.minutes_a_day, ONLINE.percent_of_a_processor) == (34, 3)


def test_the_page_shows_what_the_benchmark_wrote(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    line = Measurement("page floor", "ms", "the most allowed", 301, 200, 1.505, (1.4, 1.6), at_most(1))
    file = tmp_path / "scale.json"
    for name, times in (("pages", 3), ("appends", 1), ("pages", 2)):
        save_record(file, name, as_record(name, [line], Size(times=times)))
    monkeypatch.setattr(capacity, "MEASURED", file)
    page = Elements(client.get("/help/scale/").content.decode())
    commands = [text for text in page.texts("code") if text.startswith("make bench SUBJECTS")]
    assert commands == ["make bench SUBJECTS=pages TIMES=2", "make bench SUBJECTS=appends TIMES=1"]
    assert page.texts("th", scope="row")[-1] == "page floor"
    shown = ["301 ms", "the most allowed", "200", "1.5 times", "1.4 to 1.6", "≤ 1", "No"]
    assert page.texts("td")[-len(shown) :] == shown
    assert {"29,200,000", "103 GB", "1,053 GB", "34 min (3 % of one)"} <= set(page.texts("td"))


def test_what_was_measured_stands_beside_what_is_planned_with(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "scale.json"
    lines = [
        Measurement(what, unit, "planned with", ours, 1, 1, (1, 1), at_most(1))
        for what, unit, ours in (
            ("stored a round of 20 wagers", "bytes", 2870.4),
            ("processor time for a million wagers, auditing", "s", 21.94),
        )
    ]
    save_record(file, "footprint", as_record("footprint", lines, Size()))
    monkeypatch.setattr(capacity, "MEASURED", file)
    page = client.get("/help/scale/").content.decode()
    assert "Last measured: 2,870 bytes for a round of 20 wagers." in page
    assert "for a round of 2,000 wagers" not in page
    assert Elements(page).texts("td")[:6] == ["20", "None", "30", "21.9", "20", "None"]


def test_what_the_page_reads_is_what_the_benchmark_measures() -> None:
    """Under the same words, or the page would say that nothing was measured."""
    measured = inspect.getsource(footprint)
    for wagers in capacity.MEASURED_ROUNDS:
        assert f'"stored a round of {wagers:,} wagers"' in measured
    for work, _ in capacity.PROCESSOR_SECONDS:
        assert f'("{work}", ' in measured


def test_the_runs_that_are_kept_can_be_repeated(client: Client) -> None:
    page = Elements(client.get("/help/scale/").content.decode())
    assert "\nbench:" in (PROJECT / "Makefile").read_text()
    for name, run in json.loads(capacity.MEASURED.read_text()).items():
        assert name in SUBJECTS
        assert run["command"] in page.texts("code")
        assert {line["what"] for line in run["lines"]} <= set(page.texts("th", scope="row"))
        sizes = {size.lower() for size in re.findall(r"([A-Z_]+)=", run["command"])} - {"subjects"}
        assert sizes <= set(Size.__dataclass_fields__)
