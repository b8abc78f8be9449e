"""The names (origins) under which a log signs: `<site>/<log>`, and `<site>/<epoch>/<log>` from its second epoch on.

After a loss, new entries reuse the indexes of lost ones. The new name ensures that no name and size ever has two roots.
The log comes last, where verifiers and witnesses of earlier releases expect it.
"""

import re

EPOCH_PATTERN = re.compile(r"epoch-([1-9][0-9]{0,8})-[0-9]{8}T[0-9]{6}Z")


def epoch_number_in(name: str) -> int:
    """The number of the epoch in a name; 1 if it has none."""
    return next((int(match[1]) for part in name.split("/") if (match := EPOCH_PATTERN.fullmatch(part))), 1)


def is_same_log(one: str, other: str) -> bool:
    """Whether two names belong to the same log, in any epochs."""
    return _strip_epoch(one) == _strip_epoch(other)


def _strip_epoch(name: str) -> list[str]:
    return [part for part in name.split("/") if not EPOCH_PATTERN.fullmatch(part)]


def is_later_epoch(name: str, than: str) -> bool:
    return is_same_log(name, than) and epoch_number_in(name) > epoch_number_in(than)
