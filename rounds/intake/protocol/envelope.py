"""The envelope of a line (kind, table, sequence, time) around one of the known bodies, and the registry of kinds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Annotated, Any, ClassVar, Union

import msgspec
from msgspec import Meta

from rounds.intake.protocol import chips, equipment, table
from rounds.intake.protocol.errors import MalformedLine, explain_validation_error
from rounds.intake.protocol.fields import Body, Instant, Slug
from rounds.intake.protocol.round import Round
from rounds.transparency_log import formats

HEARTBEAT = "heartbeat"


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind"):
    """One line of a batch. `sequence` is the controller's own counter for that table: 1, 2, 3, without gaps."""

    table: Slug
    sequence: Annotated[int, Meta(ge=0, le=formats.MAX_INTEGER)]
    at: Instant
    body: Any

    # Set by _line_type() for each kind.
    kind: ClassVar[str] = ""
    is_leaf: ClassVar[bool] = True


@dataclass(frozen=True)
class LineKind:
    """A kind of line. `recorded_as`: the kind of its ledger entry, if it differs. The entry kind `correction` is used
    for corrections by people, so a controller's correction needs another."""

    name: str
    body: type[Body]
    meaning: str
    recorded_as: str = ""

    @property
    def entry_kind(self) -> str:
        return self.recorded_as or self.name


LINE_KINDS = (
    LineKind("round", Round, "A round of play: its events, its result, its wagers and what was returned."),
    LineKind("table-opened", table.TableOpened, "A table was opened for play."),
    LineKind("table-closed", table.TableClosed, "A table was closed: who was there, and who had been told."),
    LineKind(HEARTBEAT, table.Heartbeat, "The controller is there. Not kept as an entry."),
    LineKind("sign-shown", table.SignShown, "A sign went up at the table, with what it states."),
    LineKind("sign-removed", table.SignRemoved, "A sign came down, or its screen was lost."),
    LineKind("limits-changed", table.LimitsChanged, "The table's limits changed."),
    LineKind("posted-odds-shown", table.PostedOddsShown, "Odds as they are posted at the table."),
    LineKind("fault", equipment.Fault, "Equipment of the table fails."),
    LineKind("fault-cleared", equipment.FaultCleared, "A fault of the table's equipment is mended."),
    LineKind("dice-placed", equipment.DicePlaced, "A set of dice was put to use at the table."),
    LineKind("dice-removed", equipment.DiceRemoved, "A set of dice left the table."),
    LineKind("shaker-placed", equipment.ShakerPlaced, "A shaker was put to use at the table."),
    LineKind("shaker-removed", equipment.ShakerRemoved, "A shaker left the table."),
    LineKind("inspection", equipment.Inspection, "Equipment of the table was tried before play."),
    LineKind("shoe-changed", equipment.ShoeChanged, "A shoe of cards came into play."),
    LineKind("deck-count", equipment.DeckCount, "The cards of a shoe were counted."),
    LineKind("foreign-card", equipment.ForeignCard, "A card that does not belong was found."),
    LineKind("terminal-interrupted", table.Interrupted, "Terminals lost play."),
    LineKind("terminal-restored", table.Restored, "Terminals take part again."),
    LineKind("streak-state", table.StreakState, "What the table's screen showed of the streaks."),
    LineKind("chips-issued", chips.ChipsIssued, "Chips without a denomination were issued to a player."),
    LineKind("chips-redeemed", chips.ChipsRedeemed, "Chips without a denomination were handed back."),
    LineKind("voucher-exchanged", chips.VoucherExchanged, "A promotional voucher became tokens."),
    LineKind(
        "correction",
        table.Correction,
        "A controller says that an earlier line of its own was wrong.",
        recorded_as="controller-correction",
    ),
)
LINE_KIND_BY_NAME = {kind.name: kind for kind in LINE_KINDS}
ENTRY_KIND_BY_NAME = {kind.name: kind.entry_kind for kind in LINE_KINDS}


def _line_type(kind: LineKind) -> type[Line]:
    """Creates the struct of a kind, equivalent to `class RoundLine(Line, tag="round"): body: Round`."""
    name = kind.name.title().replace("-", "") + "Line"
    return msgspec.defstruct(  # type: ignore[return-value]
        name,
        [("body", kind.body)],
        bases=(Line,),
        tag=kind.name,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        gc=False,
        module=__name__,
        namespace={"__doc__": kind.meaning, "kind": kind.name, "is_leaf": kind.name != HEARTBEAT},
    )


LINE_TYPES: dict[str, type[Line]] = {kind.name: _line_type(kind) for kind in LINE_KINDS}
_DECODER: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Union[tuple(LINE_TYPES.values())])  # noqa: UP007


def parse_line(line: bytes) -> Line:
    """Parses a line. Raises MalformedLine if it does not match its schema. Breaches of gaming rules are accepted here;
    the audit finds them."""
    try:
        read = _DECODER.decode(line)
    except msgspec.ValidationError as error:
        raise explain_validation_error(error) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise MalformedLine("not-json", "The line is not one whole JSON object.") from None
    check = getattr(read.body, "check", None)
    if check is not None:
        try:
            check()
        except MalformedLine as problem:
            raise problem.with_field_prefix("/body") from None
    if read.is_leaf and read.sequence < 1:
        raise MalformedLine("bad-sequence", "The first line of a table has sequence 1.", "/sequence")
    return read


def encode_line(*, kind: str, table: str, sequence: int, at: datetime, body: Body) -> bytes:
    """The bytes of a line, without its newline. Used by the simulator, forms and tests."""
    return msgspec.json.encode(LINE_TYPES[kind](table=table, sequence=sequence, at=at, body=body))


@cache
def line_schemas() -> dict[str, Any]:
    """JSON Schemas of all kinds of lines and of the components they share, by name."""
    types = list(LINE_TYPES.values())
    _, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    return dict(components)
