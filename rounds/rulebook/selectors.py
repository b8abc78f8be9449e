"""Queries on rule versions: which one is in force when, and its pack and compiled rules. Views use access_version."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import ALL_ROLES, Role
from compliance.core.web.errors import NotFound
from rounds.engine import Pack, Rules, compile_rules, load_pack
from rounds.rulebook.models import Draft, FrozenPack, PackEdit, RuleVersion, RuleVersionQuerySet
from rounds.rulebook.permissions import MAY_APPROVE

UNSAFE_FILE_NAME_CHARACTERS = re.compile(r"[^A-Za-z0-9@._-]")


def version_in_force(casino: Casino, rules: str, at: datetime) -> RuleVersion | None:
    """The version in force at `at`, which applies to rounds that commenced then: the latest that had taken effect."""
    return effective_versions(casino, rules, at).with_people().first()


def effective_versions(casino: Casino, rules: str, at: datetime) -> RuleVersionQuerySet:
    """The versions that had taken effect by `at`, the one in force first."""
    effective = RuleVersion.objects.approved().filter(casino=casino, rules=rules, effective_at__lte=at)
    return effective.order_by("-effective_at")


def versions_in_force(casino: Casino, at: datetime) -> dict[str, RuleVersion]:
    """The version in force of each rule slug, in one query."""
    effective = RuleVersion.objects.approved().filter(casino=casino, effective_at__lte=at)
    newest = effective.with_people().order_by("rules", "-effective_at").distinct("rules")
    return {version.rules: version for version in newest}


def versions_of(casino: Casino) -> RuleVersionQuerySet:
    return RuleVersion.objects.filter(casino=casino).with_people()


def access_version(user: User, casino: Casino, rules: str, number: int) -> RuleVersion:
    """A version of a casino where the user holds a role. Missing and forbidden versions both raise NotFound."""
    found = versions_of(casino).filter(rules=rules, number=number) if user.has_role(*ALL_ROLES, casino=casino) else None
    version = found.first() if found is not None else None
    if version is None:
        raise NotFound
    return version


def published_version(casino: str, rules: str, number: int) -> RuleVersion:
    """A version on the public pages: approved and not withdrawn, whether in force or not."""
    published = RuleVersion.objects.approved().with_people()
    version = published.filter(casino__slug=casino, rules=rules, number=number).first()
    if version is None:
        raise NotFound
    return version


def previous_version(version: RuleVersion) -> RuleVersion | None:
    """The version to compare with: the one it rules on, or the latest approved version of the same rules before it."""
    if version.rules_on is not None:
        return version.rules_on
    others = versions_of(version.casino).filter(rules=version.rules, number__lt=version.number)
    return others.approved().order_by("-number").first()


def waiting_for_approval(user: User) -> RuleVersionQuerySet:
    """Proposals that this person may approve: at casinos where they hold a government role, without their own."""
    where = [held.casino for held in user.roles_now() if held.role in MAY_APPROVE]
    return RuleVersion.objects.waiting().filter(casino__in=where).exclude(proposed_by=user).with_people()


def draft_of(user: User, casino: Casino) -> Draft | None:
    return Draft.objects.filter(person=user, casino=casino).first()


def edit_of(user: User, casino: Casino) -> PackEdit | None:
    return PackEdit.objects.filter(draft__person=user, draft__casino=casino).select_related("draft").first()


@lru_cache(maxsize=64)
def load_frozen_pack(sha256: str) -> Pack:
    """The pack with this digest. Cached per process: packs are content-addressed and never change."""
    content = FrozenPack.objects.values_list("content", flat=True).get(sha256=sha256)
    return load_pack(bytes(content), f"{sha256[:12]}.toml")


def approved_packs_before(log: str, last: int) -> Iterator[tuple[str, bytes]]:
    """(file name, bytes) of each pack approved by an entry before `last` of a casino's log. For ledger exports."""
    approved = RuleVersion.objects.filter(casino__slug=log, approved_index__lt=last).order_by("approved_index")
    for sha256, name in dict(approved.values_list("pack_id", "pack_name")).items():
        content = FrozenPack.objects.values_list("content", flat=True).get(sha256=sha256)
        yield f"{UNSAFE_FILE_NAME_CHARACTERS.sub('-', name)}-{sha256[:12]}.toml", bytes(content)


def pack_of(version: RuleVersion) -> Pack:
    return load_frozen_pack(version.pack_id)


def rules_of(version: RuleVersion, pay_table: str | None = None, readings: Mapping[str, str] | None = None) -> Rules:
    """The compiled rules of one pay table, under the version's adopted readings; `readings` overrides some of them."""
    return compile_rules(pack_of(version), pay_table, version.readings | dict(readings or {}))


def roles_for_title(pack: Pack, word: str | None) -> tuple[Role, ...]:
    """The product roles that a document's word for people means. Empty if it means the dealer or is not defined."""
    role = pack.roles.get(word) if word else None
    return tuple(Role(each) for each in role.means) if role else ()
