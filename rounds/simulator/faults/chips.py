"""Injectors: colour chips, vouchers, and posted odds."""

from __future__ import annotations

from rounds.engine import format_odds
from rounds.intake.protocol.chips import ChipsIssued, ChipsRedeemed, VoucherExchanged
from rounds.intake.protocol.round import ColourValue
from rounds.intake.protocol.table import PostedOddsShown
from rounds.simulator.faults.injector import register_injector
from rounds.simulator.faults.timeline_editor import TimelineEditor, is_no_triple, losing_side
from rounds.simulator.play.table_config import TableConfig

CHIP_CENTS = 100
RARE_COLOUR = "silver"


def _has_colour_chips(set_up: TableConfig) -> bool:
    return set_up.pack.duties.colour_chips is not None


def _issue_chips(
    scene: TimelineEditor,
    *,
    player: str,
    value: int | None = None,
    marker: int | None = None,
    agreed: bool | None = None,
    colour: str = RARE_COLOUR,
) -> ChipsIssued:
    return ChipsIssued(
        set=scene.set_up.table.upper(),
        colour=colour,
        value=value or scene.limits.min,
        chips=20,
        player=player,
        marker=marker,
        agreed=agreed,
    )


@register_injector("CHIPS-VALUE", fits=_has_colour_chips)
def omit_chip_marker(scene: TimelineEditor) -> None:
    """Colour chips worth more than the minimum are issued without a marker."""
    pause = scene.pick_pause()
    body = _issue_chips(scene, player="p-80", value=scene.limits.min * 5, colour="bronze")
    line = scene.insert_line("chips-issued", pause.spread_instants(1)[0], body)
    scene.record_fault(line, "Chips worth five times the minimum were issued without a marker.")


@register_injector("CHIPS-COLOUR", fits=_has_colour_chips)
def issue_second_colour(scene: TimelineEditor) -> None:
    """One player is issued two colours and nobody allowed it."""
    pause = scene.pick_pause()
    first, second = pause.spread_instants(2)
    scene.insert_line("chips-issued", first, _issue_chips(scene, player="p-81"))
    line = scene.insert_line("chips-issued", second, _issue_chips(scene, player="p-81", colour="copper"))
    scene.record_fault(line, "One player was issued a second colour and nobody had allowed it.")


@register_injector("CHIPS-ELSEWHERE", fits=_has_colour_chips)
def wager_chips_of_other_table(scene: TimelineEditor) -> None:
    """A wager is made with colour chips that another table issued."""
    line = scene.pick_round(is_no_triple)
    body = scene.round_body(line)
    value = scene.limits_of_round(line).min
    chips = ColourValue(colour="grey", value=value, issued_at="elsewhere-01")
    spot = scene.add_wager(
        line,
        bet=losing_side(body),
        stake=value,
        verdict="lose",
        returned=0,
        tender="colour-checks",
        chips=chips,
    )
    scene.record_wager_fault(spot, "The wager was made with chips that another table had issued.")


@register_injector("CHIPS-REDEEMED", fits=_has_colour_chips)
def redeem_chips_of_other_table(scene: TimelineEditor) -> None:
    """Colour chips of another table, which is open, are redeemed here."""
    pause = scene.pick_pause()
    value = scene.limits.min
    body = ChipsRedeemed(
        set="ELSEWHERE",
        colour="grey",
        value=value,
        chips=10,
        paid=10 * value,
        issued_at="elsewhere-01",
        player="p-82",
        issuer_closed=False,
    )
    line = scene.insert_line("chips-redeemed", pause.spread_instants(1)[0], body)
    scene.record_fault(line, "Chips of another table, which was open, were redeemed here.")


@register_injector("VOUCHER-VALUE", fits=lambda set_up: set_up.pack.duties.voucher is not None)
def underpay_voucher(scene: TimelineEditor) -> None:
    """A voucher is exchanged for tokens worth a dollar less."""
    pause = scene.pick_pause()
    body = VoucherExchanged(
        voucher="V-planted", value=5_000, tokens=5_000 - CHIP_CENTS, player="p-83", conditions_met=True
    )
    line = scene.insert_line("voucher-exchanged", pause.spread_instants(1)[0], body)
    scene.record_fault(line, "A voucher was exchanged for a dollar less than its value.", amount=-CHIP_CENTS)


@register_injector("ODDS-BELOW-MINIMUM", fits=lambda set_up: set_up.pack.duties.posted_odds is not None)
def post_odds_below_minimum(scene: TimelineEditor) -> None:
    """Odds one below the least are posted for a moment; then exactly the least; then the usual ones again."""
    least = scene.set_up.rules_at(scene.set_up.seat_places[0]).bets["total:4"].levels[0].odds
    pause = scene.pick_pause()
    instants = iter(pause.spread_instants(3))
    usual = {"total:4": format_odds(least), **scene.set_up.posted_odds}
    for case, odds in (("under", least - 1), ("at", least)):
        posted = format_odds(odds)
        shown = PostedOddsShown(odds={**usual, "total:4": posted})
        line = scene.insert_line("posted-odds-shown", next(instants), shown)
        says = f"{posted} was posted for a total of 4; the least is {format_odds(least)}."
        scene.record_fault(line, says, case=case, finding=case == "under")
    scene.insert_line("posted-odds-shown", next(instants), PostedOddsShown(odds=usual))


@register_injector("ODDS-WORDING", fits=lambda set_up: set_up.pack.duties.odds_wording is not None)
def post_odds_with_forbidden_word(scene: TimelineEditor) -> None:
    """A brochure states odds with a word that the document forbids."""
    duty = scene.pack.duties.odds_wording
    assert duty is not None
    pause = scene.pick_pause()
    wording = f"Triple: 151 {duty.words_forbidden[0]} 1"
    usual = scene.set_up.posted_odds.get("total:4", "50 to 1")
    body = PostedOddsShown(odds={"total:4": usual}, where="brochure", wording=wording)
    line = scene.insert_line("posted-odds-shown", pause.spread_instants(1)[0], body)
    scene.record_fault(line, f"A brochure said {wording!r}.")
