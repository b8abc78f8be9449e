"""The names under which a log signs: `<site>/<log>`, and `<site>/<epoch>/<log>` from its second epoch on.

Entries that were lost leave their numbers to others. Under a new name nobody is ever shown two roots for one name and
size. The log stands last, so that verifiers and witnesses of earlier releases find it.
"""

import re

EPOCH = re.compile(r"epoch-([1-9][0-9]{0,8})-[0-9]{8}T[0-9]{6}Z")


def epoch_in(name: str) -> int:
    """The number of the epoch that a name is of."""
    return next((int(found[1]) for part in name.split("/") if (found := EPOCH.fullmatch(part))), 1)


def are_of_one_log(one: str, other: str) -> bool:
    """Whether two names are of the same log, in whatever epochs."""
    return _without_epoch(one) == _without_epoch(other)


def _without_epoch(name: str) -> list[str]:
    return [part for part in name.split("/") if not EPOCH.fullmatch(part)]


def is_later_epoch(name: str, than: str) -> bool:
    return are_of_one_log(name, than) and epoch_in(name) > epoch_in(than)
