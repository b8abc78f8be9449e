"""One of everything at Harbour: the parts of each address that name something, an app a function."""

from typing import Any

from django.db import transaction

from compliance.accounts.models import Casino, RoleHeld, User
from compliance.accounts.roles import Role
from compliance.accounts.services import invite_person
from compliance.audit.models import Finding
from compliance.evidence.models import Bundle
from compliance.web.models import Mail
from rounds.intake.kinds.examples import BODIES
from rounds.ledger.appending import append, record
from rounds.rulebook.services import approve_version, propose_version, read_upload
from rounds.rulepacks import PACK_FOLDER
from tests.compliance.accounts.cast import LONG_AGO
from tests.compliance.patrons.people import keep
from tests.rounds.floor.places import floor_places
from tests.rounds.intake.places import intake_places

NSW = "nsw-sic-bo"
OF_A_VERSION = ("version", "diff", "truth", "truth-csv", "document", "ruling", "rules", "rules-document")

Parts = dict[str, object]
Places = dict[str, Parts]


def places_at(harbour: Casino) -> Places:
    return {
        **web(),
        **accounts(harbour),
        **patrons(harbour),
        **rulebook(harbour),
        **evidence(harbour),
        **audit(harbour),
        **intake_places(harbour),
        **floor_places(harbour),
        **desk(harbour),
    }


def who(column: str) -> User:
    return User.objects.get(email=f"{column}@example.com")


def each(app: str, names: str, parts: Parts) -> Places:
    return {f"{app}:{name}": parts for name in names.split()}


def of(casino: Casino, **parts: object) -> Parts:
    return {"casino": casino.slug, **parts}


def web() -> Places:
    mail = Mail.objects.create(to="new@example.com", subject="Welcome", body="", sent_at=LONG_AGO)
    return {"web:help-page": {"slug": "start"}, "web:mail": {"pk": mail.pk}}


def accounts(casino: Casino) -> Places:
    invited = invite_person(
        email="new@example.com", name="New", casino=casino, role=Role.MARKETING,
        actor=who("admin"), now=LONG_AGO.replace(year=2999),
    )  # fmt: skip
    held = RoleHeld.objects.get(user=who("gsup"))
    somebody = of(casino, person=held.user_id)
    return {
        "accounts:reset": {"who": "MQ", "token": "no-such"},
        "accounts:accept": {"token": invited.token},
        **each("accounts", "people people-chart invite invitations", of(casino)),
        **each("accounts", "invite-again withdraw", of(casino, invitation=invited.invitation.pk)),
        **each("accounts", "person give-role disable enable reset-factor unlock", somebody),
        "accounts:end-role": {**somebody, "role": held.pk},
    }


def patrons(casino: Casino) -> Places:
    return {
        **each("patrons", "records looks destroyed retention", of(casino)),
        "patrons:set-retention": of(casino, subject="dispute"),
        **each("patrons", "record show hold destroy", of(casino, record=keep(casino).pk)),
    }


def rulebook(casino: Casino) -> Places:
    """A version in force, which an inspector may rule on, and one that waits for approval."""
    proposal: dict[str, Any] = {
        "casino": casino, "pack_content": (PACK_FOLDER / f"{NSW}.toml").read_bytes(), "pack_file": "nsw.toml",
        "source": read_upload(b"Rules.", "rules.txt"), "readings": {}, "actor": who("compl"), "now": LONG_AGO,
    }  # fmt: skip
    approved = approve_version(
        version=propose_version(**proposal), effective_at=LONG_AGO, time_zone="Australia/Sydney", evidence="Gazette.",
        edge_reason="As printed.", actor=who("insp"), now=LONG_AGO,
    )  # fmt: skip
    waiting = propose_version(**proposal)
    proposing = "propose propose-pack propose-source propose-readings propose-check propose-discard"
    return {
        **each("rulebook", f"home calculator {proposing}", of(casino)),
        **each("rulebook", "approve withdraw", of(casino, rules=NSW, number=waiting.number)),
        **each("rulebook", " ".join(OF_A_VERSION), of(casino, rules=NSW, number=approved.number)),
        "rulebook:rules-now": of(casino, rules=NSW),
    }


def evidence(casino: Casino) -> Places:
    with transaction.atomic():
        [receipt] = append(casino.slug, [record("evidence-exported", {})], LONG_AGO)
    bundle = Bundle.objects.create(
        casino=casino, asked_by=who("admin"), asked_by_name="", asked_at=LONG_AGO, first_index=0, end_index=1
    )
    return {
        **each("evidence", "ledger growth verification verify bundles new-bundle", of(casino)),
        **each("evidence", "bundle bundle-progress bundle-file", of(casino, bundle=bundle.pk)),
        **each("evidence", "entry check proof leaf", of(casino, index=receipt.index)),
        **each("evidence", "checkpoint key inclusion consistency", {"log": casino.slug}),
    }


def audit(casino: Casino) -> Places:
    finding = Finding.objects.create(
        log=casino.slug, entry_index=1, casino=casino, code="SETTLE-OVERPAID", severity="serious", subject_index=0,
        check_name="settlement", at=LONG_AGO, found_at=LONG_AGO, sentence="Overpaid.", evidence=[0], explanation=[],
    )  # fmt: skip
    return {
        **each("audit", "findings coverage", of(casino)),
        "audit:checks": of(casino, rules=NSW, number=1),
        "audit:finding": of(casino, finding=finding.entry_index),
    }


def desk(casino: Casino) -> Places:
    line = {"kind": "round", "table": "sb-1", "at": "2026-06-01T02:00:00Z", "body": BODIES["round"]}
    with transaction.atomic():
        [receipt] = append(casino.slug, [record("round", line, table="sb-1")], LONG_AGO)
    return {
        "desk:floor": of(casino),
        **each("desk", "table timeline", of(casino, table="sb-1")),
        "desk:round": of(casino, index=receipt.index),
    }
