"""Lists that inspectors read with none, one and ten thousand rows: the number of queries does not grow."""

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from typing import Any

from django.db import models
from django.utils import timezone

from compliance.core.web.models import OutgoingEmail
from compliance.inspection.checklists.models import Sample, SampledRound
from compliance.notify.saved_views.filter_panel import MAX_LINKS
from compliance.notify.saved_views.models import MessagePart, NewRowsMessage, SavedView, Subscription
from compliance.notify.webhooks.models import Attempt, Delivery, Endpoint
from compliance.transparency.recovery.models import EpochBegun
from compliance.transparency.wager_proofs.models import Proof
from compliance.transparency.witness_registry.models import Cosignature, Dissent, Witness
from rounds.rulebook.models import RuleVersion
from tests.compliance.analysis.what_if.trial_builders import trial_by_hand
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.reviews.conftest import house, office
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.pages.many_rows import MANY, copy_row, count_queries
from tests.compliance.transparency.witness_registry.witness_posts import KEY

__all__ = ["house", "office"]
HERE = "/casinos/harbour/"
QUEUE = f"{HERE}reviews/"
NEXT = re.compile(r'href="([^"]+)" rel="next"')
# Columns that must differ between copies, by model.
APART: dict[type[models.Model], dict[str, str]] = {
    Proof: {"code": "code || n"},
    SavedView: {"name": "name || n"},
    OutgoingEmail: {"reference": "jsonb_build_object('number', n)"},
    NewRowsMessage: {"email_id": "email_id + n"},
    MessagePart: {"message_id": "message_id + n"},
    SampledRound: {"place": "place + n", "round_index": "round_index + n"},
    Cosignature: {"size": "size + n"},
    Dissent: {"kept_size": "kept_size + n"},
    Delivery: {"message_id": "message_id || n"},
    Attempt: {"number": "number + n"},
    EpochBegun: {"number": "number + n"},
}


def rows_of(office: ReviewScenario) -> Iterator[tuple[str, list[models.Model]]]:
    """The URL of each list, and rows of it: each is saved, then multiplied."""
    now = timezone.now() - timedelta(days=1)
    recorded: dict[str, Any] = {"log": "harbour", "entry_index": 10**6}
    by: dict[str, Any] = {"by": office.ines, "by_name": "Ines", "at": now}
    yield (
        f"{HERE}wager-proofs/",
        [
            Proof(
                **recorded,
                **by,
                casino=office.casino,
                round_index=7,
                round="r-7",
                table="sb-1",
                wager="w-1",
                code="CODE",
                content=b"{}",
                content_sha256="",
            )
        ],
    )
    view = SavedView(
        owner=office.iris,
        casino=office.casino,
        path=QUEUE,
        list_words="Findings",
        query="severity=serious",
        name="Serious",
        shared_with="inspectorate",
        kept_at=now,
    )
    yield f"{HERE}views/", [view]
    wanted = Subscription(view=view, person=office.ines, every="day", asked_at=now, next_look_at=now, looked_at=now)
    wanted.save()
    email = OutgoingEmail(
        purpose="saved-view",
        to="ines@example.com",
        reference={},
        state="sent",
        created_at=now,
        next_try_at=now,
        sent_at=now,
    )
    message = NewRowsMessage(person=office.ines, made_at=now, email=email)
    part = MessagePart(message=message, subscription=wanted, new=1, together=2)
    yield f"{HERE}views/{view.pk}/", [email, message, part]
    sample = Sample(
        **recorded,
        casino=office.casino,
        purpose="Nights",
        since=now,
        until=timezone.now(),
        tables=[],
        size=1,
        up_to=9,
        seed="0" * 64,
        seeded_by=office.ines,
        seeded_by_name="Ines",
        seeded_at=now,
    )
    yield f"{HERE}checklists/", [sample]
    yield (
        f"{HERE}samples/{sample.entry_index}/",
        [SampledRound(sample=sample, place=1, round_index=1, table="sb-1", started_at=now)],
    )
    witness = Witness.objects.create(**recorded, **by, casino=office.casino, name="inspectorate.example/w", key=KEY)
    yield (
        f"{HERE}witnesses/",
        [
            Cosignature(witness=witness, size=1, line="", cosigned_at=now, received_at=now),
            Dissent(
                **recorded,
                witness=witness,
                reason="not-extended",
                kept_size=1,
                kept_root="",
                offered_size=1,
                offered_root="",
                stated_at=now,
                statement="",
                received_at=now,
            ),
        ],
    )
    endpoint = Endpoint.objects.create(casino=office.casino, name="Cases", address="https://cases.example/", events=[])
    told = Delivery(
        endpoint=endpoint,
        message_id="msg",
        event="alert.raised",
        entry_index=10**6,
        body="{}",
        made_at=now,
        state="given-up",
        next_try_at=now,
    )
    yield f"{HERE}webhooks/{endpoint.pk}/", [told]
    yield (
        f"{HERE}webhooks/{endpoint.pk}/messages/{told.pk}/",
        [Attempt(delivery=told, number=1, started_at=now, ended_at=now, status=500, trouble="It answered 500.")],
    )
    yield (
        "/restores/harbour/",
        [
            EpochBegun(
                **recorded,
                **by,
                number=2,
                size=9,
                root="",
                origin="harbour/epoch-2",
                reason="restored",
                halted_at=now,
                lost="Nothing.",
                why="The disk failed.",
            )
        ],
    )


def test_every_list_is_fine_with_nothing_one_and_ten_thousand(office: ReviewScenario) -> None:
    browser = browser_of(office.ines)
    browser.get("/")
    for address, rows in rows_of(office):
        assert count_queries(browser, address) > 0
        for row in rows:
            row.save(force_insert=True)
        one = count_queries(browser, address)
        for row in rows:
            copy_row(row, MANY - 1, APART.get(type(row), {}))
        assert count_queries(browser, address) == one, address
        page = browser.get(address).content.decode()
        assert "of 10,000" in page, address
        following = NEXT.search(page)
        assert following, address
        assert "51 to 100 of 10,000" in browser.get(address + unescape(following[1])).content.decode(), address


def test_a_trial_is_read_alike_whether_it_found_nothing_one_or_ten_thousand(office: ReviewScenario) -> None:
    office.house.open_table()
    version = RuleVersion.objects.get(casino=office.casino, approved_at__isnull=False)
    browser = browser_of(office.ines)
    browser.get("/")
    asked: dict[int, list[int]] = {}
    for count in (0, 1, MANY):
        trial = trial_by_hand(version, office.olga, timezone.now(), count)
        pages = (f"{HERE}what-if/{trial.pk}/", f"{HERE}what-if/{trial.pk}/differences/")
        asked[count] = [count_queries(browser, page) for page in pages]
        words = [browser.get(page).content.decode() for page in pages]
        assert "of 10,000" in words[1] or count < MANY
        said = {0: "0 rounds with 0 wagers", 1: "1 round with 1 wager<", MANY: "10,000 rounds with 10,000 wagers"}
        assert said[count] in words[0]
    assert asked[MANY] == asked[1]
    one = count_queries(browser, f"{HERE}what-if/")
    copy_row(trial, MANY - 3, {})
    assert count_queries(browser, f"{HERE}what-if/") == one
    assert "of 10,000" in browser.get(f"{HERE}what-if/").content.decode()


def test_a_list_with_thousands_of_kept_views_links_a_few(office: ReviewScenario) -> None:
    """The reader's own come first, and the one that is open is always there."""
    now = timezone.now()
    mine, shared = (
        SavedView.objects.create(
            owner=owner,
            casino=office.casino,
            path=QUEUE,
            list_words="Findings",
            query="severity=serious",
            name=name,
            shared_with="inspectorate",
            kept_at=now,
        )
        for owner, name in ((office.ines, "Z of mine"), (office.iris, "A of Iris"))
    )
    browser = browser_of(office.ines)
    browser.get("/")
    one = count_queries(browser, QUEUE)
    copy_row(shared, MANY - 2, APART[SavedView])
    assert count_queries(browser, QUEUE) == one
    shelf = browser.get(f"{QUEUE}?severity=serious&view={mine.pk}").context["saved_views"]
    assert [link.label for link in shelf.links][:2] == ["Z of mine", "A of Iris"]
    assert len(shelf.links) == MAX_LINKS
    late = SavedView.objects.filter(owner=office.iris).order_by("name")[MAX_LINKS + 5]
    shelf = browser.get(f"{QUEUE}?severity=serious&view={late.pk}").context["saved_views"]
    assert [link.label for link in shelf.links if link.is_current] == [late.name]
