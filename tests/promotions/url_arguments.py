"""One object of each promotions model, for the URLs of the permission matrix."""

from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from compliance.core.accounts.models import Casino, User
from compliance.core.web.files.uploads import Upload
from promotions.claims.services import decide_claim, record_claim
from promotions.draws.services import hold_draw, record_winner, schedule_draw
from promotions.terms.services import add_prescribed_item, begin_draft, file_terms, record_material
from tests.promotions.crew import answers


def promotion_url_arguments(casino: Casino, marketer: User, officer: User) -> dict[str, dict[str, object]]:
    now = timezone.now()
    by: dict[str, Any] = {"actor": marketer, "now": now}
    draft = begin_draft(casino=casino, **by)
    draft.answers = answers(now + timedelta(days=3))
    draft.save()
    version = file_terms(draft=draft, **by)
    promotion = version.promotion
    open_draft = begin_draft(casino=casino, like=version, **by)
    item = add_prescribed_item(casino=casino, item="Fireworks", basis="A regulation", actor=officer, now=now)
    picture = Upload(b"%PDF-1.7", "poster.pdf", "application/pdf")
    record_material(
        promotion=promotion,
        medium="poster",
        description="Poster",
        used_from_on=date(2026, 11, 1),
        is_referring=True,
        where="At the foot",
        upload=picture,
        **by,
    )
    draw = schedule_draw(promotion=promotion, scheduled_at=now, place="Stage", method="Barrel", **by)
    hold_draw(
        draw=draw,
        held_at=now,
        place="Stage",
        method="Barrel",
        entries=10,
        result="Ticket 4",
        scrutineer="Sam",
        is_confirmed=True,
        **by,
    )
    winner = record_winner(
        draw=draw, prize="Hatchback", value_cents=2_500_000, entry_drawn="4", person={"name": "Pat"}, **by
    )
    claim = record_claim(
        promotion=promotion, prize="Hatchback", value_cents=2_500_000, claimed_at=now, details="", winner=winner, **by
    )
    decide_claim(claim=claim, is_met=False, reasons="Closed.", person={"name": "Pat", "address": "Quay"}, **by)
    here: dict[str, object] = {"casino": casino.slug}
    of_draft, of_promotion = here | {"draft": open_draft.pk}, here | {"promotion": promotion.number}
    of_version, of_draw = of_promotion | {"version": 1}, of_promotion | {"draw": draw.number}
    of_claim = here | {"claim": claim.number}
    return {
        **_same_arguments("promotions", "board calendar", here),
        **_same_arguments("terms", "promotions begin prescribed prescribe", here),
        **_same_arguments("terms", "draft draft-prizes prize-new preview file ask discard", of_draft),
        "terms:draft-step": of_draft | {"item": "eligibility"},
        "terms:prize-add": of_draft | {"type": "vehicle"},
        **_same_arguments("terms", "prize prize-remove", of_draft | {"prize": 1}),
        **_same_arguments(
            "terms", "promotion change postpone validate materials record-material public-now", of_promotion
        ),
        **_same_arguments("terms", "version pdf decide public qr", of_version),
        "terms:unprescribe": here | {"item": item.pk},
        "terms:attachment": here | {"sha256": picture.sha256},
        **_same_arguments("draws", "not-told holidays change-holidays", here),
        **_same_arguments("draws", "draws schedule", of_promotion),
        **_same_arguments("draws", "draw hold stop validate publish add-winner", of_draw),
        **_same_arguments("draws", "winner attempt person", of_draw | {"winner": winner.number}),
        **_same_arguments("claims", "claims denied denied-csv", here),
        "claims:add": of_promotion,
        **_same_arguments("claims", "claim meet deny tell pay letter", of_claim),
    }


def _same_arguments(app: str, names: str, parts: dict[str, object]) -> dict[str, dict[str, object]]:
    return {f"{app}:{name}": parts for name in names.split()}
