"""Consumer: an untrusted controller raises one alert to those responsible, until somebody acknowledges it."""

from datetime import timedelta

from django.utils import timezone

from compliance.core.accounts.roles import Role
from compliance.notify.alerts.consumer import consume_feed_entries
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.services import acknowledge_alert
from rounds.floor.models import ControllerKey
from rounds.intake.services.rejected_signatures import (
    record_refused_signature,
    record_remaining_counts,
    record_unknown_key,
)
from tests.rounds.floor.crew import Crew
from tests.rounds.intake.controller_client import Feeder, feeder_at

TOLD = [Role.COMPLIANCE_OFFICER, Role.CASINO_SUPERVISOR]


def told() -> list[tuple[str, str]]:
    consume_feed_entries(timezone.now)
    return list(Alert.objects.order_by("pk").values_list("table", "statement"))


def conflict(feeder: Feeder, sequence: int) -> None:
    line = feeder.line_at(sequence)
    assert feeder.send(line).status_code == 200
    assert feeder.send(line[:1] + b" " + line[1:]).status_code == 409


def test_a_conflict_is_told_once_until_somebody_looks(crew: Crew) -> None:
    feeder = feeder_at(crew)
    conflict(feeder, 1)
    conflict(feeder, 2)
    words = ("sb-1", "box-1 sends other bytes under a number it has used before. The first ones stand.")
    assert told() == [words]
    assert told() == [words]
    alert = Alert.objects.get()
    assert (alert.to, alert.duty, alert.about_log) == (TOLD, "feed-not-trusted", "harbour")
    acknowledge_alert(alert=alert, actor=crew.cora, now=timezone.now())
    conflict(feeder, 3)
    assert told() == [words, words]


def test_a_signature_that_does_not_fit_and_a_key_that_nobody_has(crew: Crew) -> None:
    feeder_at(crew)
    record_refused_signature(key=ControllerKey.objects.get(), why="bad-signature", now=timezone.now())
    record_unknown_key(key_id="f" * 16, tables={"sb-1"}, now=timezone.now())
    assert told() == [
        ("", "Batches under the key of box-1 are not signed by it, and are refused."),
        ("sb-1", "Somebody speaks for sb-1 with a key that no controller has. What they send is refused."),
    ]


def test_what_names_no_table_of_anybodys_has_nobody_to_be_told(crew: Crew) -> None:
    record_unknown_key(key_id="f" * 16, tables=set(), now=timezone.now())
    record_remaining_counts(now=timezone.now() + timedelta(minutes=2))
    assert told() == []
