"""How many rounds of twenty wagers one web process takes in a second of its processor. Not part of the suite.

.venv/bin/pytest tests/bench/intake_speed.py -n0 -s [ROUNDS=20000] [PROFILE=file.prof]
"""

import cProfile
import os
import time
from base64 import b64encode
from datetime import timedelta

import pytest
from django.utils import timezone

from rounds.intake.models import Feed
from rounds.intake.signing import sign_batch
from rounds.ledger.verification import verify_log
from tests.rounds.floor.crew import Crew
from tests.rounds.intake.conftest import crew, quick_passwords
from tests.rounds.intake.feeding import Feeder, feeder_at

__all__ = ["crew", "quick_passwords"]

ROUNDS = int(os.environ.get("ROUNDS", "20000"))
ROUNDS_A_BATCH, WAGERS = 500, 20


def batches(feeder: Feeder) -> list[list[bytes]]:
    at = timezone.now() - timedelta(hours=1)
    wagers = [
        {"id": f"w{seat}", "seat": seat, "bet": "small", "stake": 500, "tender": "value-chips",
         "placed_at": at.isoformat(), "verdict": "win", "returned": 1_000}
        for seat in range(1, WAGERS + 1)
    ]  # fmt: skip
    lines = [feeder.line(at=at, round=f"r-{number}", wagers=wagers) for number in range(ROUNDS)]
    return [lines[start : start + ROUNDS_A_BATCH] for start in range(0, ROUNDS, ROUNDS_A_BATCH)]


@pytest.mark.usefixtures("quick_passwords")
def test_rounds_a_second(crew: Crew) -> None:
    feeder = feeder_at(crew)
    requests = []
    for lines in batches(feeder):
        headers = feeder.headers(lines[:1])
        sent_at = headers["Fairthrow-Sent-At"]
        signature = sign_batch(feeder.secret, feeder.key_id, sent_at, lines)
        requests.append((b"\n".join(lines), headers, signature))
    profile = cProfile.Profile(time.process_time)
    if "PROFILE" in os.environ:
        profile.enable()
    began, used = time.perf_counter(), []
    for body, headers, signature in requests:
        before = time.process_time()
        answer = feeder.post(body, {**headers, "Fairthrow-Signature": b64encode(signature).decode()})
        used.append(time.process_time() - before)
        assert answer.status_code == 200, answer.content
    wall, cpu = time.perf_counter() - began, sum(used)
    if "PROFILE" in os.environ:
        profile.disable()
        profile.dump_stats(os.environ["PROFILE"])
    assert Feed.objects.get().accepted == ROUNDS
    assert verify_log("harbour").misfits == ()
    size = sum(len(body) for body, _, _ in requests) // ROUNDS
    # On a machine that others use too, the best batch is nearest to what the code costs.
    print(
        f"\n{ROUNDS:,} rounds of {WAGERS} wagers, {size:,} bytes each: {cpu:.2f} s CPU, {wall:.2f} s on the clock: "
        f"{ROUNDS / cpu:,.0f} rounds a CPU second; in the best batch {ROUNDS_A_BATCH / min(used):,.0f}."
    )
