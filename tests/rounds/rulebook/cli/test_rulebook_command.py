"""`manage.py rulebook`: its output as text and JSON, and its errors."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from rounds.engine.pack.pack_file import ClauseEntry
from rounds.rulebook.packs.clause_coverage import Binding, clause_binding
from rounds.rulebook.packs.formatting import format_percent
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY
from tests.rounds.rulebook.command_runner import (
    run_rulebook,
    run_rulebook_expecting_failure,
    run_rulebook_json,
    write_draft_pack,
)


def printed_rows(*arguments: str) -> list[str]:
    """The rows of printed tables, with columns separated by one space."""
    return [" ".join(line.split()) for line in run_rulebook(*arguments).splitlines()]


SECOND = ('version = "1"', 'version = "2"')


def test_list_has_every_pack_with_date_digest_and_readings() -> None:
    packs = {pack["rules"]: pack for pack in run_rulebook_json("list")}
    assert set(packs) == {NSW, RWS, MBS, SKYCITY, LICENSEE}
    rws = packs[RWS]
    assert (rws["version"], rws["effective_at"]) == ("8", "2021-05-24T08:00:00+08:00")
    assert [table["pay_table"] for table in rws["pay_tables"]] == ["1", "2", "3"]
    assert packs[NSW]["effective_at"] is None
    assert packs[NSW]["source_sha256"] == "133677a40f7ad12aa3b48db4b5e1ff827c008092171855948674c829dfca4d46"
    assert packs[NSW]["readings"]["even"] == {
        "clause": "3.2.2.1",
        "default": "as-printed",
        "choices": ["as-printed", "every-even-total", "printed-no-triple"],
    }
    text = run_rulebook("list")
    assert "nsw-sic-bo@1  Sic Bo (New South Wales)\n  effective   undated; its instant is given at approval\n" in text
    assert "even = as-printed (or every-even-total, printed-no-triple; clause 3.2.2.1)" in text


@pytest.mark.parametrize(
    ("rules", "pay_table", "decks", "bet", "readings", "edge"),
    [
        (NSW, "1", None, "small", {}, "1/36"),
        (NSW, "1", None, "even", {"even": "every-even-total"}, "1/36"),
        (NSW, "1", None, "streak:small", {}, "201/2048"),
        (NSW, "1", None, "triple:any", {}, "1/9"),
        (RWS, "3", None, "double-single:1-1-3", {}, "7/24"),
        (RWS, "1", None, "pair:1-2", {"domino": "twice"}, "-5/36"),
        (MBS, "1", 2, "total:6", {"totals-on-triples": "lose"}, "1/5"),
        (SKYCITY, "1", None, "field", {}, "1/27"),
        (LICENSEE, "1", None, "big", {"big": "as-printed"}, "1"),
    ],
)
def test_edges_are_exact_fractions(
    rules: str, pay_table: str, decks: int | None, bet: str, readings: dict[str, str], edge: str
) -> None:
    lines = [line for line in run_rulebook_json("edges", "--rules", rules) if line["bet"] == bet]
    wanted = {"rules": rules, "version": "8" if rules == RWS else "1", "pay_table": pay_table, "decks": decks}
    assert {**wanted, "bet": bet, "readings": readings, "edge": edge} in lines


def test_every_edge_line_has_the_keys_of_the_contract_and_parses() -> None:
    lines = run_rulebook_json("edges")
    assert {line["rules"] for line in lines} == {NSW, RWS, MBS, SKYCITY, LICENSEE}
    for line in lines:
        assert list(line) == ["rules", "version", "pay_table", "decks", "bet", "readings", "edge"]
        assert str(Fraction(line["edge"])) == line["edge"]
    defaults = run_rulebook_json("edges", "--readings", "default")
    assert defaults == [line for line in lines if not line["readings"]]
    assert len(defaults) < len(lines)


def test_edges_for_people_show_boxes_that_share_an_edge_together() -> None:
    rows = printed_rows("edges", "--rules", LICENSEE)
    assert "licensee-sic-bo@1, pay table 1" in rows
    assert "pair:1-2 … pair:5-6 (15 boxes) 16.67 % 1/6" in rows
    assert "total:8, total:10, total:11, total:13 12.50 % 1/8" in rows
    assert "triple:any 30.56 % 11/36" in rows
    assert "big 100.00 % 1 big=as-printed" in rows
    assert "streak:small … streak:odd-even (6 boxes) 9.81 % 201/2048" in printed_rows("edges", "--rules", NSW)
    assert "small 2 2.35 % 21/893" in printed_rows("edges", "--rules", MBS)


def test_percentages_are_rounded_from_the_fraction_half_to_even() -> None:
    assert format_percent(Fraction(1, 36)) == "2.78 %"
    assert format_percent(Fraction(-37, 27)) == "-137.04 %"
    assert format_percent(Fraction(1, 20_000)) == "0.00 %"
    assert format_percent(Fraction(3, 20_000)) == "0.02 %"
    assert format_percent(Fraction(-1, 100_000)) == "0.00 %"
    assert format_percent(Fraction(1)) == "100.00 %"


def test_no_clause_is_unbound() -> None:
    clauses = run_rulebook_json("clauses")
    assert [each for each in clauses if each["status"] == "unbound"] == []
    assert {rules: sum(1 for each in clauses if each["rules"] == rules) for rules in (NSW, RWS, MBS)} == {
        NSW: 155,
        RWS: 53,
        MBS: 35,
    }
    for each in clauses:
        assert each["bound"] or each["not_automated_because"], each["clause"]


def test_clause_counts_add_up() -> None:
    lines = run_rulebook("clauses").splitlines()
    heading = lines[0].split()
    assert heading == ["rules", "clauses", "bound", "checked", "proven", "not", "automated", "unbound"]
    rows = {cells[0]: list(map(int, cells[1:])) for cells in (line.split() for line in lines[2:8])}
    assert rows["all"][0] == 362
    for total, bound, checked, proven, not_automated, unbound in rows.values():
        assert total == bound + not_automated + unbound
        assert unbound == 0
        assert bound >= checked == proven
    (line,) = [line for line in run_rulebook("clauses", "--rules", NSW).splitlines() if line.startswith("nsw")]
    assert line.split()[1] == "155"


@pytest.mark.parametrize(
    ("bind", "because", "binding"),
    [
        (("check:ROUND-ORDER",), "", Binding.BOUND),
        ((), "it is about furniture", Binding.NOT_AUTOMATED),
        ((), "", Binding.UNBOUND),
    ],
)
def test_how_far_a_clause_is_implemented(bind: tuple[str, ...], because: str, binding: Binding) -> None:
    assert clause_binding(ClauseEntry("Something.", ("I",), bind, because)) is binding


def test_a_pack_with_an_unbound_clause_is_refused_by_clauses(tmp_path: Path) -> None:
    file = write_draft_pack(
        tmp_path, MBS, SECOND, ('classes = ["D"], bind = ["record:round"]', 'classes = ["D"], bind = []')
    )
    _, message = run_rulebook_expecting_failure("clauses", "--pack", str(file))
    assert (
        message == "draft.toml: clauses.1.1.1.bind: found [], expected a record or a screen, because it is of class D"
    )


def test_diff_of_two_readings_names_every_cell() -> None:
    cells = run_rulebook_json("diff", f"{NSW}@1", f"{NSW}@1+even=every-even-total")
    assert len(cells) == 28
    assert {cell["kind"] for cell in cells} == {"cell"}
    assert {sum(cell["dice"]) for cell in cells if cell["after"] == "1 to 1"} == {10}
    assert [cell for cell in cells if cell["after"] == "lose"] == [
        {
            "kind": "cell",
            "pay_table": ["1", "1"],
            "bet": "even",
            "dice": [6, 6, 6],
            "before": "1 to 1",
            "after": "lose",
        }
    ]
    rows = printed_rows("diff", NSW, f"{NSW}+even=every-even-total")
    assert "even lose 1 to 1 27 1-3-6 ×6, 1-4-5 ×6, 2-2-6 ×3, 2-3-5 ×6, 2-4-4 ×3, 3-3-4 ×3" in rows
    assert "even 1 to 1 lose 1 6-6-6" in rows


def test_diff_tells_what_the_truth_table_does_not_show() -> None:
    assert run_rulebook_json("diff", SKYCITY, f"{SKYCITY}+payable-gap=round-down") == [
        {"kind": "term", "key": "settlement.payable.gap", "before": "up", "after": "down"}
    ]


def test_diff_tells_odds_that_cease_to_be_a_minimum() -> None:
    lines = run_rulebook_json("diff", LICENSEE, f"{LICENSEE}+one-of-a-kind-levels=exact")
    assert Counter((line["kind"], line["before"], line["after"]) for line in lines) == {
        ("cell", "at least 2 to 1", "2 to 1"): 6 * 15,
        ("cell", "at least 3 to 1", "3 to 1"): 6,
    }


def test_diff_of_streak_readings() -> None:
    rows = printed_rows("diff", NSW, f"{NSW}+streak-count=opening-counts+streak-ten=breaks")
    assert "after counts from opening-result" in rows
    assert "after odd-even: breaks 27 1-3-6 ×6, 1-4-5 ×6, 2-2-6 ×3, 2-3-5 ×6, 2-4-4 ×3, 3-3-4 ×3" in rows
    kinds = [line["kind"] for line in run_rulebook_json("diff", NSW, f"{NSW}+streak-ten=breaks")]
    assert kinds == ["streak"] * 54


def test_every_reading_differs_from_the_default_in_something() -> None:
    for pack in run_rulebook_json("list"):
        for name, reading in pack["readings"].items():
            for choice in reading["choices"]:
                changes = run_rulebook_json("diff", pack["rules"], f"{pack['rules']}+{name}={choice}")
                assert bool(changes) == (choice != reading["default"]), f"{pack['rules']} {name}={choice}"


def test_diff_of_two_versions_and_of_pay_tables(tmp_path: Path) -> None:
    file = write_draft_pack(tmp_path, MBS, SECOND, ('odds = "31 to 1"', 'odds = "30 to 1"'))
    changes = run_rulebook_json("diff", f"{MBS}@1", f"{MBS}@2", "--pack", str(file))
    assert {(line["bet"], line["before"], line["after"]) for line in changes} == {("triple:any", "31 to 1", "30 to 1")}
    assert len(changes) == 6
    tables = run_rulebook_json("diff", f"{RWS}@8/2", f"{RWS}@8/3")
    assert {tuple(line["pay_table"]) for line in tables} == {("2", "3")}
    only = [line for line in run_rulebook_json("diff", NSW, RWS) if line["kind"] == "pay-table"]
    assert [line["pay_table"] for line in only] == [[None, "2"], [None, "3"]]
    assert "They settle every wager alike." in run_rulebook("diff", NSW, f"{NSW}@1+even=as-printed")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (NSW, "roulette", "no rules 'roulette': expected one of"),
        (NSW, f"{NSW}@2", "nsw-sic-bo: there is no version '2', expected one of 1"),
        (NSW, f"{NSW}+evn=as-printed", "nsw-sic-bo@1 has no reading 'evn': expected one of even,"),
        (NSW, f"{NSW}+even=odd", "reading even has no choice 'odd': expected one of as-printed,"),
        (NSW, f"{NSW}+even=as-printed+even=as-printed", "names a reading twice"),
        (NSW, f"{NSW}+even", "does not name rules: expected SLUG[@VERSION]"),
        (RWS, f"{RWS}/4", "there is no pay table '4', expected one of 1, 2, 3"),
        (RWS, f"{RWS}/2", "rws-sic-bo-etg@8: only the other side names a pay table, expected one of 1, 2, 3 here"),
    ],
)
def test_diff_of_what_there_is_not(before: str, after: str, message: str) -> None:
    assert message in run_rulebook_expecting_failure("diff", before, after)[1]


def test_check_is_green_on_every_shipped_pack() -> None:
    checked = run_rulebook_json("check")
    assert [(each["file"], each["ok"], each["problems"]) for each in checked] == [
        (f"{slug}.toml", True, []) for slug in (LICENSEE, MBS, NSW, RWS, SKYCITY)
    ]
    assert "nsw-sic-bo.toml: good (nsw-sic-bo@1)" in run_rulebook("check").splitlines()


def test_a_broken_pack_is_refused_with_file_key_found_and_expected(tmp_path: Path) -> None:
    file = write_draft_pack(tmp_path, MBS, ('odds = "31 to 1"', 'odds = "31 for 1"'))
    problem = (
        "draft.toml: law.pay_table.1.pays.any-triple.odds: found '31 for 1',"
        ' expected odds as an exact fraction, such as "8.5 to 1"'
    )
    printed, message = run_rulebook_expecting_failure("check", str(file))
    assert printed.splitlines() == ["draft.toml: REFUSED", f"  {problem}"]
    assert message == "1 of 1 packs refused."
    printed, _ = run_rulebook_expecting_failure("check", "--json", str(file))
    assert '"ok":false' in printed
    assert run_rulebook_expecting_failure("edges", "--pack", str(file))[1] == problem


def test_check_looks_at_every_file(tmp_path: Path) -> None:
    file = write_draft_pack(tmp_path, MBS)
    twin = tmp_path / "twin.toml"
    twin.write_bytes(file.read_bytes())
    garbage = tmp_path / "garbage.toml"
    garbage.write_bytes(b"\xff\x00")
    missing = tmp_path / "missing.toml"
    printed, message = run_rulebook_expecting_failure("check", *map(str, (missing, garbage, file, twin, tmp_path)))
    assert "missing.toml: the file: found no such file or directory, expected a pack to read" in printed
    assert "garbage.toml: the file: found 'utf-8' codec" in printed
    assert "draft.toml: good (mbs-3-card-sic-bo@1)" in printed
    assert "twin.toml: version: found mbs-3-card-sic-bo@1, as in draft.toml, expected each version once" in printed
    assert "found is a directory, expected a pack to read" in printed
    assert message == "4 of 5 packs refused."


def test_what_the_command_line_gets_wrong(tmp_path: Path) -> None:
    for wrong in ((), ("sing",), ("diff", NSW), ("edges", "--readings", "some")):
        with pytest.raises(Exception, match="Error:"):
            run_rulebook(*wrong)
    assert "no rules 'roulette'" in run_rulebook_expecting_failure("edges", "--rules", "roulette")[1]
    assert "no rules 'roulette'" in run_rulebook_expecting_failure("clauses", "--rules", "roulette")[1]
    assert (
        "missing.toml: the file: found no such file"
        in run_rulebook_expecting_failure("list", "--pack", "missing.toml")[1]
    )
    assert "is here twice" in run_rulebook_expecting_failure("list", "--pack", str(write_draft_pack(tmp_path, NSW)))[1]
