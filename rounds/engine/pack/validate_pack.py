"""Validates a parsed pack: identity, lengths, cited clauses, role words, bindings, cards and readings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from math import prod

from rounds.engine.pack.clause_readings import set_dotted_key
from rounds.engine.pack.pack_file import ClauseEntry, Pack, PackFile, Reading
from rounds.engine.pack.payout_law import Law
from rounds.engine.pack.toml_schema import PackRefused, Problem, iterate_scalars, read_record, shorten_repr
from rounds.engine.pack.validate_law import find_law_problems
from rounds.engine.pack.vocabulary import Clause, RoleWord

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TIME_ZONE = re.compile(r"[A-Za-z_]+(/[A-Za-z_+\-0-9]+)+", re.ASCII)
_BINDING = re.compile(r"(check:[A-Z]+(-[A-Z0-9]+)+|record:[a-z]+(-[a-z]+)*|screen:[a-z_-]+(:[a-z_-]+)?)", re.ASCII)

# Bounds on what a pack can cost: house edges are computed for every number of decks and combination of readings.
MAX_DECKS = 20
MAX_CHOICES = 200
MAX_COMBINATIONS = 10_000
# Column widths of the models that store these texts (rule versions, findings).
MAX_SLUG_LENGTH, MAX_NAME_LENGTH, MAX_TITLE_LENGTH, MAX_WORD_LENGTH = 80, 120, 200, 80


def find_pack_problems(pack: Pack) -> Iterator[Problem]:
    yield from _identity_problems(pack)
    yield from _length_problems(pack)
    yield from _null_character_problems(pack)
    yield from _citation_problems(pack)
    yield from _role_name_problems(pack)
    for name, entry in pack.clauses.items():
        yield from _clause_binding_problems(f"clauses.{name}", entry)
    yield from find_law_problems(pack.law, "law")
    yield from _card_problems(pack)
    yield from find_clause_reading_problems(pack)


def _identity_problems(pack: Pack) -> Iterator[Problem]:
    if not _SLUG.fullmatch(pack.slug):
        yield Problem("slug", shorten_repr(pack.slug), "lower-case words joined by hyphens")
    if not _SHA256.fullmatch(pack.source_sha256):
        yield Problem("source_sha256", shorten_repr(pack.source_sha256), "64 hexadecimal digits")
    if pack.time_zone is not None and not _TIME_ZONE.fullmatch(pack.time_zone):
        yield Problem("time_zone", shorten_repr(pack.time_zone), "an IANA zone such as Asia/Singapore")
    if (pack.effective_at is None) != (pack.effective_as_printed is None):
        yield Problem(
            "effective_at", shorten_repr(pack.effective_at), "an instant where the document prints a date, only"
        )
    if pack.evidence.is_complete and pack.evidence.missing:
        yield Problem("evidence.is_complete", "true", "false while evidence.missing names something")


def _length_problems(pack: Pack) -> Iterator[Problem]:
    texts = [
        ("slug", pack.slug, MAX_SLUG_LENGTH),
        ("version", pack.name, MAX_NAME_LENGTH),
        ("title", pack.title, MAX_TITLE_LENGTH),
        *((f"clauses.{name}", name, MAX_WORD_LENGTH) for name in pack.clauses),
        *((f"readings.{name}", name, MAX_WORD_LENGTH) for name in pack.readings),
        *(
            (f"readings.{name}.choices.{choice}", choice, MAX_WORD_LENGTH)
            for name, reading in pack.readings.items()
            for choice in reading.choices
        ),
    ]
    for key, text, longest in texts:
        if len(text) > longest:
            yield Problem(key, f"{len(text):,} characters", f"at most {longest}")


def _null_character_problems(pack: Pack) -> Iterator[Problem]:
    """PostgreSQL cannot store the null character in text."""
    for key, _, value in iterate_scalars(PackFile, pack):
        if "\0" in key or (isinstance(value, str) and "\0" in value):
            yield Problem(key, "the character \\u0000", "a text without it")


def _citation_problems(pack: Pack) -> Iterator[Problem]:
    for key, kind, value in iterate_scalars(PackFile, pack):
        if kind is Clause and value not in pack.clauses:
            yield Problem(key, f"clause {value!r}", "a clause of this pack's clause map")


def _role_name_problems(pack: Pack) -> Iterator[Problem]:
    for key, kind, value in iterate_scalars(PackFile, pack):
        if kind is RoleWord and value not in pack.roles:
            yield Problem(key, f"role {value!r}", "one of this pack's roles: " + ", ".join(pack.roles))


def _clause_binding_problems(key: str, entry: ClauseEntry) -> Iterator[Problem]:
    """Class S needs a check; P a check, or a record and a screen; D a record or a screen; I may have no binding."""
    for binding in entry.bind:
        if not _BINDING.fullmatch(binding):
            yield Problem(f"{key}.bind", shorten_repr(binding), "check:CODE, record:name or screen:url-name")
    if not entry.classes:
        yield Problem(f"{key}.classes", "none", "one or more of S, P, D, I")
    if entry.not_automated_because:
        if entry.bind or set(entry.classes) != {"I"}:
            yield Problem(f"{key}.not_automated_because", shorten_repr(entry.classes), "class I alone and no binding")
        return
    kinds = {binding.partition(":")[0] for binding in entry.bind}
    needs = {
        "S": ("a check", "check" in kinds),
        "P": ("a check, or a record with its screen", "check" in kinds or {"record", "screen"} <= kinds),
        "D": ("a record or a screen", bool({"record", "screen"} & kinds)),
        "I": ("a binding, or the reason why it is not automated", bool(kinds)),
    }
    for letter in entry.classes:
        needed, is_met = needs[letter]
        if not is_met:
            yield Problem(f"{key}.bind", shorten_repr(list(entry.bind)), f"{needed}, because it is of class {letter}")


def _card_problems(pack: Pack) -> Iterator[Problem]:
    cards = pack.conduct.cards
    if (cards is not None) != (pack.conduct.result.source == "cards"):
        yield Problem("conduct.cards", shorten_repr(cards), "decks exactly where the result comes from cards")
    if cards is None:
        return
    if cards.fewest_decks > cards.most_decks:
        yield Problem("conduct.cards.fewest_decks", str(cards.fewest_decks), f"at most {cards.most_decks}")
    if cards.most_decks > MAX_DECKS:
        yield Problem("conduct.cards.most_decks", str(cards.most_decks), f"at most {MAX_DECKS}")
    if cards.cards_a_deck != 6 * cards.cards_a_face:
        yield Problem("conduct.cards.cards_a_deck", str(cards.cards_a_deck), f"six faces of {cards.cards_a_face}")


def find_clause_reading_problems(pack: Pack) -> Iterator[Problem]:
    counts = [max(1, len(reading.choices)) for reading in pack.readings.values()]
    if sum(counts) > MAX_CHOICES:
        yield Problem("readings", f"{sum(counts):,} choices in all", f"at most {MAX_CHOICES}")
        return
    combinations = prod(counts)
    if combinations > MAX_COMBINATIONS:
        found = f"{combinations:,} ways to combine the choices"
        yield Problem("readings", found, f"at most {MAX_COMBINATIONS:,}: every one of them is worked out")
        return
    set_by: dict[str, str] = {}
    for name, reading in pack.readings.items():
        yield from _default_choice_problems(f"readings.{name}", reading)
        for choice_name, choice in reading.choices.items():
            key = f"readings.{name}.choices.{choice_name}.sets"
            for changed in choice.sets:
                rival = next(
                    (by for other, by in set_by.items() if _do_keys_overlap(other, changed) and by != name), None
                )
                if rival is not None:
                    yield Problem(key, f"{changed!r}, which reading {rival} sets too", "keys no other reading touches")
                set_by[changed] = name
            if choice.sets:
                yield from _choice_problems(pack, key, choice.sets)


def _default_choice_problems(key: str, reading: Reading) -> Iterator[Problem]:
    if reading.default not in reading.choices:
        yield Problem(f"{key}.default", shorten_repr(reading.default), "one of " + ", ".join(reading.choices))
    if len(reading.choices) < 2:
        yield Problem(f"{key}.choices", str(len(reading.choices)), "the default and at least one alternative")
    for name, choice in reading.choices.items():
        if (name == reading.default) == bool(choice.sets):
            expected = "nothing: the law as written is the default" if choice.sets else "at least one key of the law"
            yield Problem(f"{key}.choices.{name}.sets", shorten_repr(dict(choice.sets)), expected)


def _do_keys_overlap(one: str, other: str) -> bool:
    """Whether setting one key would overwrite the other: they are equal, or one contains the other."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _choice_problems(pack: Pack, key: str, sets: object) -> Iterator[Problem]:
    assert isinstance(sets, dict)
    table = deepcopy(dict(pack.law_table))
    for changed, value in sets.items():
        if not set_dotted_key(table, changed, value):
            yield Problem(key, f"{changed!r} = {shorten_repr(value)}", "a key of the law, and a value that changes it")
            return
    try:
        law = read_record(Law, table, "law")
    except PackRefused as refusal:
        yield from (Problem(f"{key} → {each.key}", each.found, each.expected) for each in refusal.problems)
        return
    if law == pack.law:
        yield Problem(key, "a law that is the same as before", "a choice that changes the law")
    yield from (Problem(f"{key} → {each.key}", each.found, each.expected) for each in find_law_problems(law, "law"))
