"""Reports on promotions: the whole file of one, and the register of denied claims. Nobody is named in them.

A winner or claimant is known by the number of the personal record that holds the details.
"""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from compliance.accounts.models import Casino
from compliance.audit.models import Finding
from compliance.reports.assembling import assemble, entries_named
from compliance.reports.basis import basis_of, versions_between
from compliance.reports.contents.duties import HEADINGS as FOUND_HEADINGS
from compliance.reports.document import Drawn, Fact, Grid, Heading, Row, Section
from compliance.reports.period import period_of
from compliance.reports.wording import amount
from compliance.web.moments import moment_text
from promotions.claims.denials import waited, waited_words
from promotions.claims.models import Claim, ClaimQuerySet
from promotions.claims.selectors import claims_of, search_denials
from promotions.draws.models import Attempt, Draw, DrawStep, Publication, Winner
from promotions.standing import MAY_READ
from promotions.terms.models import Promotion, TermsVersion
from promotions.terms.selectors import state_of, version_in_force
from promotions.terms.wording import sections as terms_sections
from rounds.rulebook.calculator.words import plain

__all__ = ["MAY_READ", "build", "count_denials", "denials", "promotion_of"]

PREFIX = "P-"


def promotion_of(casino: Casino, reference: str) -> Promotion | None:
    """By its reference, such as P-3."""
    number = reference.strip().upper().removeprefix(PREFIX)
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        return None
    return Promotion.objects.filter(casino=casino, number=int(number)).select_related("casino").first()


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> Drawn:
    promotion = promotion_of(casino, chosen["promotion"])
    assert promotion is not None
    versions = list(TermsVersion.objects.with_people().filter(promotion=promotion).order_by("number"))
    in_force = version_in_force(promotion, now) or versions[0]
    draws = list(Draw.objects.with_state().filter(promotion=promotion).order_by("number"))
    sections = (
        _standing(promotion, in_force, casino),
        _versions(versions, in_force.number, casino),
        *_terms(in_force, casino),
        _materials(promotion),
        _draws(draws, casino),
        _winners(promotion, casino),
        _attempts(promotion, casino),
        _claims(claims_of(casino).filter(promotion=promotion).order_by("number"), casino, now),
        _found(promotion, casino),
    )
    decided = {one.decision.entry_index for one in versions if one.decided()}
    told = {one.entry_index for one in Publication.objects.filter(draw__promotion=promotion)}
    return assemble(
        casino, now,
        title=f"Promotion {promotion.reference}: {in_force.name}",
        subject=f"{casino.name}, terms version {in_force.number}",
        sections=sections,
        basis=basis_of(casino, versions_between(casino, versions[0].filed_at, now), entries_named(sections)),
        entries={*decided, *told},
    )  # fmt: skip


def _standing(promotion: Promotion, version: TermsVersion, casino: Casino) -> Section:
    facts = [
        Fact("Reference", promotion.reference),
        Fact("Starts", moment_text(version.starts_at, casino)),
        Fact("Ends", moment_text(version.ends_at, casino) if version.ends_at else "Not stated"),
        Fact("Terms SHA-256", version.terms_sha256),
    ]
    return Section(title="In short", facts=tuple(facts))


def _versions(versions: list[TermsVersion], newest: int, casino: Casino) -> Section:
    headings = (
        Heading("Version", 2, True, "version"), Heading("What", 4), Heading("Received", 4), Heading("By", 3),
        Heading("State", 3), Heading("Decided", 5), Heading("Terms SHA-256", 8, quotes="terms_sha256"),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                f"{one.number:,}", one.get_kind_display(), moment_text(one.filed_at, casino), one.filed_by.name,
                state_of(one, newest).label, _decided_words(one, casino), one.terms_sha256,
            ),
            one.entry_index,
        )
        for one in versions
    )  # fmt: skip
    return Section(title="Terms filed and amended", grid=Grid(headings, rows))


def _decided_words(version: TermsVersion, casino: Casino) -> str:
    decision = version.decided()
    if decision is None:
        return ""
    return (
        f"{'Approved' if decision.is_approved else 'Refused'}, {moment_text(decision.at, casino)}: {decision.reasons}"
    )


def _terms(version: TermsVersion, casino: Casino) -> Iterator[Section]:
    """As patrons read them, word for word."""
    for one in terms_sections(version.terms, casino):
        yield Section(title=f"Terms: {one.title}", texts=one.as_lines())


def _materials(promotion: Promotion) -> Section:
    headings = (
        Heading("Medium", 3), Heading("Description", 6, quotes="description"),
        Heading("Used from", 2, quotes="used_from"), Heading("Refers to the terms", 3),
        Heading("Where", 4, quotes="where"),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                one.get_medium_display(), one.description, one.used_from_on.isoformat(),
                "Yes" if one.is_referring else "No", one.where,
            ),
            one.entry_index,
        )
        for one in promotion.materials.order_by("used_from_on", "pk")
    )  # fmt: skip
    return Section(title="Marketing material", grid=Grid(headings, rows, "None was recorded."))


def _draws(draws: list[Draw], casino: Casino) -> Section:
    """Each draw as it was planned, and below it what happened to it."""
    headings = (
        Heading("Draw", 2), Heading("What", 4), Heading("When", 4), Heading("Statement", 8), Heading("Scrutineer", 4),
        Heading("By", 3, quotes="by.name"),
    )  # fmt: skip
    steps = DrawStep.objects.filter(draw__in=draws).select_related("by").order_by("draw__number", "step")
    rows = []
    for draw in draws:
        place = f"{draw.place}. {draw.method}"
        rows.append(
            Row((draw.reference, "Planned", moment_text(draw.scheduled_at, casino), place, "", draw.by.name),
                draw.entry_index)
        )  # fmt: skip
        rows += [
            Row(
                (
                    draw.reference, one.get_act_display(), moment_text(one.happened_at, casino), one.statement,
                    str(one.particulars.get("scrutineer") or ""), one.by.name,
                ),
                one.entry_index,
            )
            for one in steps
            if one.draw_id == draw.pk
        ]  # fmt: skip
    return Section(title="Draws", grid=Grid(headings, tuple(rows), "No draw was planned."))


def _winners(promotion: Promotion, casino: Casino) -> Section:
    headings = (
        Heading("Winner", 3), Heading("Prize", 5, quotes="prize"), Heading("Value", 3, True, "value_cents"),
        Heading("Entry drawn", 4, quotes="entry_drawn"), Heading("Drawn", 4), Heading("Reached", 2),
        Heading("Details in", 4),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                one.reference, one.prize, amount(one.value_cents), one.entry_drawn,
                moment_text(one.drawn_at, casino) if one.drawn_at else "", "Yes" if one.is_reached else "No",
                f"Personal record {one.personal_id}" if one.personal_id else "None kept",
            ),
            one.entry_index,
        )
        for one in Winner.objects.described().filter(draw__promotion=promotion).order_by("draw__number", "number")
    )  # fmt: skip
    return Section(title="Winners", grid=Grid(headings, rows, "Nobody has won yet."))


def _attempts(promotion: Promotion, casino: Casino) -> Section:
    headings = (
        Heading("Winner", 3), Heading("How", 3, quotes="method"), Heading("When", 4), Heading("Reached", 2),
        Heading("By", 3),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                one.winner.reference, one.method, moment_text(one.at, casino), "Yes" if one.is_reached else "No",
                one.by.name,
            ),
            one.entry_index,
        )
        for one in Attempt.objects.filter(winner__draw__promotion=promotion)
        .select_related("winner__draw__promotion", "by")
        .order_by("at", "pk")
    )  # fmt: skip
    return Section(title="How winners were told", grid=Grid(headings, rows, "Nobody tried to tell a winner yet."))


def _claims(claims: ClaimQuerySet, casino: Casino, now: datetime) -> Section:
    headings = (
        Heading("Claim", 2), Heading("Prize", 5, quotes="prize"), Heading("Value", 3, True, "value_cents"),
        Heading("Claimed", 4), Heading("State", 3), Heading("Reasons", 6),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                one.reference, one.prize, amount(one.value_cents), moment_text(one.claimed_at, casino),
                one.state.label, decision.reasons if (decision := one.decided()) else "",
            ),
            one.entry_index,
        )
        for one in claims
    )  # fmt: skip
    return Section(title="Claims", grid=Grid(headings, rows, "Nobody has claimed a prize."))


def _found(promotion: Promotion, casino: Casino) -> Section:
    """Findings whose subject is an entry of this promotion."""
    own = {
        *promotion.versions.values_list("entry_index", flat=True),
        *promotion.materials.values_list("entry_index", flat=True),
        *promotion.draws.values_list("entry_index", flat=True),
        *DrawStep.objects.filter(draw__promotion=promotion).values_list("entry_index", flat=True),
        *Winner.objects.filter(draw__promotion=promotion).values_list("entry_index", flat=True),
        *promotion.claims.values_list("entry_index", flat=True),
        *Claim.objects.filter(promotion=promotion).values_list("decision__entry_index", flat=True),
    }
    found = Finding.objects.standing().filter(casino=casino, subject_index__in=[one for one in own if one is not None])
    rows = tuple(
        Row(
            (
                one.code, one.sentence, one.table, moment_text(one.at, casino), one.clause,
                amount(one.required_cents), amount(one.found_cents),
            ),
            one.entry_index,
        )
        for one in found.order_by("at", "pk")
    )  # fmt: skip
    return Section(title="Not as the rules say", grid=Grid(FOUND_HEADINGS, rows, "The audit found nothing."))


def count_denials(casino: Casino, chosen: Mapping[str, Any]) -> int:
    return _denials(casino, chosen).count()


def _denials(casino: Casino, chosen: Mapping[str, Any]) -> ClaimQuerySet:
    days = {"since": date.fromisoformat(chosen["first"]), "until": date.fromisoformat(chosen["last"])}
    return search_denials(casino, days).order_by("decision__at", "pk")


def denials(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> Drawn:
    """By calendar days, as the register is searched."""
    period = period_of(casino, chosen)
    claims = list(_denials(casino, chosen))
    sections = (_denials_short(claims), _denials_section(claims, casino, now))
    told = {told.entry_index for one in claims if (told := one.decision.reasons_told())}
    return assemble(
        casino, now,
        title="Register of denied claims",
        subject=f"{casino.name}, {period.words.removeprefix('gaming ')}",
        sections=sections,
        basis=basis_of(casino, versions_between(casino, period.begins_at, period.ends_at), entries_named(sections)),
        entries={*told, *(one.entry_index for one in claims)},
    )  # fmt: skip


def _denials_short(claims: list[Claim]) -> Section:
    untold = sum(one.decision.reasons_told() is None for one in claims)
    return Section(
        title="In short",
        texts=("Names and addresses are kept apart, under the number of the personal record; every look is recorded.",),
        facts=(
            Fact("Claims denied", f"{len(claims):,}"),
            Fact("Worth together", amount(sum(one.value_cents for one in claims))),
            Fact("Nobody was told why", f"{untold:,}"),
        ),
    )


def _denials_section(claims: list[Claim], casino: Casino, now: datetime) -> Section:
    headings = (
        Heading("Claim", 2), Heading("Prize", 5), Heading("Value", 3, True, "value_cents"), Heading("Denied", 4),
        Heading("Reasons", 9, quotes="reasons"), Heading("Told", 5), Heading("Details in", 3),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                one.reference, f"{one.prize} ({one.promotion.reference})", amount(one.value_cents),
                moment_text(one.decision.at, casino), one.decision.reasons, _told_words(one, now),
                f"Personal record {one.record_id}" if one.record_id else "None kept",
            ),
            one.decision.entry_index,
        )
        for one in claims
    )  # fmt: skip
    return Section(title="Denied claims", grid=Grid(headings, rows, "No claim was denied in this time."))


def _told_words(claim: Claim, now: datetime) -> str:
    told, after = claim.decision.reasons_told(), waited_words(waited(claim.decision, now))
    return f"After {after}, {plain(told.method).lower()}" if told else f"Not told for {after}"
