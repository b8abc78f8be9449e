"""One of everything at Harbour: the parts of each address that name something, an app a function."""

from datetime import timedelta
from typing import Any

from django.db import transaction

from compliance.accounts.identity_links import IdentityLink
from compliance.accounts.models import Casino, RoleHeld, User
from compliance.accounts.roles import Role
from compliance.accounts.services import invite_person
from compliance.alerts.services import raise_alert
from compliance.audit.models import Finding
from compliance.checklists.models import Draw, Sample, SampledRound
from compliance.checklists.services import begin_checklist
from compliance.closures.services import announce_closure
from compliance.conduct.services import Said, record_conduct
from compliance.equipment.services import void_rounds
from compliance.equipment.states import Fault
from compliance.evidence.models import Bundle
from compliance.inspectorate.services import make_token
from compliance.notices.models import PlayerLimit
from compliance.notices.services import schedule_notice
from compliance.reports.certificates import record_everywhere
from compliance.reports.models import Report, Schedule
from compliance.reviews.models import Review
from compliance.saved.letters import stop_token
from compliance.saved.models import Message, SavedView
from compliance.signs.models import Purpose
from compliance.signs.services import add_display, make_sign
from compliance.web.models import Mail
from compliance.web.signing import report_key
from compliance.webhooks.following import follow_events
from compliance.webhooks.models import Attempt, Delivery
from compliance.webhooks.services import register_endpoint
from compliance.witnesses.models import Dissent
from compliance.witnesses.services import register_witness
from rounds.floor.models import Table
from rounds.floor.values import Limits
from rounds.intake.kinds.examples import BODIES
from rounds.ledger.appending import append, record
from rounds.ledger.cosignatures import witness_key
from rounds.ledger.notes import SignerKey
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.services import approve_version, propose_version, read_upload
from rounds.rulepacks import PACK_FOLDER
from tests.compliance.accounts.cast import LONG_AGO
from tests.compliance.disputes.places import dispute_places
from tests.compliance.fairness.playing import signal_by_hand
from tests.compliance.patrons.people import keep
from tests.compliance.proofs.places import proof_places
from tests.compliance.trials.by_hand import trial_by_hand
from tests.promotions.places import promotion_places
from tests.rounds.floor.places import floor_places
from tests.rounds.intake.places import intake_places

NSW = "nsw-sic-bo"
WITNESS = SignerKey.from_seed("inspectorate.example/witness", bytes(range(1, 33)))
OF_A_VERSION = ("version", "diff", "truth", "truth-csv", "document", "ruling", "rules", "rules-document")

Parts = dict[str, object]
Places = dict[str, Parts]


def places_at(harbour: Casino) -> Places:
    return {
        **web(),
        **accounts(harbour),
        **patrons(harbour),
        **rulebook(harbour),
        **promotion_places(harbour, who("mark"), who("auth")),
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
        **intake_places(harbour),
        **floor_places(harbour),
        **signs(harbour),
        **desk(harbour),
        **proof_places(harbour, who("csup")),
        **dispute_places(harbour),
        **alerts(harbour),
        **equipment(harbour),
        **conduct(harbour),
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
    # Of a provider that is not set up here: nobody can come in by it, and an administrator can still remove it.
    former = IdentityLink.objects.create(
        user=who("insp"), provider="former", issuer="https://login.example", salt="salt", offered_at=LONG_AGO
    )
    return {
        "accounts:begin-journey": {"provider": "former"},
        "accounts:end-journey": {"provider": "former"},
        "accounts:signed-out": {"provider": "former"},
        "accounts:remove-own-identity": {"link": former.pk},
        "accounts:offer-identity": {**somebody, "provider": "former"},
        "accounts:remove-identity": of(casino, person=former.user_id, link=former.pk),
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
        "disclosures:seen": of(casino),
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
    proposing += " propose-edit propose-edit-values propose-edit-begin propose-edit-give-up"
    return {
        **each("rulebook", f"home calculator {proposing}", of(casino)),
        **each("rulebook", "approve withdraw", of(casino, rules=NSW, number=waiting.number)),
        **each("rulebook", " ".join(OF_A_VERSION), of(casino, rules=NSW, number=approved.number)),
        "audit:readings": of(casino, rules=NSW, number=approved.number),
        "rulebook:rules-now": of(casino, rules=NSW),
    }


def evidence(casino: Casino) -> Places:
    with transaction.atomic():
        [receipt] = append(casino.slug, [record("evidence-exported", {})], LONG_AGO)
    bundle = Bundle.objects.create(
        casino=casino, asked_by=who("admin"), asked_by_name="", asked_at=LONG_AGO, first_index=0, end_index=1
    )
    return {
        **each("evidence", "ledger growth verification verify completeness bundles new-bundle", of(casino)),
        **each("evidence", "bundle bundle-progress bundle-file", of(casino, bundle=bundle.pk)),
        **each("evidence", "entry check proof leaf", of(casino, index=receipt.index)),
        **each("restores", "log hand-in begin", {"log": casino.slug}),
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


def fairness(casino: Casino) -> Places:
    signal = signal_by_hand(casino, LONG_AGO)
    return {
        **each("fairness", "standing signals", of(casino)),
        **each("fairness", "signal chart see", of(casino, signal=signal.entry_index)),
        **each("fairness", "table table-chart", of(casino, table="sb-1")),
    }


def trials(casino: Casino) -> Places:
    version = RuleVersion.objects.get(casino=casino, rules=NSW, number=1)
    trial = trial_by_hand(version, who("auth"), LONG_AGO)
    return {
        **each("trials", "trials new", of(casino)),
        "trials:readings": of(casino, rules=NSW, number=version.number),
        **each("trials", "trial progress differences stop again", of(casino, trial=trial.pk)),
    }


def alerts(casino: Casino) -> Places:
    alert = raise_alert(
        casino=casino, duty="equipment-fault", to=Role.INSPECTOR, statement="The lights of SB-1 failed.",
        clause="8.8", now=LONG_AGO, table="sb-1",
    )  # fmt: skip
    return {
        **each("alerts", "inbox ladders", of(casino)),
        "alerts:set-ladder": of(casino, urgency="at-once"),
        "alerts:block": of(casino, table="sb-1"),
        **each("alerts", "alert acknowledge", of(casino, alert=alert.entry_index)),
    }


def equipment(casino: Casino) -> Places:
    table = Table.objects.get(casino=casino, slug="sb-1")
    line = {"kind": "round", "table": "sb-1", "at": "2026-06-01T02:00:00Z", "body": BODIES["round"]}
    with transaction.atomic():
        [played] = append(casino.slug, [record("round", line, table="sb-1")], LONG_AGO)
    void = void_rounds(
        table=table, dice_set="set-0912", rounds=[played.index], reason="A chipped corner.", actor=who("shift"),
        now=LONG_AGO,
    )  # fmt: skip
    fault = Fault.objects.create(
        log=casino.slug, table="sb-1", index=0, at=LONG_AGO, name="F-1", equipment="sign", effect="power",
        stops_play=False,
    )  # fmt: skip
    registers = "board faults dice shakers inspections cards chips void-sets new-void-set"
    return {
        **each("equipment", registers, of(casino)),
        "equipment:fault": of(casino, fault=fault.index),
        "equipment:void-set": of(casino, void_set=void.entry_index),
        "equipment:returns": of(casino, because=void.entry_index),
        **each("equipment", "table return", of(casino, table="sb-1")),
        "equipment:record": of(casino, table="sb-1", kind="fault"),
    }


def conduct(casino: Casino) -> Places:
    said = Said(kind="exclusion", grounds="other", scope="game", seat=4, at=LONG_AGO)
    table = Table.objects.get(casino=casino, slug="sb-1")
    act = record_conduct(table=table, said=said, actor=who("csup"), now=LONG_AGO)
    return {
        "conduct:acts": of(casino),
        "conduct:act": of(casino, act=act.entry_index),
        "conduct:table": of(casino, table="sb-1"),
        "conduct:record": of(casino, table="sb-1", kind="exclusion"),
    }


def signs(casino: Casino) -> Places:
    """At the table that floor_places made, where no rules are in force: whoever supervises may act."""
    table, supervisor = Table.objects.get(casino=casino, slug="sb-1"), who("csup")
    new = add_display(table=table, name="Screen", actor=supervisor, now=LONG_AGO)
    said: dict[str, Any] = {"table": table, "actor": supervisor, "now": LONG_AGO}
    notice = schedule_notice(limits=Limits(min=600, max=60_000), effective_at=LONG_AGO.replace(year=2999), **said)
    sign = make_sign(
        purpose=Purpose.PLAYER_LIMITS, content={"seat": 3, "min": 1, "max": 2}, notice_minutes=0, clause="", **said
    )
    limit = PlayerLimit.objects.create(
        casino=casino, table=table, seat=3, min_cents=1, max_cents=2, sign=sign, allowed_by=supervisor,
        allowed_by_name="", allowed_at=LONG_AGO, log=casino.slug, entry_index=10**9,
    )  # fmt: skip
    closure = announce_closure(
        closes_at=LONG_AGO.replace(year=2999), players_present=True, streak_in_progress=False, **said
    )
    at_table = of(casino, table=table.slug)
    return {
        "signs:board": of(casino),
        **each("signs", "table add-display live", at_table),
        **each("signs", "up confirm down", of(casino, sign=sign.pk)),
        "signs:paper": of(casino, sign=sign.pk, paper="a5"),
        "signs:end-display": of(casino, display=new.display.pk),
        "signs:display": {"token": new.token},
        "notices:notices": of(casino),
        **each("notices", "notice withdraw", of(casino, notice=notice.pk)),
        **each("notices", "new player-limits allow-player warnings warn", at_table),
        "notices:end-player-limit": of(casino, limit=limit.pk),
        **each("closures", "table announce emergency reopen", at_table),
        **each("closures", "close withdraw", of(casino, closure=closure.pk)),
    }


def reviews(casino: Casino) -> Places:
    """The review of the finding above: its subject is no round, and nothing was asked about it."""
    finding = Finding.objects.get(casino=casino)
    Review.objects.create(
        finding=finding, casino=casino, code=finding.code, severity=finding.severity, rank=0, opened_at=LONG_AGO,
        due_at=LONG_AGO,
    )  # fmt: skip
    it = of(casino, finding=finding.entry_index)
    return {
        **each("reviews", "queue next groups arrangements asked", of(casino)),
        **each("reviews", "finding timeline take put-back reperform second standing", it),
        "reviews:decide": it | {"outcome": "explained"},
        "reviews:decide-together": of(casino, outcome="explained"),
        "reviews:answer": of(casino, question=1),
    }


def checklists(casino: Casino) -> Places:
    """A checklist of the rules in force, and a sample that drew one round."""
    version = RuleVersion.objects.get(casino=casino, rules=NSW, number=1)
    checklist = begin_checklist(
        casino=casino, version=version, since=LONG_AGO, until=LONG_AGO + timedelta(days=1), actor=who("insp"),
        now=LONG_AGO,
    )  # fmt: skip
    line = {"kind": "round", "table": "sb-1", "at": "2026-06-01T02:00:00Z", "body": BODIES["round"]}
    with transaction.atomic():
        [played] = append(casino.slug, [record("round", line, table="sb-1")], LONG_AGO)
    sample = Sample.objects.create(
        log=casino.slug, entry_index=10**9, casino=casino, purpose="", since=LONG_AGO,
        until=LONG_AGO + timedelta(days=1), tables=[], size=1, up_to=1, seed="00", seeded_by=who("insp"),
        seeded_by_name="", seeded_at=LONG_AGO,
    )  # fmt: skip
    Draw.objects.create(
        log=casino.slug, entry_index=10**9, sample=sample, population=1, rounds=[played.index], drawn_at=LONG_AGO
    )
    SampledRound.objects.create(sample=sample, place=1, round_index=played.index, table="sb-1", started_at=LONG_AGO)
    it, drawn = of(casino, checklist=checklist.entry_index), of(casino, sample=sample.entry_index)
    return {
        **each("checklists", "checklists new new-sample new-weighted-sample", of(casino)),
        **each("checklists", "checklist sign-off supersede", it),
        **each("checklists", "clause clause-again", it | {"place": 1}),
        **each("checklists", "sample draw draw-progress draw-again again-progress", drawn),
        "checklists:walk": drawn | {"place": 1},
    }


def saved(casino: Casino) -> Places:
    """A view of the queue that the inspector has kept, and a message about it."""
    view = SavedView.objects.create(
        owner=who("insp"), casino=casino, path=f"/casinos/{casino.slug}/reviews/", table_id="table",
        list_words="Findings", query="severity=serious", name="Serious", kept_at=LONG_AGO,
    )  # fmt: skip
    message = Message.objects.create(person=who("insp"), made_at=LONG_AGO, next_try_at=LONG_AGO, state="withheld")
    return {
        **each("saved", "views keep", of(casino)),
        **each("saved", "view open change remove tell stop-telling", of(casino, view=view.pk)),
        "saved:stop": {"token": stop_token(message)},
    }


def reports(casino: Casino) -> Places:
    report = Report.objects.create(
        casino=casino, kind="certificate", chosen={}, asked_by=who("admin"), asked_by_name="", asked_at=LONG_AGO
    )
    schedule = Schedule.objects.create(
        casino=casino, kind="certificate", every="day", to=["inspector"], by=who("admin"), by_name="", at=LONG_AGO,
        next_on=LONG_AGO.date(), log=casino.slug, entry_index=0,
    )  # fmt: skip
    of_it = of(casino, schedule=schedule.pk)
    record_everywhere(LONG_AGO)
    return {
        "reports:certificate": {"fingerprint": report_key().sha256},
        **each("reports", "reports dashboard schedules add-schedule", of(casino)),
        "reports:dashboard-chart": of(casino, chart="rounds"),
        "reports:schedule": of_it,
        "reports:move-schedule": of_it | {"state": "paused"},
        "reports:new": of(casino, kind="certificate"),
        **each("reports", "report progress file", of(casino, report=report.pk)),
        "reports:figure": of(casino, report=report.pk, figure=0),
    }


def inspectorate(casino: Casino) -> Places:
    made = make_token(
        name="Case system", casinos=[casino], scopes=["findings"], days=30, actor=who("insp"), now=LONG_AGO
    )
    return {
        **each(
            "inspectorate", "tokens new-token api-findings api-rounds api-coverage api-reports api-entries", of(casino)
        ),
        "inspectorate:revoke": of(casino, token=made.token.pk),
        **each("inspectorate", "api-finding api-round", of(casino, index=1)),
        "inspectorate:api-report-file": of(casino, report=1),
        "inspectorate:api-pack": of(casino, sha256="7e" * 32),
    }


def webhooks(casino: Casino) -> Places:
    """One that was told of something: its receiver was not there."""
    endpoint = register_endpoint(
        casino=casino, name="Case system", address="https://hooks.example.com/fairthrow", events=["finding.recorded"],
        actor=who("compl"), now=LONG_AGO,
    )  # fmt: skip
    found = dict(Finding.objects.get(casino=casino).as_record()) | {"sentence": "Small paid $51.00; $50.00 was due."}
    with transaction.atomic():
        append(casino.slug, [record("finding", found)], LONG_AGO)
    follow_events(lambda: LONG_AGO, [casino.slug])
    sent = Delivery.objects.to(endpoint).get()
    Attempt.objects.create(
        delivery=sent, number=1, started_at=LONG_AGO, ended_at=LONG_AGO, trouble="It refused the connection."
    )
    it = of(casino, endpoint=endpoint.pk)
    return {
        **each("webhooks", "endpoints new", of(casino)),
        **each("webhooks", "endpoint change off on remove test", it),
        **each("webhooks", "delivery again", it | {"delivery": sent.pk}),
    }


def witnesses(casino: Casino) -> Places:
    """One witness, which disagrees."""
    witness = register_witness(casino=casino, key=str(witness_key(WITNESS)), actor=who("insp"), now=LONG_AGO)
    dissent = Dissent.objects.create(
        witness=witness, reason="shrank", kept_size=2, kept_root="", offered_size=1, offered_root="",
        stated_at=LONG_AGO, statement="", received_at=LONG_AGO, log=casino.slug, entry_index=10**9,
    )  # fmt: skip
    return {
        **each("witnesses", "witnesses register", of(casino)),
        "witnesses:end": of(casino, witness=witness.pk),
        "witnesses:statement": of(casino, dissent=dissent.pk),
        "witnesses:cosignatures": {"log": casino.slug, "size": 1},
        "witnesses:disagreements": {"log": casino.slug},
    }


def desk(casino: Casino) -> Places:
    line = {"kind": "round", "table": "sb-1", "at": "2026-06-01T02:00:00Z", "body": BODIES["round"]}
    with transaction.atomic():
        [receipt] = append(casino.slug, [record("round", line, table="sb-1")], LONG_AGO)
    return {
        **each("desk", "search-casino floor", of(casino)),
        **each("desk", "table timeline", of(casino, table="sb-1")),
        **each("desk", "round replay", of(casino, index=receipt.index)),
    }
