"""What the status page says of witnesses."""

from datetime import datetime

from compliance.web.health import Reading, register_check
from compliance.witnesses.models import Witness
from compliance.witnesses.standing import Standing, standing_of


def register_checks() -> None:
    register_check("witnesses", check_witnesses, is_vital=False)


def check_witnesses(now: datetime) -> Reading:
    standings = [standing_of(one, now) for one in Witness.objects.filter(end=None).select_related("casino")]
    for state in (Standing.DISAGREES, Standing.BEHIND):
        for stands in standings:
            if stands.state is state:
                words = "disagrees with" if state is Standing.DISAGREES else "fell behind on"
                return Reading(False, f"{stands.witness.name} {words} {stands.witness.casino.slug}.")
    if not standings:
        return Reading(True, "No witness is registered.")
    return Reading(True, "Every witness agrees and is up to date.")
