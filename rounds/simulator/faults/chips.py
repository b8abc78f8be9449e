"""Chips without a denomination, vouchers, and odds as they are posted."""

from __future__ import annotations

from rounds.engine.odds import format_odds
from rounds.intake.kinds.chips import ChipsIssued, ChipsRedeemed, VoucherExchanged
from rounds.intake.kinds.table import PostedOddsShown
from rounds.simulator.faults.injector import injects
from rounds.simulator.faults.scene import Scene
from rounds.simulator.set_up import TableSetUp

A_CHIP = 100
RARE_COLOUR = "silver"


def _has_colour_chips(set_up: TableSetUp) -> bool:
    return set_up.pack.duties.colour_chips is not None


def _issued(scene: Scene, *, player: str, value: int | None = None, marker: int | None = None,
            agreed: bool | None = None, colour: str = RARE_COLOUR) -> ChipsIssued:  # fmt: skip
    return ChipsIssued(
        set=scene.set_up.table.upper(), colour=colour, value=value or scene.limits.min, chips=20, player=player,
        marker=marker, agreed=agreed,
    )  # fmt: skip


@injects("CHIPS-VALUE", fits=_has_colour_chips)
def leave_out_the_marker(scene: Scene) -> None:
    """Colour chips worth more than the minimum are issued without a marker."""
    pause = scene.pick_pause()
    body = _issued(scene, player="p-80", value=scene.limits.min * 5, colour="bronze")
    said = scene.insert("chips-issued", pause.instants(1)[0], body)
    scene.plant("CHIPS-VALUE", said, "Chips worth five times the minimum were issued without a marker.")


@injects("CHIPS-COLOUR", fits=_has_colour_chips)
def issue_a_second_colour(scene: Scene) -> None:
    """One player is issued two colours and nobody allowed it."""
    pause = scene.pick_pause()
    first, second = pause.instants(2)
    scene.insert("chips-issued", first, _issued(scene, player="p-81"))
    said = scene.insert("chips-issued", second, _issued(scene, player="p-81", colour="copper"))
    scene.plant("CHIPS-COLOUR", said, "One player was issued a second colour and nobody had allowed it.")


@injects("CHIPS-REDEEMED", fits=_has_colour_chips)
def redeem_elsewhere(scene: Scene) -> None:
    """Colour chips of another table, which is open, are redeemed here."""
    pause = scene.pick_pause()
    value = scene.limits.min
    body = ChipsRedeemed(
        set="ELSEWHERE", colour="grey", value=value, chips=10, paid=10 * value, issued_at="elsewhere-01",
        player="p-82", issuer_closed=False,
    )  # fmt: skip
    said = scene.insert("chips-redeemed", pause.instants(1)[0], body)
    scene.plant("CHIPS-REDEEMED", said, "Chips of another table, which was open, were redeemed here.")


@injects("VOUCHER-VALUE", fits=lambda set_up: set_up.pack.duties.voucher is not None)
def short_change_a_voucher(scene: Scene) -> None:
    """A voucher is exchanged for tokens worth a dollar less."""
    pause = scene.pick_pause()
    body = VoucherExchanged(voucher="V-planted", value=5_000, tokens=5_000 - A_CHIP, player="p-83", conditions_met=True)
    said = scene.insert("voucher-exchanged", pause.instants(1)[0], body)
    scene.plant("VOUCHER-VALUE", said, "A voucher was exchanged for a dollar less than its value.", amount=-A_CHIP)


@injects("ODDS-BELOW-MINIMUM", fits=lambda set_up: set_up.pack.duties.posted_odds is not None)
def post_below_the_minimum(scene: Scene) -> None:
    """Odds one below the least are posted for a moment; then exactly the least; then the usual ones again."""
    least = scene.set_up.rules(scene.set_up.places[0]).bets["total:4"].levels[0].odds
    pause = scene.pick_pause()
    instants = iter(pause.instants(3))
    usual = {"total:4": format_odds(least), **scene.set_up.posted_odds}
    for case, odds in (("under", least - 1), ("at", least)):
        posted = format_odds(odds)
        shown = PostedOddsShown(odds={**usual, "total:4": posted})
        said = scene.insert("posted-odds-shown", next(instants), shown)
        says = f"{posted} was posted for a total of 4; the least is {format_odds(least)}."
        scene.plant("ODDS-BELOW-MINIMUM", said, says, case=case, finding=case == "under")
    scene.insert("posted-odds-shown", next(instants), PostedOddsShown(odds=usual))


@injects("ODDS-WORDING", fits=lambda set_up: set_up.pack.duties.odds_wording is not None)
def word_odds_wrongly(scene: Scene) -> None:
    """A brochure states odds with a word that the document forbids."""
    duty = scene.pack.duties.odds_wording
    assert duty is not None
    pause = scene.pick_pause()
    wording = f"Triple: 151 {duty.words_forbidden[0]} 1"
    usual = scene.set_up.posted_odds.get("total:4", "50 to 1")
    body = PostedOddsShown(odds={"total:4": usual}, where="brochure", wording=wording)
    said = scene.insert("posted-odds-shown", pause.instants(1)[0], body)
    scene.plant("ODDS-WORDING", said, f"A brochure said {wording!r}.")
