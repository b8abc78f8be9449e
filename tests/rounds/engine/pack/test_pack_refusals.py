"""Invalid packs are refused; each problem names file, key, what was found and what was expected."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.pack.pack_collection import PackCollection
from rounds.engine.pack.pack_file import Pack, load_pack
from rounds.rulepacks import PACK_FOLDER
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY

Swap = tuple[str, str]


def edited(slug: str, *swaps: Swap) -> bytes:
    text = (PACK_FOLDER / f"{slug}.toml").read_text()
    for old, new in swaps:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text.encode()


def refusal(slug: str, *swaps: Swap) -> EngineError:
    with pytest.raises(EngineError) as refused:
        load_pack(edited(slug, *swaps), "draft.toml")
    assert refused.value.code is ErrorCode.BAD_PACK
    return refused.value


def assert_refused(slug: str, swap: Swap, problem: str) -> None:
    assert problem in refusal(slug, swap).problems, refusal(slug, swap).message


def test_a_pack_that_nobody_touched_is_accepted() -> None:
    assert load_pack(edited(MBS), "draft.toml").name == "mbs-3-card-sic-bo@1"


def test_a_cited_clause_that_does_not_exist() -> None:
    assert_refused(
        MBS,
        ('clause = "3.6.1"', 'clause = "3.6.9"'),
        "draft.toml: law.wager.small.clause: found clause '3.6.9', expected a clause of this pack's clause map",
    )


def test_overlapping_odds() -> None:
    assert_refused(
        MBS,
        ('["total:5", "total:16"]', '["total:4", "total:5", "total:16"]'),
        "draft.toml: law.pay_table.1.pays: found overlapping odds for total:4 (win), expected odds once for each level",
    )


def test_overlapping_levels() -> None:
    assert_refused(
        NSW,
        ("two = { wagered_number_on = [2] }", "two = { wagered_number_on = [2, 3] }"),
        "draft.toml: law.wager.single.wins: found single:1 at 1-1-1 wins two and three, expected one level",
    )


def test_missing_odds_of_a_level() -> None:
    assert_refused(
        NSW,
        ('single-three = { wager = "single", level = "three", odds = "12 to 1" }', ""),
        "draft.toml: law.pay_table.1.pays: found missing odds for single:1 (three), expected odds once for each level",
    )


def test_missing_odds_of_a_bet() -> None:
    assert_refused(
        MBS,
        ('["total:5", "total:16"]', '["total:5"]'),
        "draft.toml: law.wager.total: found no odds for total:16, expected odds in at least one pay table",
    )


def test_odds_for_a_wager_without_a_predicate() -> None:
    assert_refused(
        MBS,
        ('small = { wager = "small"', 'tiny = { wager = "tiny", odds = "1 to 1" }\nsmall = { wager = "small"'),
        "draft.toml: law.pay_table.1.pays.tiny.wager: found odds for 'tiny', which has no predicate,"
        " expected a wager of this law",
    )


def test_odds_for_a_bet_without_a_predicate() -> None:
    assert_refused(
        MBS,
        ('["total:5", "total:16"]', '["total:5", "total:16", "total:3"]'),
        "draft.toml: law.pay_table.1.pays.total-5-16.bets: found odds for total:3, which has no predicate,"
        " expected a bet of total",
    )


def test_a_wager_without_a_predicate() -> None:
    assert_refused(
        MBS,
        ("wins.win = { is_triple = true }", "wins = {}"),
        "draft.toml: law.wager.any-triple.wins: found no predicate, expected when each level of the wager wins",
    )


def test_a_predicate_without_a_condition() -> None:
    assert_refused(
        MBS,
        ("wins.win = { is_triple = true }", "wins.win = {}"),
        "draft.toml: law.wager.any-triple.wins.win: found no condition,"
        " expected at least one condition of the predicate vocabulary",
    )


def test_a_condition_outside_the_vocabulary() -> None:
    assert (
        "law.wager.any-triple.wins.win.is_treble: found an unknown key"
        in refusal(MBS, ("wins.win = { is_triple = true }", "wins.win = { is_treble = true }")).message
    )


def test_a_condition_that_cannot_be_met() -> None:
    assert_refused(
        MBS,
        ("total_in = [4, 5, 6, 7, 8, 9, 10]", "total_in = [4, 5, 19]"),
        "draft.toml: law.wager.small.wins.win.total_in: found [4, 5, 19], expected totals from 3 to 18",
    )


def test_a_duplicate_code() -> None:
    assert_refused(
        MBS,
        ('bets = ["big"]', 'bets = ["big", "small"]'),
        "draft.toml: law.wager.small.bets: found duplicate code small, expected each bet code in one wager, once",
    )


def test_a_code_outside_the_closed_set() -> None:
    assert (
        "law.wager.big.bets.0: found 'huge', expected a bet code"
        in refusal(MBS, ('bets = ["big"]', 'bets = ["huge"]')).message
    )


def test_rws_3_9_that_disagrees_with_4_1() -> None:
    assert_refused(
        RWS,
        (
            "wins.win = { total_in = [4, 5, 6, 7, 8, 9, 10], is_triple = false }",
            "wins.win = { total_in = [4, 5, 6, 7, 8, 9, 10] }",
        ),
        "draft.toml: law.on_triple_only_wins: found pay table 1: small wins at 2-2-2, expected to lose, by clause 3.9",
    )
    assert_refused(
        RWS,
        ('"total:6", "total:9", "total:12", "total:15"', '"total:6", "total:9", "total:12", "total:15", "total:16"'),
        "draft.toml: law.on_triple_only_wins: found total:16 wins on no triple,"
        " expected to win on one, by clause 3.9.5",
    )


@pytest.mark.parametrize("odds", ['"31 for 1"', "31.0", "31", '"1:31"', '"0 to 1"'])
def test_odds_that_are_not_fractions(odds: str) -> None:
    message = refusal(MBS, ('odds = "31 to 1", clause = "4.1.1"', f'odds = {odds}, clause = "4.1.1"')).message
    assert message.startswith("draft.toml: law.pay_table.1.pays.any-triple.odds: found ")
    assert message.endswith('expected odds as an exact fraction, such as "8.5 to 1"')


@pytest.mark.parametrize("instant", ["2016-11-15T00:00:00", "2016-11-15", '"15 November 2016"'])
def test_a_date_without_its_zone(instant: str) -> None:
    message = refusal(MBS, ("effective_at = 2016-11-15T00:00:00+08:00", f"effective_at = {instant}")).message
    assert message.startswith("draft.toml: effective_at: found ")
    assert "expected a date and time with its zone" in message


def test_a_printed_date_without_an_instant() -> None:
    assert (
        "effective_at: found None, expected an instant where the document prints a date"
        in refusal(MBS, ("effective_at = 2016-11-15T00:00:00+08:00", 'effective_at = "silent"')).message
    )


def test_a_duty_that_was_forgotten() -> None:
    assert_refused(
        MBS,
        ('disputes = "silent"\n', ""),
        'draft.toml: duties.disputes: found nothing, expected this key, or the word "silent"'
        " where the document says nothing",
    )


def test_a_key_that_nobody_knows() -> None:
    assert "duties.snacks: found an unknown key" in refusal(MBS, ("[duties]\n", '[duties]\nsnacks = "none"\n')).message


def test_a_word_outside_a_closed_list() -> None:
    assert (
        "conduct.commencement.event: found 'gong', expected one of bets-open, tumbled"
        in refusal(MBS, ('event = "bets-open"', 'event = "gong"')).message
    )


def test_a_void_reason_outside_the_closed_list() -> None:
    assert (
        "law.void.earthquake: found 'earthquake', expected one of not-flat"
        in refusal(MBS, ("[law.void]\n", '[law.void]\nearthquake = { clause = "5.1" }\n')).message
    )


def test_a_role_that_the_pack_does_not_define() -> None:
    assert (
        "duties.dice_custody.custodian: found role 'croupier'"
        in refusal(LICENSEE, ('custodian = "dealer"', 'custodian = "croupier"')).message
    )


def test_a_number_of_minutes_that_is_none() -> None:
    assert_refused(
        NSW,
        ('clause = "4.5", notice_minutes = 20', 'clause = "4.5", notice_minutes = 0'),
        "draft.toml: duties.minimum_raise.notice_minutes: found 0, expected a whole number above 0",
    )


def test_a_deck_that_does_not_add_up() -> None:
    assert_refused(
        MBS,
        ("cards_a_deck = 48", "cards_a_deck = 52"),
        "draft.toml: conduct.cards.cards_a_deck: found 52, expected six faces of 8",
    )


@pytest.mark.parametrize(
    ("slug", "swaps", "problem"),
    [
        (MBS, [("most_decks = 6", "most_decks = 20")], ""),
        (
            MBS,
            [("most_decks = 6", "most_decks = 21")],
            "draft.toml: conduct.cards.most_decks: found 21, expected at most 20",
        ),
        (
            MBS,
            [("fewest_decks = 2", "fewest_decks = 7")],
            "draft.toml: conduct.cards.fewest_decks: found 7, expected at most 6",
        ),
        (NSW, [("longest = 12", "longest = 100"), ('12 = "500 to 1"', "LENGTHS 100")], ""),
        (
            NSW,
            [("longest = 12", "longest = 101"), ('12 = "500 to 1"', "LENGTHS 101")],
            "draft.toml: law.streak.longest: found 101, expected at most 100",
        ),
    ],
    ids=["decks", "decks too many", "decks the wrong way round", "streak", "streak too long"],
)
def test_decks_and_streaks_up_to_what_is_worked_out(slug: str, swaps: list[Swap], problem: str) -> None:
    """Bounds on decks and streak length, because edges are computed for each of them."""
    swaps = [(old, _lengths(int(new.split()[1])) if new.startswith("LENGTHS") else new) for old, new in swaps]
    if problem:
        assert problem in refusal(slug, *swaps).problems
    else:
        assert load_pack(edited(slug, *swaps), "draft.toml").slug == slug


def _lengths(last: int) -> str:
    return "\n".join(f'{count} = "500 to 1"' for count in range(12, last + 1))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('version = "1"', f'version = "{"1" * 102}"', ""),
        ('version = "1"', f'version = "{"1" * 103}"', "version: found 121 characters, expected at most 120"),
        ('title = "', f'title = "{"T" * 200}"\n# "', ""),
        ('title = "', f'title = "{"T" * 201}"\n# "', "title: found 201 characters, expected at most 200"),
        ('title = "', 'title = "\\u0000', "title: found the character \\u0000, expected a text without it"),
        ('slug = "mbs-3-card-sic-bo"', f'slug = "{"m" * 80}"', ""),
        ('slug = "mbs-3-card-sic-bo"', f'slug = "{"m" * 81}"', "slug: found 81 characters, expected at most 80"),
        ("[clauses]\n", f'[clauses]\n"{"9" * 80}" = {{ SNACKS }}\n', ""),
        (
            "[clauses]\n",
            f'[clauses]\n"{"9" * 81}" = {{ SNACKS }}\n',
            f"clauses.{'9' * 81}: found 81 characters, expected at most 80",
        ),
    ],
)
def test_what_is_kept_of_a_pack_can_be_kept(old: str, new: str, problem: str) -> None:
    """Rule versions, findings and what-if runs store these texts in columns of limited length."""
    snacks = 'gist = "Snacks.", classes = ["I"], not_automated_because = "Nobody counts them."'
    swap = (old, new.replace("SNACKS", snacks))
    if problem:
        assert refusal(MBS, swap).problems == (f"draft.toml: {problem}",)
    else:
        load_pack(edited(MBS, swap), "draft.toml")


def test_a_reading_whose_default_is_no_choice() -> None:
    assert_refused(
        MBS,
        ('default = "win"', 'default = "draw"'),
        "draft.toml: readings.totals-on-triples.default: found 'draw', expected one of win, lose",
    )


@pytest.mark.parametrize(
    "sets",
    [
        '{ "wager.totals.wins.win.is_triple" = false }',
        '{ "wager.total.wins.win.total_is_wagered" = true }',
        '{ "snacks.price" = 3 }',
    ],
)
def test_a_choice_that_touches_nothing(sets: str) -> None:
    message = refusal(MBS, ('sets = { "wager.total.wins.win.is_triple" = false }', f"sets = {sets}")).message
    assert message.startswith("draft.toml: readings.totals-on-triples.choices.lose.sets: found ")
    assert message.endswith("expected a key of the law, and a value that changes it")


def test_a_choice_that_sets_nothing() -> None:
    assert (
        "choices.lose.sets: found {}, expected at least one key of the law"
        in refusal(MBS, ('sets = { "wager.total.wins.win.is_triple" = false }', "")).message
    )


def test_a_default_that_sets_something() -> None:
    assert (
        "expected nothing: the law as written is the default"
        in refusal(MBS, ('default = "win"', 'default = "lose"')).message
    )


def test_a_choice_that_breaks_the_law() -> None:
    assert (
        "choices.exactly-two.sets → law.wager.double.wins.win.wagered_number_on: found [7]"
        in refusal(LICENSEE, ('wagered_number_on" = [2] }', 'wagered_number_on" = [7] }')).message
    )


def test_two_readings_that_set_the_same_key() -> None:
    assert (
        "'settlement.payable.gap', which reading payable-gap sets too"
        in refusal(
            SKYCITY,
            ('"settlement.payable.lower_multiple_of" = "payout" }', '"settlement.payable.gap" = "down" }'),
        ).message
    )


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ('classes = ["S"], bind = ["record:round"]', "a check, because it is of class S"),
        ('classes = ["P"], bind = ["record:round"]', "a check, or a record with its screen, because it is of class P"),
        ('classes = ["D"], bind = ["check:ROUND-ORDER"]', "a record or a screen, because it is of class D"),
        ('classes = ["I"]', "a binding, or the reason why it is not automated, because it is of class I"),
        ('classes = ["P"], not_automated_because = "We forgot."', "class I alone and no binding"),
        ('classes = [], bind = ["record:round"]', "one or more of S, P, D, I"),
        ('classes = ["D"], bind = ["table:round"]', "check:CODE, record:name or screen:url-name"),
    ],
)
def test_a_clause_that_is_not_bound(entry: str, problem: str) -> None:
    swap = ("[clauses]\n", f'[clauses]\n"9.9" = {{ gist = "Snacks.", {entry} }}\n')
    assert f"expected {problem}" in refusal(MBS, swap).message
    assert "clauses.9.9." in refusal(MBS, swap).message


def test_streaks_that_do_not_fit_together() -> None:
    assert "law.streak.pairs.small-big.directions: found 1-3-6 counts in both directions" in (
        refusal(NSW, ("big = { total_in = [11,", "big = { total_in = [10, 11,")).message
    )
    assert "law.streak.pays: found [4, 5, 7, 8" in refusal(NSW, ('6 = "15 to 1"\n', "")).message
    assert (
        "expected conditions on the dice alone"
        in refusal(NSW, ('odd = { parity = "odd" }', "odd = { wagered_number_on = [1] }")).message
    )


def test_identity() -> None:
    assert "slug: found 'MBS Sic Bo'" in refusal(MBS, ('slug = "mbs-3-card-sic-bo"', 'slug = "MBS Sic Bo"')).message
    assert "time_zone: found 'Singapore'" in refusal(MBS, ('"Asia/Singapore"', '"Singapore"')).message
    assert "source_sha256: found" in refusal(MBS, ('source_sha256 = "8f', 'source_sha256 = "zz')).message
    assert "evidence.is_complete: found true" in refusal(MBS, ("is_complete = false", "is_complete = true")).message
    assert "format: found 2, expected one of 1" in refusal(MBS, ("format = 1", "format = 2")).message


def test_all_problems_are_told_at_once() -> None:
    problems = refusal(MBS, ('event = "bets-open"', 'event = "gong"'), ('disputes = "silent"\n', "")).problems
    assert len(problems) == 2


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"a = ", b"format = 1\nformat = 1", b"a = " + b"[" * 5000])
def test_what_is_not_toml_is_refused(content: bytes) -> None:
    with pytest.raises(EngineError, match=r"^draft\.toml: "):
        load_pack(content, "draft.toml")


def test_a_version_cannot_stand_on_the_shelf_twice() -> None:
    pack = load_pack(edited(MBS), "draft.toml")
    with pytest.raises(EngineError, match="here twice"):
        PackCollection([pack, pack])


def test_of_several_versions_one_must_be_named() -> None:
    packs = [load_pack(edited(MBS, ('version = "1"', f'version = "{each}"')), "draft.toml") for each in "12"]
    assert PackCollection(packs).find(MBS, "2").version == "2"
    with pytest.raises(EngineError, match="no version is named, expected one of 1, 2"):
        PackCollection(packs).find(MBS)


LINES = (PACK_FOLDER / f"{MBS}.toml").read_text().splitlines()


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(LINES) - 1), st.sampled_from(["", "x = 1", "[a]", "[[law]]", '"', "law = 3", "wins = []"]))
def test_a_mangled_pack_is_read_or_refused_but_never_crashes(line: int, instead: str) -> None:
    mangled = "\n".join([*LINES[:line], instead, *LINES[line + 1 :]])
    try:
        outcome: object = load_pack(mangled.encode(), "draft.toml")
    except EngineError as error:
        outcome = error.problems
    assert isinstance(outcome, Pack) or (isinstance(outcome, tuple) and outcome)
