"""Services that propose a rule version: from a pack with its source document, or as a ruling on one reading."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from rounds.engine import EngineError, Pack, adopt_readings, compile_rules, load_pack, odds
from rounds.ledger import append, make_entry
from rounds.rulebook.entry_kinds import PROPOSED, RULED
from rounds.rulebook.errors import BadPack, BadSource, MayNotPropose, MayNotRule, NothingToRule, NotRulable
from rounds.rulebook.models import FrozenPack, MediaType, RuleVersion, SourceDocument
from rounds.rulebook.permissions import MAY_PROPOSE
from rounds.rulebook.selectors import pack_of, versions_of
from rounds.rulebook.size_limits import MAX_PACK_BYTES, MAX_SOURCE_BYTES


@dataclass(frozen=True)
class SourceUpload:
    """A source document before it is stored. `media_type` was detected from its bytes, not from its name."""

    content: bytes
    file_name: str
    media_type: str


def read_source_upload(content: bytes, file_name: str) -> SourceUpload:
    """Accepts PDF and plain text only, so that nothing uploaded can run in a browser. Sanitises the file name."""
    if not content or len(content) > MAX_SOURCE_BYTES:
        raise BadSource
    printable = "".join(letter for letter in file_name if letter.isprintable())
    name = printable.replace("\\", "/").rpartition("/")[2][-200:].strip() or "document"
    if content.startswith(b"%PDF-"):
        return SourceUpload(content, name, MediaType.PDF)
    try:
        is_text = "\0" not in content.decode("utf-8")
    except UnicodeDecodeError:
        is_text = False
    if not is_text:
        raise BadSource
    return SourceUpload(content, name, MediaType.TEXT)


def validate_pack_file(content: bytes, file_name: str) -> Pack:
    """The validated pack. Raises BadPack with every problem."""
    if len(content) > MAX_PACK_BYTES:
        raise BadPack([f"{file_name}: the file: found {len(content):,} bytes, expected at most {MAX_PACK_BYTES:,}"])
    try:
        return load_pack(content, file_name)
    except EngineError as error:
        raise BadPack(error.problems or (error.message,)) from error


@transaction.atomic
def propose_version(
    *,
    casino: Casino,
    pack_content: bytes,
    pack_file: str,
    source: SourceUpload,
    readings: Mapping[str, str],
    actor: User,
    now: datetime,
) -> RuleVersion:
    if not actor.has_role_in_database(*MAY_PROPOSE, casino=casino):
        raise MayNotPropose
    pack = validate_pack_file(pack_content, pack_file)
    adopted = _adopt_chosen_readings(pack, readings)
    casino.lock()
    version = RuleVersion(
        **_version_fields(casino, pack, adopted),
        pack=FrozenPack.get_or_freeze(pack_content),
        source_document=_store_source_document(source, casino, actor, now),
        proposed_by=actor,
        proposed_at=now,
    )
    return _record_proposal(version, PROPOSED, now)


@transaction.atomic
def propose_ruling(
    *, version: RuleVersion, reading: str, choice: str, reasons: str, wanted_at: datetime, actor: User, now: datetime
) -> RuleVersion:
    """An inspector adopts another reading of one clause. Creates a proposed version, which a second person of
    government approves like any other."""
    if not actor.has_role_in_database(Role.INSPECTOR, casino=version.casino):
        raise MayNotRule
    version.casino.lock()
    ruled = versions_of(version.casino).approved().filter(pk=version.pk).first()
    if ruled is None:
        raise NotRulable
    if ruled.readings.get(reading) in (None, choice):
        raise NothingToRule
    pack = pack_of(ruled)
    ruling = RuleVersion(
        **_version_fields(ruled.casino, pack, _adopt_chosen_readings(pack, ruled.readings | {reading: choice})),
        pack_id=ruled.pack_id,
        source_document=ruled.source_document,
        rules_on=ruled,
        ruled_reading=reading,
        ruling_reasons=reasons,
        wanted_at=wanted_at,
        proposed_by=actor,
        proposed_at=now,
    )
    return _record_proposal(ruling, RULED, now)


def _adopt_chosen_readings(pack: Pack, readings: Mapping[str, str]) -> dict[str, str]:
    try:
        return dict(adopt_readings(pack, readings))
    except EngineError as error:
        raise NothingToRule(error.message) from error


def _version_fields(casino: Casino, pack: Pack, readings: dict[str, str]) -> dict[str, object]:
    """The fields copied from the pack, and the next version number of these rules at the casino."""
    last = RuleVersion.objects.filter(casino=casino, rules=pack.slug).aggregate(last=Max("number"))["last"]
    return {
        "casino": casino,
        "rules": pack.slug,
        "number": (last or 0) + 1,
        "title": pack.title,
        "pack_name": pack.name,
        "readings": readings,
        "truth_sha256": {
            table: odds.truth_table_sha256(compile_rules(pack, table, readings)) for table in pack.law.pay_table
        },
    }


def _store_source_document(source: SourceUpload, casino: Casino, actor: User, now: datetime) -> SourceDocument:
    return SourceDocument.objects.create(
        casino=casino,
        content=source.content,
        sha256=hashlib.sha256(source.content).hexdigest(),
        size_bytes=len(source.content),
        media_type=source.media_type,
        file_name=source.file_name,
        uploaded_by=actor,
        uploaded_at=now,
    )


def _record_proposal(version: RuleVersion, kind: str, now: datetime) -> RuleVersion:
    [receipt] = append(version.casino.slug, [make_entry(kind, version.proposal_entry_body())], now)
    version.proposed_index = receipt.index
    version.save(force_insert=True)
    return version
