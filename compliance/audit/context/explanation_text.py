"""How the amount of a finding was worked out, as text for pages and reports. Findings record the engine's sentences,
which contain codes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rounds.engine import BETS
from rounds.rulebook.labels import bet_label, box_name, void_reason_label
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, rules_of

# Findings recorded before the engine said "Due" end with this.
_EARLIER_DUE = re.compile(r"^Handed back: ")
_BET_CODE = re.compile(r"^[a-z]\S*(?= (?:wins|loses|is)\b)")
_VOID_REASON = re.compile(r"(?<=^The round has no result \()[a-z-]+(?=\))")


def explanation_text(version: RuleVersion | None, sentences: Iterable[str]) -> list[str]:
    """The sentences, with the names of boxes and void reasons instead of their codes."""
    rules = rules_of(version, next(iter(pack_of(version).law.pay_table))) if version else None

    def bet_name(found: re.Match[str]) -> str:
        code = found[0]
        return box_name(rules, BETS[code]) if rules is not None and code in BETS else bet_label(code)

    def in_words(sentence: str) -> str:
        named = _BET_CODE.sub(bet_name, _EARLIER_DUE.sub("Due: ", sentence))
        return _VOID_REASON.sub(lambda found: void_reason_label(found[0]).lower(), named)

    return [in_words(sentence) for sentence in sentences]
