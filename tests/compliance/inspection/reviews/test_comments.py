"""Comments of the operator's staff on findings, and who reads them."""

import pytest
from django.db import DatabaseError, connection, transaction
from psycopg import errors

from compliance.core.accounts.roles import Role
from compliance.core.web.errors import NotFound
from compliance.inspection.reviews.entry_kinds import COMMENTED
from compliance.inspection.reviews.models import Comment
from compliance.inspection.reviews.services import comment_on_finding
from rounds.ledger import entry_at
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.tampering import tamper
from tests.conftest import superuser

FINDINGS = "/casinos/harbour/findings"


def test_a_supervisor_comments_and_the_inspector_reads_it(office: ReviewScenario) -> None:
    [review] = office.overpay()
    number = review.finding.entry_index
    supervisor, inspector = browser_of(office.sid), browser_of(office.ines)
    page = supervisor.get(f"{FINDINGS}/{number}/comment/")
    assert review.finding.sentence in page.content.decode()
    done = supervisor.post(f"{FINDINGS}/{number}/comment/", {"text": "The dealer corrected it at once."}, follow=True)
    assert done.redirect_chain[-1][0] == f"{FINDINGS}/{number}/"
    [comment] = Comment.objects.all()
    entry = entry_at("harbour", comment.entry_index)
    assert entry is not None
    assert entry.kind == COMMENTED
    assert entry.content()["comment"] == "The dealer corrected it at once."
    assert entry.content()["by"]["name"] == office.sid.name
    for url in (f"/casinos/harbour/reviews/{number}/", f"{FINDINGS}/{number}/decisions/"):
        text = inspector.get(url).content.decode()
        assert "The dealer corrected it at once." in text
        assert office.sid.name in text
    review.refresh_from_db()
    assert review.state == "open"


def test_only_staff_of_the_casino_comment_and_marketing_not_on_rounds(office: ReviewScenario) -> None:
    [review] = office.overpay()
    mary = office._hire("mary", Role.MARKETING)
    otto = office.house.crew.cast.otto
    for person in (office.ines, office.olga, mary, otto):
        with pytest.raises(NotFound):
            comment_on_finding(finding=review.finding, text="No.", actor=person, now=office.now)
        refused = browser_of(person).get(f"{FINDINGS}/{review.finding.entry_index}/comment/")
        assert refused.status_code == 404
    assert not Comment.objects.exists()
    assert browser_of(office.cora).get(f"{FINDINGS}/{review.finding.entry_index}/comment/").status_code == 200


def test_a_comment_stays_as_it_was_written(office: ReviewScenario) -> None:
    [review] = office.overpay()
    comment = comment_on_finding(finding=review.finding, text="As it was.", actor=office.sid, now=office.now)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        Comment.objects.filter(pk=comment.pk).update(text="Otherwise.")


@pytest.mark.django_db(transaction=True)
def test_a_comment_changed_behind_the_service_is_found(committed_office: ReviewScenario) -> None:
    office = committed_office
    [review] = office.overpay()
    comment_on_finding(finding=review.finding, text="As it was.", actor=office.sid, now=office.now)
    assert [issue for issue in verify_log("harbour").issues if issue.check == "records"] == []
    with pytest.raises(errors.RestrictViolation, match="refused"), superuser(connection.settings_dict["NAME"]) as rogue:
        rogue.execute("UPDATE reviews_comment SET text = 'Otherwise.'")
    tamper("reviews_comment", "UPDATE reviews_comment SET text = 'Otherwise.'")
    [issue] = [issue for issue in verify_log("harbour").issues if issue.check == "records"]
    assert "something else" in issue.sentence
