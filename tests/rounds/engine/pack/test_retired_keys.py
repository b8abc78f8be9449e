"""Keys that packs no longer have: shipped packs do not name them, and approved packs that do are still read."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from rounds.engine.pack.pack_file import PackFile, load_pack, parse_toml
from rounds.engine.pack.toml_schema import read_record
from rounds.rulepacks import PACK_FOLDER
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY, pack_of
from tests.rounds.engine.pack.test_pack_refusals import edited


def records(kind: Any, raw: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Every table of a pack with the dataclass that reads it."""
    if is_dataclass(kind) and isinstance(raw, dict):
        yield kind, raw
        hints = get_type_hints(kind)
        for each in fields(kind):
            if each.name in raw:
                yield from records(hints[each.name], raw[each.name])
    elif get_origin(kind) is tuple and isinstance(raw, list):
        for item in raw:
            yield from records(get_args(kind)[0], item)
    elif get_origin(kind) is Mapping:
        for item in raw.values():
            yield from records(get_args(kind)[1], item)
    elif get_origin(kind) is not None:
        for inner in get_args(kind):
            if inner is not NoneType:
                yield from records(inner, raw)


@pytest.mark.parametrize("slug", [NSW, RWS, MBS, SKYCITY, LICENSEE])
def test_shipped_packs_have_no_retired_key_and_packs_that_have_them_are_read(slug: str) -> None:
    table = parse_toml((PACK_FOLDER / f"{slug}.toml").read_bytes())
    for kind, raw in list(records(PackFile, table)):
        retired = getattr(kind, "RETIRED_KEYS", ())
        assert not {each.name for each in fields(kind)} & set(retired)
        assert not raw.keys() & set(retired)
        raw |= dict.fromkeys(retired, "whatever it was")
    read, shipped = read_record(PackFile, table), pack_of(slug)
    assert (read.law, read.conduct, read.duties) == (shipped.law, shipped.conduct, shipped.duties)


def test_an_approved_pack_from_before_is_loaded() -> None:
    before = edited(
        RWS,
        ("[duties]\n", '[duties]\nlate_discovery = { clause = "5.6" }\nrules_copy = "silent"\n'),
        ('not-flat = { clause = "5.3.2" }', 'not-flat = { clause = "5.3.2", earlier_rounds = "stand" }'),
    )
    assert load_pack(before, "before.toml").duties == pack_of(RWS).duties
