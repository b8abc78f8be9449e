"""Any sequence of filings, amendments, draws, winners and claims under the NSW rules, by anybody, as days pass."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from promotions.claims.models import Claim, ClaimDecision, HandoverType, Payment
from promotions.claims.services import decide_claim, pay_prize, record_claim, record_reasons_told
from promotions.draws.models import Draw, DrawStep, Winner
from promotions.draws.services import hold_draw, record_winner, schedule_draw, stop_draw, validate_draw
from promotions.draws.states import TRANSITIONS, DrawAct, DrawState
from promotions.terms.models import AmendmentDecision, Promotion, TermsVersion, VersionKind
from promotions.terms.selectors import version_in_force
from promotions.terms.services import (
    decide_amendment,
    file_terms,
    postpone_promotion,
    request_amendment,
    validate_promotion,
)
from tests.drills.call_sequences.state_machine import ServiceCallMachine
from tests.promotions.crew import DAY, HOUR, NOW, answers, make_crew, make_draft

PEOPLE = st.sampled_from(["mara", "mara", "cleo", "aron", "ines", "otto"])
WHICH = st.integers(0, 3)
YES = st.booleans()


class AnyPromotions(ServiceCallMachine):
    """`filed`: each version's terms as filed."""

    name = "promotions"

    def begin(self) -> None:
        self.crew = make_crew()
        self.now = NOW
        self.filed: dict[int, tuple[str, str]] = {}
        self.changes = 0

    def _by(self, name: str) -> dict[str, Any]:
        cast = self.crew.cast
        people = {
            "mara": cast.mara,
            "ines": cast.ines,
            "otto": cast.otto,
            "cleo": self.crew.cleo,
            "aron": self.crew.aron,
        }
        return {"actor": people[name], "now": self.now}

    def _one(self, model: Any, which: int) -> Any:
        rows = list(model.objects.order_by("pk"))
        return rows[which % len(rows)] if rows else None

    def _terms(self, days: int) -> dict[str, Any]:
        self.changes += 1
        return answers(self.now + days * DAY, eligibility={"text": f"Members, printing {self.changes}."})

    def _keep(self, version: TermsVersion | None) -> None:
        if version is not None:
            self.filed[version.pk] = (version.content, version.terms_sha256)

    @rule(days=st.integers(1, 20))
    def let_days_pass(self, days: int) -> None:
        self.now += days * DAY + HOUR

    @rule(name=PEOPLE, days=st.integers(-2, 30), which=WHICH, again=YES)
    def file(self, name: str, days: int, which: int, again: bool) -> None:
        promotion = self._one(Promotion, which) if again else None
        draft = make_draft(self.crew, self._terms(days), promotion=promotion, now=self.now)
        self._keep(self.attempt(lambda: file_terms(draft=draft, **self._by(name))))

    @rule(name=PEOPLE, which=WHICH)
    def amend(self, name: str, which: int) -> None:
        if promotion := self._one(Promotion, which):
            draft = make_draft(self.crew, self._terms(3), promotion=promotion, now=self.now)
            asked: dict[str, Any] = {"draft": draft, "reason": "Too many entries", "in_use_at": self.now - HOUR}
            self._keep(self.attempt(lambda: request_amendment(**asked, **self._by(name))))

    @rule(name=PEOPLE, which=WHICH, is_approved=YES)
    def decide(self, name: str, which: int, is_approved: bool) -> None:
        if version := self._one(TermsVersion, which):
            said: dict[str, Any] = {"is_approved": is_approved, "reasons": "Fair enough."}
            self.attempt(lambda: decide_amendment(version=version, **said, **self._by(name)))

    @rule(name=PEOPLE, which=WHICH, goes_on=YES)
    def stop_or_go_on(self, name: str, which: int, goes_on: bool) -> None:
        if promotion := self._one(Promotion, which):
            by = self._by(name)
            if goes_on:
                self.attempt(lambda: validate_promotion(promotion=promotion, how="Counted again.", **by))
            else:
                said: dict[str, Any] = {"determined_at": self.now, "reason": "The barrel was open."}
                self.attempt(lambda: postpone_promotion(promotion=promotion, **said, **by))

    @rule(name=PEOPLE, which=WHICH)
    def plan_draw(self, name: str, which: int) -> None:
        if promotion := self._one(Promotion, which):
            said: dict[str, Any] = {"scheduled_at": self.now + DAY, "place": "Stage", "method": "Barrel"}
            self.attempt(lambda: schedule_draw(promotion=promotion, **said, **self._by(name)))

    @rule(name=PEOPLE, which=WHICH, act=st.sampled_from(["hold", "postpone", "cancel", "validate"]))
    def move_draw(self, name: str, which: int, act: str) -> None:
        if (draw := self._one(Draw, which)) is None:
            return
        by = self._by(name)
        held: dict[str, Any] = {"held_at": self.now, "place": "Stage", "method": "Barrel", "entries": 10}
        stopped: dict[str, Any] = {"determined_at": self.now, "reason": "The barrel was open."}
        acts = {
            "hold": lambda: hold_draw(draw=draw, result="4", scrutineer="Sam", is_confirmed=True, **held, **by),
            "postpone": lambda: stop_draw(draw=draw, act=DrawAct.POSTPONED, **stopped, **by),
            "cancel": lambda: stop_draw(draw=draw, act=DrawAct.CANCELLED, **stopped, **by),
            "validate": lambda: validate_draw(draw=draw, how="Counted.", scheduled_at=self.now + DAY, **by),
        }
        self.attempt(acts[act])

    @rule(name=PEOPLE, which=WHICH)
    def win(self, name: str, which: int) -> None:
        if draw := self._one(Draw, which):
            said: dict[str, Any] = {
                "prize": "Hatchback",
                "value_cents": 2_500_000,
                "entry_drawn": "4",
                "person": {"name": "Pat"},
            }
            self.attempt(lambda: record_winner(draw=draw, **said, **self._by(name)))

    @rule(name=PEOPLE, which=WHICH)
    def claim(self, name: str, which: int) -> None:
        if promotion := self._one(Promotion, which):
            said: dict[str, Any] = {
                "prize": "Hatchback",
                "value_cents": 2_500_000,
                "claimed_at": self.now,
                "details": "",
            }
            winner = self._one(Winner, which)
            self.attempt(lambda: record_claim(promotion=promotion, winner=winner, **said, **self._by(name)))

    @rule(name=PEOPLE, which=WHICH, is_met=YES, reasons=st.sampled_from(["", "Closed."]))
    def decide_a_claim(self, name: str, which: int, is_met: bool, reasons: str) -> None:
        if claim := self._one(Claim, which):
            self.attempt(lambda: decide_claim(claim=claim, is_met=is_met, reasons=reasons, **self._by(name)))

    @rule(name=PEOPLE, which=WHICH, pays=YES)
    def pay_or_tell(self, name: str, which: int, pays: bool) -> None:
        if claim := self._one(Claim, which):
            by = self._by(name)
            if pays:
                self.attempt(lambda: pay_prize(claim=claim, form=HandoverType.AS_DESCRIBED, paid_at=self.now, **by))
            else:
                self.attempt(lambda: record_reasons_told(claim=claim, method="telephone", told_at=self.now, **by))

    @invariant()
    def terms_are_as_they_were_filed(self) -> None:
        stand = {row.pk: (row.content, row.terms_sha256) for row in TermsVersion.objects.all()}
        assert stand == self.filed

    @invariant()
    def after_the_start_only_approved_terms_hold(self) -> None:
        approved = set(AmendmentDecision.objects.filter(is_approved=True).values_list("version", flat=True))
        for promotion in Promotion.objects.all():
            holds = version_in_force(promotion, self.now)
            assert holds is None or holds.kind != VersionKind.AMENDMENT or holds.pk in approved

    @invariant()
    def an_amendment_and_a_claim_are_decided_once(self) -> None:
        decided = list(AmendmentDecision.objects.values_list("version", flat=True))
        claims = list(ClaimDecision.objects.values_list("claim", flat=True))
        assert (len(decided), len(claims)) == (len(set(decided)), len(set(claims)))

    @invariant()
    def only_a_claim_that_was_met_is_paid_and_once(self) -> None:
        paid = list(Payment.objects.values_list("claim", flat=True))
        met = set(ClaimDecision.objects.filter(is_met=True).values_list("claim", flat=True))
        assert len(paid) == len(set(paid))
        assert set(paid) <= met

    @invariant()
    def a_draw_moves_by_its_table(self) -> None:
        for draw in Draw.objects.all():
            state = DrawState.SCHEDULED
            for step in DrawStep.objects.filter(draw=draw).order_by("step"):
                state = TRANSITIONS[state, DrawAct(step.act)]
                assert step.after == state

    @invariant()
    def numbers_have_no_gaps(self) -> None:
        numbers = sorted(Promotion.objects.values_list("number", flat=True))
        assert numbers == list(range(1, len(numbers) + 1))
