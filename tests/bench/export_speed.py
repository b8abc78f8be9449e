"""How long a list of many findings takes as a file, and how much memory. Not part of the suite: run it by name.

.venv/bin/pytest tests/bench/export_speed.py -n0 -s [FINDINGS=100000]
"""

import multiprocessing
import os
import resource
import time

import pytest
from django.db import connection

from compliance.disclosures.models import Disclosure
from tests.compliance.accounts.cast import browser_of
from tests.compliance.reviews.conftest import committed_crew, committed_house, committed_office, quick_passwords
from tests.compliance.reviews.office import Office, many_reviews

__all__ = ["committed_crew", "committed_house", "committed_office", "quick_passwords"]

FINDINGS = int(os.environ.get("FINDINGS", "100000"))
ADDRESS = "/casinos/harbour/findings/"


def take(browser: object, format: str, done: object) -> None:
    """In a process of its own, so that its memory is its own."""
    connection.close()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    pieces = browser.get(f"{ADDRESS}?format={format}").streaming_content  # type: ignore[attr-defined]
    first = next(pieces)
    first_after = time.perf_counter() - began
    lines = first.count(b"\n") + sum(piece.count(b"\n") for piece in pieces)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    done.put((lines, first_after, time.perf_counter() - began, before // 1024, peak // 1024))  # type: ignore[attr-defined]
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_a_list_of_many_findings(committed_office: Office) -> None:
    many_reviews(committed_office, FINDINGS)
    browser = browser_of(committed_office.ines)
    browser.get(ADDRESS)
    for format, headings in (("csv", 1), ("ndjson", 0)):
        connection.close()
        context = multiprocessing.get_context("fork")
        done = context.Queue()
        worker = context.Process(target=take, args=(browser, format, done))
        worker.start()
        lines, first_after, taken, before, peak = done.get()
        worker.join()
        assert lines == FINDINGS + headings
        assert Disclosure.objects.get(format=format).rows == FINDINGS
        print(
            f"\n{format}: {FINDINGS:,} rows in {taken:.1f} s, the first after {first_after:.1f} s, "
            f"{before} to {peak} MB, load {os.getloadavg()[0]:.1f}"
        )
