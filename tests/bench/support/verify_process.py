"""Verifies a log in its own process; prints the seconds it took and its peak memory."""

import json
import sys
import time

import django


def main(log: str) -> None:
    django.setup()
    from rounds.ledger.verify.verify_log import verify_log
    from tests.bench.support.celery_workers import peak_megabytes

    begun = time.perf_counter()
    verdict = verify_log(log)
    taken = time.perf_counter() - begun
    if not verdict.is_intact:
        raise SystemExit(f"The log is not whole: {verdict.first_issue}")
    print(json.dumps([taken, peak_megabytes("self")]))


if __name__ == "__main__":
    main(sys.argv[1])
