"""One of everything at Harbour: arguments for every URL, one function an app."""

from datetime import timedelta
from typing import Any

from django.db import transaction

from compliance.api.tokens.services import make_token
from compliance.audit.models import Finding
from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services import invite_person
from compliance.core.accounts.sso.models import IdentityLink
from compliance.core.web.models import CapturedEmail, OutgoingEmail
from compliance.core.web.pdf.signer import load_report_key
from compliance.inspection.checklists.models import Draw, Sample, SampledRound
from compliance.inspection.checklists.services import begin_checklist
from compliance.inspection.reviews.models import Review
from compliance.notify.alerts.services import raise_alert
from compliance.notify.saved_views.models import NewRowsMessage, SavedView
from compliance.notify.saved_views.subscriptions.emails import unsubscribe_token
from compliance.notify.webhooks.consumer import consume_events
from compliance.notify.webhooks.models import Attempt, Delivery
from compliance.notify.webhooks.services import register_endpoint
from compliance.reports.models import Report, Schedule
from compliance.reports.signing_certificates import record_certificate_in_all_logs
from compliance.tables.closures.services import announce_closure
from compliance.tables.equipment.projections import Fault
from compliance.tables.equipment.services.floor_records import void_rounds
from compliance.tables.limit_notices.models import PlayerLimit
from compliance.tables.limit_notices.services import schedule_notice
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from compliance.tables.signs.models import SignPurpose
from compliance.tables.signs.services import add_display, make_sign
from compliance.transparency.ledger_pages.models import Bundle
from compliance.transparency.witness_registry.models import Dissent
from compliance.transparency.witness_registry.services import register_witness
from rounds.floor.fact_values import LimitsValue
from rounds.floor.models import Table
from rounds.intake.protocol.examples import BODIES
from rounds.ledger.writing.append import append, make_entry
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.versions.approve import approve_version
from rounds.rulebook.versions.propose import propose_version, read_source_upload
from rounds.rulepacks import PACK_FOLDER
from rounds.transparency_log.formats.cosignature import witness_key_of
from rounds.transparency_log.formats.signed_note import SignerKey
from tests.compliance.analysis.fairness.dice_play import signal_by_hand
from tests.compliance.analysis.what_if.trial_builders import trial_by_hand
from tests.compliance.core.accounts.people import LONG_AGO
from tests.compliance.disputes.url_arguments import dispute_url_arguments
from tests.compliance.privacy.personal_data.records import keep
from tests.compliance.transparency.wager_proofs.page_addresses import proof_places
from tests.promotions.url_arguments import promotion_url_arguments
from tests.rounds.floor.url_arguments import floor_url_arguments
from tests.rounds.intake.url_arguments import intake_url_arguments

NSW = "nsw-sic-bo"
WITNESS = SignerKey.from_seed("inspectorate.example/witness", bytes(range(1, 33)))
OF_A_VERSION = ("version", "diff", "truth", "truth-csv", "document", "ruling", "rules", "rules-document")

Parts = dict[str, object]
Places = dict[str, Parts]


def url_arguments_at(harbour: Casino) -> Places:
    return {
        **web(),
        **accounts(harbour),
        **patrons(harbour),
        **rulebook(harbour),
        **promotion_url_arguments(harbour, person_named("mark"), person_named("auth")),
        **evidence(harbour),
        **witnesses(harbour),
        **audit(harbour),
        **fairness(harbour),
        **trials(harbour),
        **reviews(harbour),
        **checklists(harbour),
        **reports(harbour),
        **saved(harbour),
        **inspectorate(harbour),
        **webhooks(harbour),
        **intake_url_arguments(harbour),
        **floor_url_arguments(harbour),
        **signs(harbour),
        **desk(harbour),
        **proof_places(harbour, person_named("csup")),
        **dispute_url_arguments(harbour),
        **alerts(harbour),
        **equipment(harbour),
        **conduct(harbour),
    }


def person_named(column: str) -> User:
    return User.objects.get(email=f"{column}@example.com")


def same_arguments(app: str, names: str, parts: Parts) -> Places:
    return {f"{app}:{name}": parts for name in names.split()}


def casino_arguments(casino: Casino, **parts: object) -> Parts:
    return {"casino": casino.slug, **parts}


def web() -> Places:
    mail = CapturedEmail.objects.create(to="new@example.com", subject="Welcome", body="", sent_at=LONG_AGO)
    return {"web:help-page": {"slug": "start"}, "web:mail": {"pk": mail.pk}}


def accounts(casino: Casino) -> Places:
    invited = invite_person(
        email="new@example.com",
        name="New",
        casino=casino,
        role=Role.MARKETING,
        actor=person_named("admin"),
        now=LONG_AGO.replace(year=2999),
    )
    held = RoleAssignment.objects.get(user=person_named("gsup"))
    somebody = casino_arguments(casino, person=held.user_id)
    # A provider that is not configured: no sign-in is possible, but an administrator can still remove the link.
    former = IdentityLink.objects.create(
        user=person_named("insp"), provider="former", issuer="https://login.example", salt="salt", offered_at=LONG_AGO
    )
    return {
        "accounts:begin-journey": {"provider": "former"},
        "accounts:end-journey": {"provider": "former"},
        "accounts:signed-out": {"provider": "former"},
        "accounts:remove-own-identity": {"link": former.pk},
        "accounts:offer-identity": {**somebody, "provider": "former"},
        "accounts:remove-identity": casino_arguments(casino, person=former.user_id, link=former.pk),
        "accounts:reset": {"who": "MQ", "token": "no-such"},
        "accounts:accept": {"token": invited.token},
        **same_arguments("accounts", "people people-chart invite invitations", casino_arguments(casino)),
        **same_arguments(
            "accounts", "invite-again withdraw", casino_arguments(casino, invitation=invited.invitation.pk)
        ),
        **same_arguments("accounts", "person give-role disable enable reset-factor unlock", somebody),
        "accounts:end-role": {**somebody, "role": held.pk},
    }


def patrons(casino: Casino) -> Places:
    return {
        **same_arguments("patrons", "records looks destroyed retention", casino_arguments(casino)),
        "disclosures:seen": casino_arguments(casino),
        "patrons:set-retention": casino_arguments(casino, subject="dispute"),
        **same_arguments("patrons", "record show hold destroy", casino_arguments(casino, record=keep(casino).pk)),
    }


def rulebook(casino: Casino) -> Places:
    """A version in force, which an inspector may rule on, and one that waits for approval."""
    proposal: dict[str, Any] = {
        "casino": casino,
        "pack_content": (PACK_FOLDER / f"{NSW}.toml").read_bytes(),
        "pack_file": "nsw.toml",
        "source": read_source_upload(b"Rules.", "rules.txt"),
        "readings": {},
        "actor": person_named("compl"),
        "now": LONG_AGO,
    }
    approved = approve_version(
        version=propose_version(**proposal),
        effective_at=LONG_AGO,
        time_zone="Australia/Sydney",
        evidence="Gazette.",
        edge_reason="As printed.",
        actor=person_named("insp"),
        now=LONG_AGO,
    )
    waiting = propose_version(**proposal)
    proposing = "propose propose-pack propose-source propose-readings propose-check propose-discard"
    proposing += " propose-edit propose-edit-values propose-edit-begin propose-edit-give-up"
    return {
        **same_arguments("rulebook", f"home calculator {proposing}", casino_arguments(casino)),
        **same_arguments("rulebook", "approve withdraw", casino_arguments(casino, rules=NSW, number=waiting.number)),
        **same_arguments(
            "rulebook", " ".join(OF_A_VERSION), casino_arguments(casino, rules=NSW, number=approved.number)
        ),
        "audit:readings": casino_arguments(casino, rules=NSW, number=approved.number),
        "rulebook:rules-now": casino_arguments(casino, rules=NSW),
    }


def evidence(casino: Casino) -> Places:
    with transaction.atomic():
        [receipt] = append(casino.slug, [make_entry("evidence-exported", {})], LONG_AGO)
    bundle = Bundle.objects.create(
        casino=casino, asked_by=person_named("admin"), asked_by_name="", asked_at=LONG_AGO, first_index=0, end_index=1
    )
    return {
        **same_arguments(
            "evidence", "ledger growth verification verify completeness bundles new-bundle", casino_arguments(casino)
        ),
        **same_arguments(
            "evidence",
            "bundle bundle-progress cancel-bundle retry-bundle bundle-file",
            casino_arguments(casino, bundle=bundle.pk),
        ),
        **same_arguments("evidence", "entry check proof leaf", casino_arguments(casino, index=receipt.index)),
        **same_arguments("restores", "log hand-in begin", {"log": casino.slug}),
        **same_arguments("evidence", "checkpoint key inclusion consistency", {"log": casino.slug}),
    }


def audit(casino: Casino) -> Places:
    finding = Finding.objects.create(
        log=casino.slug,
        entry_index=1,
        casino=casino,
        code="SETTLE-OVERPAID",
        severity="serious",
        subject_index=0,
        check_name="settlement",
        at=LONG_AGO,
        found_at=LONG_AGO,
        sentence="Overpaid.",
        evidence=[0],
        explanation=[],
    )
    return {
        **same_arguments("audit", "findings coverage", casino_arguments(casino)),
        "audit:checks": casino_arguments(casino, rules=NSW, number=1),
        "audit:clause": casino_arguments(casino, rules=NSW, number=1, clause="4.3"),
        "audit:finding": casino_arguments(casino, finding=finding.entry_index),
        # Of nobody here: whoever waits for a prediction is the only one who may open it.
        "audit:prediction": {"prediction": 0},
    }


def fairness(casino: Casino) -> Places:
    signal = signal_by_hand(casino, LONG_AGO)
    return {
        **same_arguments("fairness", "standing signals", casino_arguments(casino)),
        **same_arguments("fairness", "signal chart see", casino_arguments(casino, signal=signal.entry_index)),
        **same_arguments("fairness", "table table-chart", casino_arguments(casino, table="sb-1")),
    }


def trials(casino: Casino) -> Places:
    version = RuleVersion.objects.get(casino=casino, rules=NSW, number=1)
    trial = trial_by_hand(version, person_named("auth"), LONG_AGO)
    return {
        **same_arguments("trials", "trials new", casino_arguments(casino)),
        "trials:readings": casino_arguments(casino, rules=NSW, number=version.number),
        **same_arguments(
            "trials", "trial progress differences stop retry again", casino_arguments(casino, trial=trial.pk)
        ),
    }


def alerts(casino: Casino) -> Places:
    alert = raise_alert(
        casino=casino,
        duty="equipment-fault",
        to=Role.INSPECTOR,
        statement="The lights of SB-1 failed.",
        clause="8.8",
        now=LONG_AGO,
        table="sb-1",
    )
    return {
        **same_arguments("alerts", "inbox ladders", casino_arguments(casino)),
        "alerts:set-ladder": casino_arguments(casino, urgency="at-once"),
        "alerts:block": casino_arguments(casino, table="sb-1"),
        **same_arguments("alerts", "alert acknowledge", casino_arguments(casino, alert=alert.entry_index)),
    }


def equipment(casino: Casino) -> Places:
    table = Table.objects.get(casino=casino, slug="sb-1")
    line = {"kind": "round", "table": "sb-1", "at": "2026-06-01T02:00:00Z", "body": BODIES["round"]}
    with transaction.atomic():
        [played] = append(casino.slug, [make_entry("round", line, table="sb-1")], LONG_AGO)
    void = void_rounds(
        table=table,
        dice_set="set-0912",
        rounds=[played.index],
        reason="A chipped corner.",
        actor=person_named("shift"),
        now=LONG_AGO,
    )
    fault = Fault.objects.create(
        log=casino.slug,
        table="sb-1",
        index=0,
        at=LONG_AGO,
        name="F-1",
        equipment="sign",
        effect="power",
        stops_play=False,
    )
    registers = "board faults dice shakers inspections cards chips void-sets new-void-set"
    return {
        **same_arguments("equipment", registers, casino_arguments(casino)),
        "equipment:fault": casino_arguments(casino, fault=fault.index),
        "equipment:void-set": casino_arguments(casino, void_set=void.entry_index),
        "equipment:returns": casino_arguments(casino, because=void.entry_index),
        **same_arguments("equipment", "table return", casino_arguments(casino, table="sb-1")),
        "equipment:record": casino_arguments(casino, table="sb-1", kind="fault"),
    }


def conduct(casino: Casino) -> Places:
    said = ConductReport(kind="exclusion", grounds="other", scope="game", seat=4, at=LONG_AGO)
    table = Table.objects.get(casino=casino, slug="sb-1")
    act = record_conduct(table=table, report=said, actor=person_named("csup"), now=LONG_AGO)
    refusal = ConductReport(kind="wager-refusal", grounds="other", seat=4, at=LONG_AGO)
    refused = record_conduct(table=table, report=refusal, actor=person_named("csup"), now=LONG_AGO)
    return {
        "corrections:withdraw": casino_arguments(casino, index=refused.entry_index),
        "conduct:acts": casino_arguments(casino),
        "conduct:act": casino_arguments(casino, act=act.entry_index),
        "conduct:table": casino_arguments(casino, table="sb-1"),
        "conduct:record": casino_arguments(casino, table="sb-1", kind="exclusion"),
    }


def signs(casino: Casino) -> Places:
    """At the table made by floor_places, where no rules are in force: any supervisor may act."""
    table, supervisor = Table.objects.get(casino=casino, slug="sb-1"), person_named("csup")
    new = add_display(table=table, name="Screen", actor=supervisor, now=LONG_AGO)
    said: dict[str, Any] = {"table": table, "actor": supervisor, "now": LONG_AGO}
    notice = schedule_notice(limits=LimitsValue(min=600, max=60_000), effective_at=LONG_AGO.replace(year=2999), **said)
    sign = make_sign(
        purpose=SignPurpose.PLAYER_LIMITS, content={"seat": 3, "min": 1, "max": 2}, notice_minutes=0, clause="", **said
    )
    limit = PlayerLimit.objects.create(
        casino=casino,
        table=table,
        seat=3,
        min_cents=1,
        max_cents=2,
        sign=sign,
        allowed_by=supervisor,
        allowed_by_name="",
        allowed_at=LONG_AGO,
        log=casino.slug,
        entry_index=10**9,
    )
    closure = announce_closure(
        closes_at=LONG_AGO.replace(year=2999), players_present=True, streak_in_progress=False, **said
    )
    at_table = casino_arguments(casino, table=table.slug)
    return {
        "signs:board": casino_arguments(casino),
        **same_arguments("signs", "table add-display live", at_table),
        **same_arguments("signs", "up confirm down", casino_arguments(casino, sign=sign.pk)),
        "signs:paper": casino_arguments(casino, sign=sign.pk, paper="a5"),
        "signs:end-display": casino_arguments(casino, display=new.display.pk),
        "signs:display": {"token": new.token},
        "notices:notices": casino_arguments(casino),
        **same_arguments("notices", "notice withdraw", casino_arguments(casino, notice=notice.pk)),
        **same_arguments("notices", "new player-limits allow-player warnings warn", at_table),
        "notices:end-player-limit": casino_arguments(casino, limit=limit.pk),
        **same_arguments("closures", "table announce emergency reopen", at_table),
        **same_arguments("closures", "close withdraw", casino_arguments(casino, closure=closure.pk)),
    }


def reviews(casino: Casino) -> Places:
    """The review of the finding above: its subject is no round, and nothing was asked about it."""
    finding = Finding.objects.get(casino=casino)
    Review.objects.create(
        finding=finding,
        casino=casino,
        code=finding.code,
        severity=finding.severity,
        rank=0,
        opened_at=LONG_AGO,
        due_at=LONG_AGO,
    )
    it = casino_arguments(casino, finding=finding.entry_index)
    return {
        **same_arguments("reviews", "queue next groups arrangements asked", casino_arguments(casino)),
        **same_arguments("reviews", "finding timeline take put-back reperform second standing comment", it),
        "reviews:decide": it | {"outcome": "explained"},
        "reviews:decide-together": casino_arguments(casino, outcome="explained"),
        "reviews:answer": casino_arguments(casino, question=1),
    }


def checklists(casino: Casino) -> Places:
    """A checklist of the rules in force, and a sample that drew one round."""
    version = RuleVersion.objects.get(casino=casino, rules=NSW, number=1)
    checklist = begin_checklist(
        casino=casino,
        version=version,
        since=LONG_AGO,
        until=LONG_AGO + timedelta(days=1),
        actor=person_named("insp"),
        now=LONG_AGO,
    )
    line = {"kind": "round", "table": "sb-1", "at": "2026-06-01T02:00:00Z", "body": BODIES["round"]}
    with transaction.atomic():
        [played] = append(casino.slug, [make_entry("round", line, table="sb-1")], LONG_AGO)
    sample = Sample.objects.create(
        log=casino.slug,
        entry_index=10**9,
        casino=casino,
        purpose="",
        since=LONG_AGO,
        until=LONG_AGO + timedelta(days=1),
        tables=[],
        size=1,
        up_to=1,
        seed="00",
        seeded_by=person_named("insp"),
        seeded_by_name="",
        seeded_at=LONG_AGO,
    )
    Draw.objects.create(
        log=casino.slug, entry_index=10**9, sample=sample, population=1, rounds=[played.index], drawn_at=LONG_AGO
    )
    SampledRound.objects.create(sample=sample, place=1, round_index=played.index, table="sb-1", started_at=LONG_AGO)
    it, drawn = (
        casino_arguments(casino, checklist=checklist.entry_index),
        casino_arguments(casino, sample=sample.entry_index),
    )
    return {
        **same_arguments("checklists", "checklists new new-sample new-weighted-sample", casino_arguments(casino)),
        **same_arguments("checklists", "checklist sign-off supersede unchecked-clauses", it),
        **same_arguments("checklists", "clause clause-again", it | {"place": 1}),
        **same_arguments(
            "checklists", "sample draw draw-progress draw-cancel draw-again again-progress again-cancel", drawn
        ),
        "checklists:walk": drawn | {"place": 1},
    }


def saved(casino: Casino) -> Places:
    """A saved view of the inspector's queue, and a message about it."""
    view = SavedView.objects.create(
        owner=person_named("insp"),
        casino=casino,
        path=f"/casinos/{casino.slug}/reviews/",
        list_words="Findings",
        query="severity=serious",
        name="Serious",
        kept_at=LONG_AGO,
    )
    email = OutgoingEmail.objects.create(
        purpose="saved-view",
        to="insp@example.com",
        reference={"casino": casino.slug},
        created_at=LONG_AGO,
        next_try_at=LONG_AGO,
        state="withheld",
    )
    message = NewRowsMessage.objects.create(person=person_named("insp"), made_at=LONG_AGO, email=email)
    return {
        **same_arguments("saved", "views keep", casino_arguments(casino)),
        **same_arguments("saved", "view open change remove tell stop-telling", casino_arguments(casino, view=view.pk)),
        "saved:stop": {"token": unsubscribe_token(message)},
    }


def reports(casino: Casino) -> Places:
    report = Report.objects.create(
        casino=casino,
        kind="certificate",
        chosen={},
        asked_by=person_named("admin"),
        asked_by_name="",
        asked_at=LONG_AGO,
    )
    schedule = Schedule.objects.create(
        casino=casino,
        kind="certificate",
        every="day",
        to=["inspector"],
        by=person_named("admin"),
        by_name="",
        at=LONG_AGO,
        next_on=LONG_AGO.date(),
        log=casino.slug,
        entry_index=0,
    )
    of_it = casino_arguments(casino, schedule=schedule.pk)
    record_certificate_in_all_logs(LONG_AGO)
    return {
        "reports:certificate": {"fingerprint": load_report_key().sha256},
        **same_arguments("reports", "reports dashboard schedules add-schedule", casino_arguments(casino)),
        "reports:dashboard-chart": casino_arguments(casino, chart="rounds"),
        "reports:schedule": of_it,
        "reports:move-schedule": of_it | {"state": "paused"},
        "reports:new": casino_arguments(casino, kind="certificate"),
        **same_arguments("reports", "report progress cancel retry file", casino_arguments(casino, report=report.pk)),
        "reports:figure": casino_arguments(casino, report=report.pk, figure=0),
    }


def inspectorate(casino: Casino) -> Places:
    made = make_token(
        name="Case system", casinos=[casino], scopes=["findings"], days=30, actor=person_named("insp"), now=LONG_AGO
    )
    return {
        **same_arguments(
            "inspectorate",
            "tokens new-token api-findings api-rounds api-coverage api-reports api-entries",
            casino_arguments(casino),
        ),
        "inspectorate:revoke": casino_arguments(casino, token=made.token.pk),
        **same_arguments("inspectorate", "api-finding api-finding-cases api-round", casino_arguments(casino, index=1)),
        "inspectorate:api-report-file": casino_arguments(casino, report=1),
        "inspectorate:api-pack": casino_arguments(casino, sha256="7e" * 32),
    }


def webhooks(casino: Casino) -> Places:
    """A webhook with a failed delivery."""
    endpoint = register_endpoint(
        casino=casino,
        name="Case system",
        address="https://hooks.example.com/fairthrow",
        events=["finding.recorded"],
        actor=person_named("compl"),
        now=LONG_AGO,
    )
    found = dict(Finding.objects.get(casino=casino).entry_body()) | {"sentence": "Small paid $51.00; $50.00 was due."}
    with transaction.atomic():
        append(casino.slug, [make_entry("finding", found)], LONG_AGO)
    consume_events(lambda: LONG_AGO, [casino.slug])
    sent = Delivery.objects.to_endpoint(endpoint).get()
    Attempt.objects.create(
        delivery=sent, number=1, started_at=LONG_AGO, ended_at=LONG_AGO, trouble="It refused the connection."
    )
    it = casino_arguments(casino, endpoint=endpoint.pk)
    return {
        **same_arguments("webhooks", "endpoints new", casino_arguments(casino)),
        **same_arguments("webhooks", "endpoint change off on remove test", it),
        **same_arguments("webhooks", "delivery again", it | {"delivery": sent.pk}),
    }


def witnesses(casino: Casino) -> Places:
    """One witness, which disagrees."""
    witness = register_witness(
        casino=casino, key=str(witness_key_of(WITNESS)), actor=person_named("insp"), now=LONG_AGO
    )
    dissent = Dissent.objects.create(
        witness=witness,
        reason="shrank",
        kept_size=2,
        kept_root="",
        offered_size=1,
        offered_root="",
        stated_at=LONG_AGO,
        statement="",
        received_at=LONG_AGO,
        log=casino.slug,
        entry_index=10**9,
    )
    return {
        **same_arguments("witnesses", "witnesses register", casino_arguments(casino)),
        "witnesses:end": casino_arguments(casino, witness=witness.pk),
        "witnesses:statement": casino_arguments(casino, dissent=dissent.pk),
        "witnesses:cosignatures": {"log": casino.slug, "size": 1},
        "witnesses:disagreements": {"log": casino.slug},
    }


def desk(casino: Casino) -> Places:
    line = {"kind": "round", "table": "sb-1", "at": "2026-06-01T02:00:00Z", "body": BODIES["round"]}
    with transaction.atomic():
        [receipt] = append(casino.slug, [make_entry("round", line, table="sb-1")], LONG_AGO)
    return {
        **same_arguments("desk", "search-casino floor", casino_arguments(casino)),
        **same_arguments("desk", "table timeline", casino_arguments(casino, table="sb-1")),
        **same_arguments("desk", "round replay", casino_arguments(casino, index=receipt.index)),
    }
