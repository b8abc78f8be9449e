"""Whatever a clause map says implements a clause is there: a page, a kind of entry, a check."""

import re

from compliance.web.access import every_address
from rounds.ledger.kinds import every_kind
from rounds.rulebook.coverage import PLANNED, Binding, clauses_of
from rounds.rulepacks import shipped_packs

# Codes of checks that exist. The catalogue of the audit takes the place of this when there is one.
CHECKS: frozenset[str] = frozenset()


def known_names() -> set[str]:
    screens = {f"screen:{address.name}" for address in every_address()}
    records = {f"record:{kind.name}" for kind in every_kind()}
    return screens | records | {f"check:{code}" for code in CHECKS}


def missing(names: list[str]) -> list[str]:
    return sorted(set(names) - known_names())


def test_every_binding_that_is_not_planned_names_something_that_exists() -> None:
    names = [name for bound in clauses_of(shipped_packs()) for name in bound.entry.bind]
    assert missing([name for name in names if not name.startswith(PLANNED)]) == []
    assert missing(["screen:rulebook:vault", "record:rule-version"]) == ["record:rule-version", "screen:rulebook:vault"]


def test_the_rulebook_is_no_longer_planned_anywhere() -> None:
    names = [name for bound in clauses_of(shipped_packs()) for name in bound.entry.bind]
    assert [
        name for name in names if re.search(r"^planned: (screen:rulebook:|record:(rule-version|reading))", name)
    ] == []


def test_the_cover_pages_and_the_copies_for_patrons_are_bound() -> None:
    bound = {(each.pack.slug, each.clause): each for each in clauses_of(shipped_packs())}
    for key in (
        ("rws-sic-bo-etg", "Cover"),
        ("mbs-3-card-sic-bo", "Cover"),
        ("nsw-sic-bo", "9.14"),
        ("skycity-big-and-small", "8.l"),
    ):
        assert bound[key].binding is Binding.BOUND
