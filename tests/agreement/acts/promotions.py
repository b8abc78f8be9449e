"""Promotions: filed, amended, postponed; draws held, stopped and validated; winners told; prizes claimed and paid."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from promotions.claims.models import Claim, ClaimState, HandoverType
from promotions.claims.services import decide_claim, pay_prize, record_claim, record_reasons_told
from promotions.draws.models import Draw, Winner
from promotions.draws.services import (
    hold_draw,
    publish_results,
    record_attempt,
    record_winner,
    schedule_draw,
    stop_draw,
    validate_draw,
)
from promotions.draws.states import DrawAct, DrawState
from promotions.shared.permissions import MAY_WRITE
from promotions.terms.content.terms import Terms
from promotions.terms.models import Draft, PrescribedItem, Promotion, PromotionStep, TermsVersion
from promotions.terms.selectors import current_versions
from promotions.terms.services import (
    add_prescribed_item,
    begin_draft,
    decide_amendment,
    file_terms,
    postpone_promotion,
    record_material,
    remove_prescribed_item,
    request_amendment,
    validate_promotion,
)
from tests.agreement.machine import MOSTLY, Agreement
from tests.promotions.crew import CAR, DAY, HOUR, VOUCHER, answers

PERSON = {"name": "Pat Example", "address": "12 Quay Street"}
DAYS = st.sampled_from([0, 1, 2, 9])


class ActsInPromotions(Agreement):
    """Acts of marketing. `draft_number` keeps the texts of terms apart."""

    draft_number = 0

    @precondition(lambda self: self.pack.duties.promotions)
    @rule(data=st.data())
    def advance_promotion(self, data: st.DataObject) -> None:
        """Files terms; later changes them, postpones the promotion, or schedules its draw."""
        version = current_versions(self.casino, self.now).order_by("-pk").first()
        if version is None:
            self.file(data, None)
        elif version.starts_at > self.now:
            match data.draw(st.sampled_from(["again", "draw", "wait"])):
                case "again":
                    self.file(data, version.promotion)
                case "draw":
                    self.schedule(data, version)
                case _:
                    self.pass_time(version.starts_at - self.now + HOUR)
        elif (step := PromotionStep.objects.filter(promotion=version.promotion).last()) and step.after == "postponed":
            other = "cora" if step.by == self.person("mara") else "mara"
            self.act(validate_promotion, other, promotion=version.promotion, how="Counted again.")
        else:
            self.change_running(data, version)

    def change_running(self, data: st.DataObject, version: TermsVersion) -> None:
        awaiting = TermsVersion.objects.awaiting_decision().filter(promotion=version.promotion).first()
        match data.draw(st.sampled_from(["amend", "postpone", "draw", "draw", "material"])):
            case "amend" if awaiting is not None:
                is_approved = data.draw(MOSTLY)
                self.act(decide_amendment, "alf", version=awaiting, is_approved=is_approved, reasons="As asked.")
            case "amend":
                draft = self.draft(version.promotion, version.starts_at, CAR, VOUCHER)
                in_use_at = data.draw(st.sampled_from([None, None, self.now - HOUR]))
                self.act(request_amendment, "mara", draft=draft, reason="A prize more.", in_use_at=in_use_at)
            case "postpone":
                at = self.now - timedelta(minutes=data.draw(st.sampled_from([0, 5, 120])))
                said = {"determined_at": at, "reason": "The barrel was open."}
                self.act(postpone_promotion, self.one_of(data, MAY_WRITE), promotion=version.promotion, **said)
            case "material":
                self.advertise(data, version.promotion)
            case _:
                self.schedule(data, version)

    def file(self, data: st.DataObject, promotion: Promotion | None) -> None:
        starts_at = self.now + data.draw(st.sampled_from([10, 5, 1, -1])) * DAY
        presence = data.draw(st.sampled_from(["not-required", "not-required", "required"]))
        draft = self.draft(promotion, starts_at, CAR, VOUCHER, presence=presence)
        self.act(file_terms, self.one_of(data, MAY_WRITE), draft=draft)

    def draft(self, promotion: Promotion | None, starts_at: Any, *prizes: Any, **said: Any) -> Draft:
        self.draft_number += 1
        draft = begin_draft(casino=self.casino, promotion=promotion, actor=self.person("mara"), now=self.now)
        content = answers(starts_at, *prizes, name=f"Draw {self.draft_number}", **said)
        draft.answers = dict(Terms(content).answers)
        draft.save()
        return draft

    def schedule(self, data: st.DataObject, version: TermsVersion) -> None:
        at = (version.awarded_at or self.now) + data.draw(st.sampled_from([0, 0, -1, 3])) * DAY
        said = {"scheduled_at": at, "place": "The stage beside the bar", "method": "Barrel"}
        self.act(schedule_draw, self.one_of(data, MAY_WRITE), promotion=version.promotion, **said)

    def advertise(self, data: st.DataObject, promotion: Promotion) -> None:
        said = {"medium": "poster", "description": "At the entrance.", "used_from_on": self.now.date()}
        is_referring = data.draw(st.booleans())
        self.act(record_material, "mara", promotion=promotion, is_referring=is_referring, where="Foot.", **said)

    @precondition(lambda self: self.pack.duties.promotions)
    @rule(data=st.data())
    def prescribed_prizes(self, data: st.DataObject) -> None:
        item = PrescribedItem.objects.filter(casino=self.casino, removal=None).first()
        if item is None:
            name = data.draw(st.sampled_from(["knives", "dinner"]))
            self.act(add_prescribed_item, "alf", casino=self.casino, item=name, basis="Gazette.")
        else:
            self.act(remove_prescribed_item, "alf", item=item, reason="Repealed.")

    # --- Draws --------------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.pack.duties.promotions)
    @rule(data=st.data())
    def advance_draw(self, data: st.DataObject) -> None:
        draw = Draw.objects.with_state().filter(promotion__casino=self.casino).order_by("-pk").first()
        if draw is None:
            return
        match draw.state:
            case DrawState.SCHEDULED if data.draw(MOSTLY):
                self.hold(data, draw)
            case DrawState.SCHEDULED:
                said = {"act": data.draw(st.sampled_from([DrawAct.POSTPONED, DrawAct.CANCELLED])), "reason": "Torn."}
                self.act(stop_draw, self.one_of(data, MAY_WRITE), draw=draw, determined_at=self.now - HOUR, **said)
            case DrawState.POSTPONED:
                stopped = draw.steps.order_by("-step").first()
                involved = {draw.by, stopped.by if stopped else None}
                other = "cora" if self.person("mara") in involved else "mara"
                again = self.now + data.draw(st.sampled_from([1, 48])) * HOUR
                if self.person(other) not in involved:
                    self.act(validate_draw, other, draw=draw, how="Counted again.", scheduled_at=again)
                else:
                    self.hold(data, draw)
            case DrawState.HELD:
                self.after_draw(data, draw)

    def hold(self, data: st.DataObject, draw: Draw) -> None:
        due = draw.due_at - self.now
        if due > timedelta():
            self.pass_time(due + data.draw(st.sampled_from([timedelta(), HOUR, 2 * DAY])))
        said = {
            "held_at": self.now - data.draw(st.sampled_from([timedelta(), HOUR])),
            "place": data.draw(st.sampled_from(["The stage beside the bar", "Elsewhere"])),
            "method": "Barrel",
            "entries": data.draw(st.sampled_from([812, 812, 0])),
            "result": "Ticket 17",
            "scrutineer": data.draw(st.sampled_from(["Sam Scrutineer", "Sam Scrutineer", ""])),
            "is_confirmed": True,
        }
        self.act(hold_draw, self.one_of(data, MAY_WRITE), draw=draw, **said)

    def after_draw(self, data: st.DataObject, draw: Draw) -> None:
        winner = Winner.objects.filter(draw=draw).order_by("-pk").first()
        if winner is None or data.draw(st.integers(0, 4)) == 0:
            self.win(data, draw)
            return
        match data.draw(st.sampled_from(["tell", "publish", "claim", "claim"])):
            case "tell":
                said = {"method": data.draw(st.sampled_from(["telephone", "post"])), "is_reached": data.draw(MOSTLY)}
                at = self.now - data.draw(DAYS) * HOUR
                self.act(record_attempt, self.one_of(data, MAY_WRITE), winner=winner, attempted_at=at, **said)
            case "publish":
                said = {"where": "On a screen at the entrance", "published_at": self.now}
                self.act(publish_results, self.one_of(data, MAY_WRITE), draw=draw, **said)
            case _:
                self.claim(data, draw.promotion, winner)

    def win(self, data: st.DataObject, draw: Draw) -> None:
        prize = data.draw(st.sampled_from([CAR, VOUCHER]))
        value = data.draw(st.sampled_from([prize.value_cents, prize.value_cents, 1]))
        said = {"prize": prize.name, "value_cents": value, "entry_drawn": data.draw(st.sampled_from(["17", "18"]))}
        self.act(record_winner, self.one_of(data, MAY_WRITE), draw=draw, person={}, **said)
        self.pass_time(data.draw(DAYS) * DAY)

    # --- Claims -------------------------------------------------------------------------------------------------------

    def claim(self, data: st.DataObject, promotion: Promotion, winner: Winner | None) -> None:
        prize = winner.prize if winner else VOUCHER.name
        cents = winner.value_cents if winner else VOUCHER.value_cents
        said = {"prize": prize, "value_cents": cents, "claimed_at": self.now - HOUR, "details": "Ticket 17"}
        self.act(record_claim, self.one_of(data, MAY_WRITE), promotion=promotion, winner=winner, **said)

    @precondition(lambda self: self.pack.duties.promotions)
    @rule(data=st.data())
    def advance_claim(self, data: st.DataObject) -> None:
        claim = Claim.objects.with_details().filter(casino=self.casino).order_by("-pk").first()
        if claim is None:
            promotion = Promotion.objects.filter(casino=self.casino).last()
            if promotion is not None:
                self.claim(data, promotion, None)
            return
        who = self.one_of(data, MAY_WRITE)
        match claim.state:
            case ClaimState.OPEN:
                is_met = data.draw(MOSTLY)
                person = data.draw(st.sampled_from([{}, PERSON]))
                self.act(decide_claim, who, claim=claim, is_met=is_met, reasons="Checked.", person=person)
            case ClaimState.DENIED if claim in Claim.objects.with_details().unnotified():
                at = self.now - data.draw(DAYS) * HOUR
                self.act(record_reasons_told, who, claim=claim, method="letter", told_at=at)
            case ClaimState.MET:
                self.pay_out(data, claim, who)
            case _:
                self.claim(data, claim.promotion, None)

    def pay_out(self, data: st.DataObject, claim: Claim, who: str) -> None:
        form = data.draw(st.sampled_from(list(HandoverType)))
        said: dict[str, Any] = {"form": form, "paid_at": self.now - data.draw(DAYS) * HOUR}
        if form is not HandoverType.AS_DESCRIBED:
            paid = data.draw(st.sampled_from([claim.value_cents, 1]))
            said |= {"chosen": {"cash": claim.value_cents}, "paid": {"cash": paid}}
        self.act(pay_prize, who, claim=claim, **said)
