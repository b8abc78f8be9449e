"""Registry of functions that return the rule packs to include in a bundle.

The app that approves packs registers one.
"""

from collections.abc import Callable, Iterable, Iterator

# (log, last) → name and bytes of each rule pack that an entry before `last` approved.
RulePackSource = Callable[[str, int], Iterable[tuple[str, bytes]]]

_SOURCES: dict[str, RulePackSource] = {}


def register_rule_pack_source(name: str, packs: RulePackSource) -> None:
    if _SOURCES.setdefault(name, packs) != packs:
        raise ValueError(f"Two apps attach packs under the name {name!r}.")


def rule_packs_up_to(log: str, last: int) -> Iterator[tuple[str, bytes]]:
    """The rule packs that a reader needs to check the entries before `last`."""
    for packs in _SOURCES.values():
        yield from packs(log, last)
