"""Every page, entry kind and check that a clause map names exists."""

from compliance.audit.checks import checked_codes
from compliance.core.web.access import all_url_routes
from rounds.ledger.entry_kinds import registered_kinds
from rounds.rulebook.packs.clause_coverage import Binding, list_bound_clauses
from rounds.rulepacks import shipped_packs


def known_names() -> set[str]:
    screens = {f"screen:{address.name}" for address in all_url_routes()}
    records = {f"record:{kind.name}" for kind in registered_kinds()}
    return screens | records | {f"check:{code.name}" for code in checked_codes()}


def missing(names: list[str]) -> list[str]:
    return sorted(set(names) - known_names())


def test_every_binding_names_something_that_exists() -> None:
    names = [name for bound in list_bound_clauses(shipped_packs()) for name in bound.entry.bind]
    assert missing(names) == []
    assert missing(["screen:rulebook:vault", "record:rule-version"]) == ["record:rule-version", "screen:rulebook:vault"]


def test_the_cover_pages_and_the_copies_for_patrons_are_bound() -> None:
    bound = {(each.pack.slug, each.clause): each for each in list_bound_clauses(shipped_packs())}
    for key in (
        ("rws-sic-bo-etg", "Cover"),
        ("mbs-3-card-sic-bo", "Cover"),
        ("nsw-sic-bo", "9.14"),
        ("skycity-big-and-small", "8.l"),
    ):
        assert bound[key].binding is Binding.BOUND
