"""Injectors: faults of delivery. The lines themselves are honest."""

from __future__ import annotations

from typing import Any

from rounds.intake.protocol.table import SignRemoved
from rounds.simulator.faults.injector import register_injector
from rounds.simulator.faults.timeline_editor import TimelineEditor
from rounds.simulator.play.controller_output import LineDelivery, ReportedLine

OVER_SECONDS, UNDER_SECONDS = 3.0, 1.0
HELD_BACK_SECONDS = 900.0
SILENT_SECONDS = 300.0


def _pick_round_line(scene: TimelineEditor) -> ReportedLine:
    """A random round without another fault."""
    found = [line for line in scene.timeline.lines if scene.is_unfaulted(line) and line.kind == "round"]
    scene.require_candidate(bool(found))
    return scene.rng.choice(found)


def _plant_delivery_fault(scene: TimelineEditor, says: str, delivery: LineDelivery, **members: Any) -> None:
    line = _pick_round_line(scene)
    line.delivery = delivery
    scene.record_fault(line, says, **members)


@register_injector("FEED-GAP", is_live=True)
def skip_sequence_number(scene: TimelineEditor) -> None:
    """The number before this line was given to a line that is never sent."""
    _plant_delivery_fault(scene, "The number before this one is never sent.", LineDelivery(skips_number=True))


@register_injector("FEED-CONFLICT", is_live=True)
def resend_altered_line(scene: TimelineEditor) -> None:
    """A line is sent again under its number with other bytes."""
    says = "This number is sent a second time with other bytes."
    _plant_delivery_fault(scene, says, LineDelivery(is_resent_altered=True))


@register_injector("FEED-LATE", is_live=True)
def hold_back_line(scene: TimelineEditor) -> None:
    """A line is held back, so that later numbers arrive before it."""
    says = "This line is sent after all that followed it."
    _plant_delivery_fault(scene, says, LineDelivery(held_back_seconds=HELD_BACK_SECONDS))


@register_injector("FEED-SKEW")
def skew_controller_clock(scene: TimelineEditor) -> None:
    """A batch says it was sent three seconds before it was; another one second, which is near enough."""
    for case, seconds in (("over", OVER_SECONDS), ("under", UNDER_SECONDS)):
        says = f"The batch of this line says it was sent {seconds} s before it was."
        _plant_delivery_fault(
            scene,
            says,
            LineDelivery(sent_off_by_seconds=-seconds),
            case=case,
            finding=case == "over",
            figures={"seconds": seconds},
        )


@register_injector("FEED-SILENT", is_live=True, needs_clock=True)
def silence_controller(scene: TimelineEditor) -> None:
    """A controller says nothing for five minutes, then sends what it had kept."""
    says = "From this line on the controller was silent for five minutes."
    _plant_delivery_fault(scene, says, LineDelivery(silent_seconds=SILENT_SECONDS), also=("FEED-LATE",))


@register_injector("FEED-SIGNATURE", is_live=True)
def corrupt_signature(scene: TimelineEditor) -> None:
    """A batch arrives with a signature that does not fit, and is then sent properly."""
    says = "The batch of this line is first sent with a signature that does not fit."
    _plant_delivery_fault(scene, says, LineDelivery(is_signature_spoilt=True))


@register_injector("FEED-QUARANTINE", is_live=True)
def send_malformed_line(scene: TimelineEditor) -> None:
    """A line of a kind that nobody knows is sent; it uses up a number and ends in quarantine."""
    after = _pick_round_line(scene)
    line = scene.insert_line("sign-removed", after.at, SignRemoved(sign="planted"))
    line.delivery = LineDelivery(is_malformed=True)
    scene.record_fault(line, "This line is of a kind that nobody knows.")
