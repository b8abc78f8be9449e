"""No time may be more than a day ahead: every timestamp of every kind, at exactly a day and just past it."""

import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from rounds.intake.protocol.envelope import LINE_KINDS, LINE_TYPES, line_schemas, parse_line
from rounds.intake.protocol.errors import MalformedLine
from rounds.intake.protocol.examples import BODIES
from rounds.intake.protocol.timestamps import check_timestamps

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
A_DAY_AHEAD, PAST_IT = NOW + timedelta(days=1), NOW + timedelta(days=1, milliseconds=1)


def fields(schema: dict[str, Any], path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every date-time in a kind's published schema; in lists, of the first element."""
    if "$ref" in schema:
        yield from fields(line_schemas()[schema["$ref"].rsplit("/", 1)[1]], path)
    if schema.get("format") == "date-time":
        yield path
    for each in schema.get("anyOf", ()):
        yield from fields(each, path)
    for name, member in schema.get("properties", {}).items():
        yield from fields(member, (*path, name))
    if isinstance(schema.get("items"), dict):
        yield from fields(schema["items"], (*path, 0))


# Announced times are exempt: a sign may announce next week.
ANNOUNCED = [("sign-shown", ("body", "change_at")), ("sign-shown", ("body", "closure_at"))]
CASES = [
    (kind.name, path)
    for kind in LINE_KINDS
    for path in fields(line_schemas()[LINE_TYPES[kind.name].__name__])
    if (kind.name, path) not in ANNOUNCED
]
# Minimal values for members that the examples lack on the path to a field.
ADDED: dict[tuple[str | int, ...], Any] = {
    ("body", "wagers", 0, "changes"): [{"what": "withdrawn"}],
    ("body", "no_result"): {"reason": "broken"},
    ("body", "wagers", 0, "refusal"): {"grounds": "other"},
    ("body", "told"): [{"position": "inspector"}],
}


def line_with(kind: str, path: tuple[str | int, ...], instant: datetime) -> bytes:
    line = {"kind": kind, "table": "sb-1", "sequence": 1, "at": NOW.isoformat(), "body": copy.deepcopy(BODIES[kind])}
    part: Any = line
    for place, step in enumerate(path[:-1], start=1):
        if isinstance(step, str) and not part.get(step):
            part[step] = copy.deepcopy(ADDED[path[:place]])
        part = part[step]
    part[path[-1]] = instant.isoformat()
    return json.dumps(line).encode()


def test_the_schemas_have_times_to_look_at() -> None:
    found = {(kind, "/".join(map(str, path))) for kind, path in CASES}
    assert {
        ("round", "body/wagers/0/changes/0/at"),
        ("round", "body/no_result/at"),
        ("fault", "body/play_ceased_at"),
        ("table-closed", "body/told/0/at"),
        ("heartbeat", "at"),
    } <= found


@pytest.mark.parametrize(("kind", "path"), CASES)
def test_a_day_ahead_is_taken_and_a_moment_more_is_refused_with_its_field(
    kind: str, path: tuple[str | int, ...]
) -> None:
    check_timestamps(parse_line(line_with(kind, path, A_DAY_AHEAD)), NOW)
    with pytest.raises(MalformedLine) as refused:
        check_timestamps(parse_line(line_with(kind, path, PAST_IT)), NOW)
    assert (refused.value.code, refused.value.field) == ("too-far-ahead", "/" + "/".join(map(str, path)))


@pytest.mark.parametrize(("kind", "path"), ANNOUNCED)
def test_what_a_sign_announces_may_lie_ahead(kind: str, path: tuple[str | int, ...]) -> None:
    check_timestamps(parse_line(line_with(kind, path, NOW + timedelta(days=8))), NOW)
