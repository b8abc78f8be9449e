"""A dispute at Harbour with a file, a patron and a request, for URLs that need one of them."""

from io import BytesIO

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from PIL import Image

from compliance.core.accounts.models import Casino, User
from compliance.disputes.attachments import store_upload
from compliance.disputes.services import attach_file, log_dispute, record_complaint, request_from_operator
from compliance.disputes.subject.disputed_entry import subject_at
from rounds.intake.protocol.examples import BODIES
from rounds.ledger.writing.append import append, make_entry
from tests.compliance.core.accounts.people import LONG_AGO

OF_A_CASINO = "disputes new new-matter new-promotion levels repeats procedure"
OF_AN_ENTRY = "new-dispute draft discard about"
OF_A_DISPUTE = (
    "dispute decide record-decision tell review pay advise advice advice-qr withdraw close end-unadvised complain "
    "attach patron file note ask determine letter letter-pdf"
)


def dispute_url_arguments(casino: Casino) -> dict[str, dict[str, object]]:
    supervisor, inspector = (User.objects.get(email=f"{name}@example.com") for name in ("csup", "insp"))
    line = {"kind": "round", "table": "sb-1", "at": "2026-06-01T02:00:00Z", "body": BODIES["round"]}
    with transaction.atomic():
        [receipt] = append(casino.slug, [make_entry("round", line, table="sb-1")], LONG_AGO)
    subject = subject_at(casino, receipt.index)
    assert subject is not None
    dispute = log_dispute(
        subject=subject,
        wagers=[],
        grounds="other",
        statement="Odd.",
        present=[],
        patron={"name": "Pat"},
        actor=supervisor,
        now=LONG_AGO,
    )
    picture = BytesIO()
    Image.new("RGB", (4, 3)).save(picture, "PNG")
    stored = store_upload(SimpleUploadedFile("layout.png", picture.getvalue()))
    attached = attach_file(dispute=dispute, stored=stored, actor=supervisor, now=LONG_AGO)
    record_complaint(dispute=dispute, received="writing", actor=inspector, now=LONG_AGO)
    asked = request_from_operator(
        dispute=dispute,
        what="information",
        question="Who dealt?",
        due_on=LONG_AGO.date(),
        actor=inspector,
        now=LONG_AGO,
    )
    here: dict[str, object] = {"casino": casino.slug}
    of_it = here | {"number": dispute.number}
    return {
        **{f"disputes:{name}": here for name in OF_A_CASINO.split()},
        **{
            f"disputes:{name}": here | {"index": receipt.index} for name in ("new-dispute", "draft", "discard", "about")
        },
        "disputes:new-round": here | {"table": "sb-1"},
        "disputes:repeats-chart": here | {"by": "table"},
        "disputes:set-level": here | {"wait": "first-instance"},
        **{f"disputes:{name}": of_it for name in OF_A_DISPUTE.split()},
        "disputes:attachment": of_it | {"attachment": attached.pk},
        "disputes:answer": of_it | {"asked": asked.entry_index},
    }
