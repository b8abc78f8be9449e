"""Line bodies about chips without denomination (issued, redeemed) and vouchers."""

from __future__ import annotations

from rounds.intake.protocol.errors import MalformedLine
from rounds.intake.protocol.fields import Body, Cents, Count, Name, Pseudonym, Seat, Slug, Staff, Stake


def _check_holder(player: str | None, seat: int | None) -> None:
    if player is None and seat is None:
        raise MalformedLine("no-player", "Say whose they are: a player's pseudonym or a seat.", "/player")


class ChipsIssued(Body, frozen=True, kw_only=True):
    """Chips of one colour handed to a player. `marker`: the value on the marker button, if one was set.

    `agreed`: whoever holds this colour already agreed. `approved_by`: who allowed a further colour. `declared`: false
    where the player named no value.
    """

    set: Name
    colour: Slug
    value: Stake
    chips: Count
    player: Pseudonym | None = None
    seat: Seat | None = None
    marker: Stake | None = None
    agreed: bool | None = None
    approved_by: Staff | None = None
    declared: bool | None = None

    def check(self) -> None:
        _check_holder(self.player, self.seat)


class ChipsRedeemed(Body, frozen=True, kw_only=True):
    """Chips handed back. `issued_at` is the table they came from, `issuer_closed` whether it was closed then."""

    set: Name
    colour: Slug
    value: Stake
    chips: Count
    paid: Cents
    issued_at: Slug
    player: Pseudonym | None = None
    seat: Seat | None = None
    issuer_closed: bool | None = None

    def check(self) -> None:
        _check_holder(self.player, self.seat)


class VoucherExchanged(Body, frozen=True, kw_only=True):
    """A promotional voucher of this value became tokens of that value. `conditions_met`: those printed on it."""

    voucher: Name
    value: Stake
    tokens: Cents
    player: Pseudonym | None = None
    seat: Seat | None = None
    conditions_met: bool | None = None
    by: Staff | None = None

    def check(self) -> None:
        _check_holder(self.player, self.seat)
