"""Faults of the feed: what was said is honest, how it was delivered is not."""

from __future__ import annotations

from typing import Any

from rounds.intake.kinds.table import SignRemoved
from rounds.simulator.faults.injector import injects
from rounds.simulator.faults.scene import Scene
from rounds.simulator.said import Delivery, Said

OVER_SECONDS, UNDER_SECONDS = 3.0, 1.0
HELD_BACK_SECONDS = 900.0
SILENT_SECONDS = 300.0


def _some_line(scene: Scene) -> Said:
    """Any round that bears no other fault."""
    found = [said for said in scene.timeline.said if scene.is_free(said) and said.kind == "round"]
    scene.need(bool(found))
    return scene.rng.choice(found)


def _deliver(scene: Scene, code: str, says: str, delivery: Delivery, **members: Any) -> None:
    said = _some_line(scene)
    said.delivery = delivery
    scene.plant(code, said, says, **members)


@injects("FEED-GAP", is_live=True)
def skip_a_number(scene: Scene) -> None:
    """The number before this line was given to a line that is never sent."""
    _deliver(scene, "FEED-GAP", "The number before this one is never sent.", Delivery(skips_number=True))


@injects("FEED-CONFLICT", is_live=True)
def resend_altered(scene: Scene) -> None:
    """A line is sent again under its number with other bytes."""
    says = "This number is sent a second time with other bytes."
    _deliver(scene, "FEED-CONFLICT", says, Delivery(is_resent_altered=True))


@injects("FEED-LATE", is_live=True)
def hold_back(scene: Scene) -> None:
    """A line is held back, so that later numbers arrive before it."""
    says = "This line is sent after all that followed it."
    _deliver(scene, "FEED-LATE", says, Delivery(held_back_seconds=HELD_BACK_SECONDS))


@injects("FEED-SKEW")
def skew_the_clock(scene: Scene) -> None:
    """A batch says it was sent three seconds before it was; another one second, which is near enough."""
    for case, seconds in (("over", OVER_SECONDS), ("under", UNDER_SECONDS)):
        says = f"The batch of this line says it was sent {seconds} s before it was."
        _deliver(
            scene, "FEED-SKEW", says, Delivery(sent_off_by_seconds=-seconds), case=case, finding=case == "over",
            figures={"seconds": seconds},
        )  # fmt: skip


@injects("FEED-SILENT", is_live=True, needs_clock=True)
def fall_silent(scene: Scene) -> None:
    """A controller says nothing for five minutes, then sends what it had kept."""
    says = "From this line on the controller was silent for five minutes."
    _deliver(scene, "FEED-SILENT", says, Delivery(silent_seconds=SILENT_SECONDS), also=("FEED-LATE",))


@injects("FEED-SIGNATURE", is_live=True)
def spoil_a_signature(scene: Scene) -> None:
    """A batch arrives with a signature that does not fit, and is then sent properly."""
    says = "The batch of this line is first sent with a signature that does not fit."
    _deliver(scene, "FEED-SIGNATURE", says, Delivery(is_signature_spoilt=True))


@injects("FEED-QUARANTINE", is_live=True)
def send_a_malformed_line(scene: Scene) -> None:
    """A line of a kind that nobody knows is sent; it uses up a number and ends in quarantine."""
    after = _some_line(scene)
    said = scene.insert("sign-removed", after.at, SignRemoved(sign="planted"))
    said.delivery = Delivery(is_malformed=True)
    scene.plant("FEED-QUARANTINE", said, "This line is of a kind that nobody knows.")
