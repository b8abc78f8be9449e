"""Reports on promotions: the file of one, and the register of denied claims. They contain no names.

A winner or claimant is identified by the number of their personal record.
"""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from django.db.models import F

from compliance.audit.context.stored_entries import PROMOTION_MODELS
from compliance.audit.models import Finding
from compliance.core.accounts.models import Casino
from compliance.core.corrections.report_section import correction_sections, corrections_between
from compliance.core.corrections.selectors import recorded_indexes
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Grid, LabelledValue, ReportColumn, Row, Section
from compliance.reports.document.assemble import assemble_document, entries_in_sections
from compliance.reports.document.audit_basis import build_basis, versions_between
from compliance.reports.document.period import period_from_options
from compliance.reports.document.structure import IllustratedDocument
from compliance.reports.kinds.duty_breaches import HEADINGS as FOUND_HEADINGS
from promotions.claims.denials import format_waiting_time, waiting_time
from promotions.claims.entry_kinds import CLAIM, DECIDED, TOLD
from promotions.claims.models import Claim, ClaimQuerySet
from promotions.claims.selectors import claims_of, search_denials
from promotions.draws.models import Attempt, Draw, DrawStep, Publication, Winner
from promotions.shared.permissions import MAY_READ
from promotions.terms.content.text import build_sections as terms_sections
from promotions.terms.models import Promotion, TermsVersion
from promotions.terms.selectors import entries_of_promotion, state_of, version_in_force
from rounds.engine.money import format_cents
from rounds.rulebook.labels import humanize_slug

__all__ = ["MAY_READ", "build_denial_register", "build_promotion_file", "count_denials", "promotion_of"]

REFERENCE_PREFIX = "P-"


def promotion_of(casino: Casino, reference: str) -> Promotion | None:
    """Finds a promotion by its reference, such as P-3."""
    number = reference.strip().upper().removeprefix(REFERENCE_PREFIX)
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        return None
    return Promotion.objects.filter(casino=casino, number=int(number)).select_related("casino").first()


def build_promotion_file(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    promotion = promotion_of(casino, chosen["promotion"])
    assert promotion is not None
    versions = list(TermsVersion.recorded.with_related().filter(promotion=promotion).order_by("number"))
    in_force = version_in_force(promotion, now) or versions[0]
    draws = list(Draw.objects.with_state().filter(promotion=promotion).order_by("number"))
    sections = (
        _summary_section(promotion, in_force, casino),
        _versions_section(versions, in_force.number, casino),
        *_terms_sections(in_force, casino),
        _materials_section(promotion),
        _draws_section(draws, casino),
        _winners_section(promotion, casino),
        _contact_attempts_section(promotion, casino),
        _claims_section(claims_of(casino).filter(promotion=promotion).order_by("number"), casino, now),
        _findings_section(promotion, casino),
        *correction_sections(casino, _recorded_indexes(promotion)),
    )
    decided = {decision.entry_index for one in versions if (decision := one.get_decision())}
    told = {one.entry_index for one in Publication.objects.filter(draw__promotion=promotion)}
    return assemble_document(
        casino,
        now,
        title=f"Promotion {promotion.reference}: {in_force.name}",
        subject=f"{casino.name}, terms version {in_force.number}",
        sections=sections,
        basis=build_basis(casino, versions_between(casino, versions[0].filed_at, now), entries_in_sections(sections)),
        entries={*decided, *told},
    )


def _recorded_indexes(promotion: Promotion) -> list[int]:
    """All records of the promotion, withdrawn ones included."""
    rows = (model.recorded.filter(**{path: promotion}) for model, path in PROMOTION_MODELS.items())
    return recorded_indexes(*rows)


def _summary_section(promotion: Promotion, version: TermsVersion, casino: Casino) -> Section:
    facts = [
        LabelledValue("Reference", promotion.reference),
        LabelledValue("Starts", format_local(version.starts_at, casino)),
        LabelledValue("Ends", format_local(version.ends_at, casino) if version.ends_at else "Not stated"),
        LabelledValue("Terms SHA-256", version.terms_sha256),
    ]
    return Section(title="In short", facts=tuple(facts))


def _versions_section(versions: list[TermsVersion], newest: int, casino: Casino) -> Section:
    headings = (
        ReportColumn("Version", 2, True, "version"),
        ReportColumn("What", 4),
        ReportColumn("Received", 4),
        ReportColumn("By", 3),
        ReportColumn("State", 3),
        ReportColumn("Decided", 5),
        ReportColumn("Terms SHA-256", 8, quotes="terms_sha256"),
    )
    rows = tuple(
        Row(
            (
                f"{one.number:,}",
                one.get_kind_display(),
                format_local(one.filed_at, casino),
                one.filed_by.name,
                state_of(one, newest).label,
                _decision_text(one, casino),
                one.terms_sha256,
            ),
            one.entry_index,
        )
        for one in versions
    )
    return Section(title="Terms filed and amended", grid=Grid(headings, rows))


def _decision_text(version: TermsVersion, casino: Casino) -> str:
    decision = version.get_decision()
    if decision is None:
        return ""
    return (
        f"{'Approved' if decision.is_approved else 'Refused'}, {format_local(decision.at, casino)}: {decision.reasons}"
    )


def _terms_sections(version: TermsVersion, casino: Casino) -> Iterator[Section]:
    """The terms word for word as patrons read them."""
    for one in terms_sections(version.terms, casino):
        yield Section(title=f"Terms: {one.title}", texts=one.as_lines())


def _materials_section(promotion: Promotion) -> Section:
    headings = (
        ReportColumn("Medium", 3),
        ReportColumn("Description", 6, quotes="description"),
        ReportColumn("Used from", 2, quotes="used_from"),
        ReportColumn("Refers to the terms", 3),
        ReportColumn("Where", 4, quotes="where"),
    )
    rows = tuple(
        Row(
            (
                one.get_medium_display(),
                one.description,
                one.used_from_on.isoformat(),
                "Yes" if one.is_referring else "No",
                one.where,
            ),
            one.entry_index,
        )
        for one in promotion.materials.order_by("used_from_on", "pk")
    )
    return Section(title="Marketing material", grid=Grid(headings, rows, "None was recorded."))


def _draws_section(draws: list[Draw], casino: Casino) -> Section:
    """Each draw as planned, followed by its steps."""
    headings = (
        ReportColumn("Draw", 2),
        ReportColumn("What", 4),
        ReportColumn("When", 4),
        ReportColumn("Statement", 8),
        ReportColumn("Scrutineer", 4),
        ReportColumn("By", 3, quotes="by.name"),
    )
    steps = DrawStep.objects.filter(draw__in=draws).select_related("by").order_by("draw__number", "step")
    rows = []
    for draw in draws:
        place = f"{draw.place}. {draw.method}"
        rows.append(
            Row(
                (draw.reference, "Planned", format_local(draw.scheduled_at, casino), place, "", draw.by.name),
                draw.entry_index,
            )
        )
        rows += [
            Row(
                (
                    draw.reference,
                    one.get_act_display(),
                    format_local(one.happened_at, casino),
                    one.statement,
                    str(one.particulars.get("scrutineer") or ""),
                    one.by.name,
                ),
                one.entry_index,
            )
            for one in steps
            if one.draw_id == draw.pk
        ]
    return Section(title="Draws", grid=Grid(headings, tuple(rows), "No draw was planned."))


def _winners_section(promotion: Promotion, casino: Casino) -> Section:
    headings = (
        ReportColumn("Winner", 3),
        ReportColumn("Prize", 5, quotes="prize"),
        ReportColumn("Value", 3, True, "value_cents"),
        ReportColumn("Entry drawn", 4, quotes="entry_drawn"),
        ReportColumn("Drawn", 4),
        ReportColumn("Reached", 2),
        ReportColumn("Details in", 4),
    )
    rows = tuple(
        Row(
            (
                one.reference,
                one.prize,
                format_cents(one.value_cents),
                one.entry_drawn,
                format_local(one.drawn_at, casino) if one.drawn_at else "",
                "Yes" if one.is_reached else "No",
                f"Personal record {one.personal_id}" if one.personal_id else "None kept",
            ),
            one.entry_index,
        )
        for one in Winner.objects.with_details().filter(draw__promotion=promotion).order_by("draw__number", "number")
    )
    return Section(title="Winners", grid=Grid(headings, rows, "Nobody has won yet."))


def _contact_attempts_section(promotion: Promotion, casino: Casino) -> Section:
    headings = (
        ReportColumn("Winner", 3),
        ReportColumn("How", 3, quotes="method"),
        ReportColumn("When", 4),
        ReportColumn("Reached", 2),
        ReportColumn("By", 3),
    )
    rows = tuple(
        Row(
            (
                one.winner.reference,
                one.method,
                format_local(one.at, casino),
                "Yes" if one.is_reached else "No",
                one.by.name,
            ),
            one.entry_index,
        )
        for one in Attempt.objects.filter(winner__draw__promotion=promotion)
        .select_related("winner__draw__promotion", "by")
        .order_by("at", "pk")
    )
    return Section(title="How winners were told", grid=Grid(headings, rows, "Nobody tried to tell a winner yet."))


def _claims_section(claims: ClaimQuerySet, casino: Casino, now: datetime) -> Section:
    headings = (
        ReportColumn("Claim", 2),
        ReportColumn("Prize", 5, quotes="prize"),
        ReportColumn("Value", 3, True, "value_cents"),
        ReportColumn("Claimed", 4),
        ReportColumn("State", 3),
        ReportColumn("Reasons", 6),
    )
    rows = tuple(
        Row(
            (
                one.reference,
                one.prize,
                format_cents(one.value_cents),
                format_local(one.claimed_at, casino),
                one.state.label,
                decision.reasons if (decision := one.get_decision()) else "",
            ),
            one.entry_index,
        )
        for one in claims
    )
    return Section(title="Claims", grid=Grid(headings, rows, "Nobody has claimed a prize."))


def _findings_section(promotion: Promotion, casino: Casino) -> Section:
    """Findings about an entry of this promotion, or that rest on one, such as that a winner was never told."""
    found = Finding.objects.about(casino.slug, entries_of_promotion(promotion))
    rows = tuple(
        Row(
            (
                one.code,
                one.sentence,
                one.table,
                format_local(one.at, casino),
                one.clause,
                format_cents(one.required_cents),
                format_cents(one.found_cents),
            ),
            one.entry_index,
        )
        for one in found.order_by("at", "pk")
    )
    return Section(title="Not as the rules say", grid=Grid(FOUND_HEADINGS, rows, "The audit found nothing."))


def count_denials(casino: Casino, chosen: Mapping[str, Any]) -> int:
    return _denied_claims(casino, chosen).count()


def _denied_claims(casino: Casino, chosen: Mapping[str, Any]) -> ClaimQuerySet:
    days = {"since": date.fromisoformat(chosen["first"]), "until": date.fromisoformat(chosen["last"])}
    return search_denials(casino, days).order_by(F("decided_at").asc(), "pk")


def build_denial_register(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    """Selected by calendar days, like the register's page."""
    period = period_from_options(casino, chosen)
    claims = list(_denied_claims(casino, chosen))
    sections = (
        _denials_summary_section(claims),
        _denials_section(claims, casino, now),
        *corrections_between(casino, period.begins_at, period.ends_at, {CLAIM, DECIDED, TOLD}),
    )
    told = {told.entry_index for one in claims if (told := one.decision.get_reasons_told())}
    return assemble_document(
        casino,
        now,
        title="Register of denied claims",
        subject=f"{casino.name}, {period.words.removeprefix('gaming ')}",
        sections=sections,
        basis=build_basis(
            casino, versions_between(casino, period.begins_at, period.ends_at), entries_in_sections(sections)
        ),
        entries={*told, *(one.entry_index for one in claims)},
    )


def _denials_summary_section(claims: list[Claim]) -> Section:
    untold = sum(one.decision.get_reasons_told() is None for one in claims)
    return Section(
        title="In short",
        texts=("Names and addresses are kept apart, under the number of the personal record; every look is recorded.",),
        facts=(
            LabelledValue("Claims denied", f"{len(claims):,}"),
            LabelledValue("Worth together", format_cents(sum(one.value_cents for one in claims))),
            LabelledValue("Nobody was told why", f"{untold:,}"),
        ),
    )


def _denials_section(claims: list[Claim], casino: Casino, now: datetime) -> Section:
    headings = (
        ReportColumn("Claim", 2),
        ReportColumn("Prize", 5),
        ReportColumn("Value", 3, True, "value_cents"),
        ReportColumn("Denied", 4),
        ReportColumn("Reasons", 9, quotes="reasons"),
        ReportColumn("Told", 5),
        ReportColumn("Details in", 3),
    )
    rows = tuple(
        Row(
            (
                one.reference,
                f"{one.prize} ({one.promotion.reference})",
                format_cents(one.value_cents),
                format_local(one.decision.at, casino),
                one.decision.reasons,
                _notification_text(one, now),
                f"Personal record {one.record_id}" if one.record_id else "None kept",
            ),
            one.decision.entry_index,
        )
        for one in claims
    )
    return Section(title="Denied claims", grid=Grid(headings, rows, "No claim was denied in this time."))


def _notification_text(claim: Claim, now: datetime) -> str:
    notification, after = claim.decision.get_reasons_told(), format_waiting_time(waiting_time(claim.decision, now))
    return f"After {after}, {humanize_slug(notification.method).lower()}" if notification else f"Not told for {after}"
