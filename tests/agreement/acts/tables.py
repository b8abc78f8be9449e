"""Closings, signs and limits: announced, shown, acknowledged, carried out, withdrawn."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.services import acknowledge_alert
from compliance.notify.alerts.states import AlertState
from compliance.tables.closures.closing_rules import closing_rule_for
from compliance.tables.closures.models import Closure
from compliance.tables.closures.services import (
    announce_closure,
    close_in_emergency,
    close_table,
    reopen_table,
    withdraw_closure,
)
from compliance.tables.closures.table_activity import is_closed
from compliance.tables.limit_notices.change_rules import limit_change_rule_for
from compliance.tables.limit_notices.models import LimitNotice, PlayerLimit
from compliance.tables.limit_notices.services import (
    end_player_limit,
    schedule_notice,
    set_player_limit,
    warn_player,
    withdraw_notice,
)
from compliance.tables.signs.models import Sign
from compliance.tables.signs.permissions import SUPERVISORS as SIGN_ROLES
from compliance.tables.signs.permissions import roles_for_title
from compliance.tables.signs.selectors import clock_of
from compliance.tables.signs.services import confirm_sign, take_down_sign
from rounds.floor.fact_values import LimitsValue
from tests.agreement.machine import FEW_MINUTES, MINUTES, MOSTLY, Agreement

LEAST, MOST = st.sampled_from([500, 1_000, 2_000]), st.sampled_from([30_000, 50_000, 80_000])


class ActsAtTables(Agreement):
    # --- Closing ------------------------------------------------------------------------------------------------------

    @rule(data=st.data())
    def close_or_open(self, data: st.DataObject) -> None:
        """The next step of a closing, whichever it is."""
        who = self.one_of(data, roles_for_title(self.pack, closing_rule_for(self.table, self.now).closed_by))
        closure = Closure.objects.filter(table=self.table, state="announced").first()
        if closure is not None:
            self.advance_closing(data, closure, who)
        elif is_closed(self.table):
            self.act(reopen_table, who, table=self.table)
        else:
            self.begin_closing(data, who)

    def begin_closing(self, data: st.DataObject, who: str) -> None:
        present, streak = data.draw(st.booleans()), data.draw(st.booleans())
        said = {"table": self.table, "players_present": present, "streak_in_progress": streak}
        if not data.draw(MOSTLY):
            self.act(close_in_emergency, who, reason="Fire.", **said)
        else:
            later = data.draw(st.sampled_from([None, 30, 45]))
            closes_at = later and self.now + timedelta(minutes=later)
            self.act(announce_closure, who, closes_at=closes_at, reason="Night.", **said)

    def advance_closing(self, data: st.DataObject, closure: Closure, who: str) -> None:
        if data.draw(st.integers(0, 5)) == 0:
            self.act(withdraw_closure, who, closure=closure, reason="Players came.")
            return
        self.put_up_signs(data)
        self.acknowledge(data)
        if not data.draw(MOSTLY):
            said = {"players_present": True, "streak_in_progress": False}
            self.act(close_in_emergency, who, table=self.table, reason="Fire.", **said)
            return
        due_at = closure.closes_at
        if closure.sign is not None:
            due_at = max(due_at, clock_of(closure.sign, self.now).earliest_at or due_at)
        self.pass_time(max(due_at - self.now, timedelta()) + timedelta(minutes=data.draw(FEW_MINUTES)))
        self.act(close_table, who, closure=closure)

    @rule(data=st.data())
    def signs(self, data: st.DataObject) -> None:
        self.put_up_signs(data)
        shown = Sign.objects.filter(table=self.table, ended_at=None, showings__until_at=None, showings__gt=0)
        if data.draw(st.integers(0, 3)) == 0:
            for sign in shown.distinct():
                self.act(take_down_sign, self.one_of(data, SIGN_ROLES), sign=sign)

    def put_up_signs(self, data: st.DataObject) -> None:
        for sign in Sign.objects.filter(table=self.table, ended_at=None).select_related("casino", "table"):
            if not sign.showings.ongoing().exists():
                earliest = max([sign.made_at, *(each.until_at for each in sign.showings.all() if each.until_at)])
                at = max(earliest, self.now - timedelta(minutes=data.draw(FEW_MINUTES)))
                self.act(confirm_sign, self.one_of(data, SIGN_ROLES), sign=sign, shown_at=at)

    @rule(data=st.data())
    def acknowledge(self, data: st.DataObject) -> None:
        waiting = Alert.objects.filter(casino=self.casino, state=AlertState.WAITING)
        for alert in waiting.order_by("pk")[:3]:
            self.act(acknowledge_alert, self.one_of(data, alert.acknowledgers), alert=alert)

    # --- Limits -------------------------------------------------------------------------------------------------------

    @rule(data=st.data())
    def change_limits(self, data: st.DataObject) -> None:
        """Announces a change, or takes the next step of the announced one."""
        rule_of_change = limit_change_rule_for(self.table, self.now)
        who = self.one_of(data, roles_for_title(self.pack, rule_of_change.changed_by))
        notice = LimitNotice.objects.pending().filter(table=self.table).first()
        if notice is None:
            self.announce_limits(data, rule_of_change.before, who)
        elif data.draw(MOSTLY):
            self.put_up_signs(data)
            self.pass_time(max(notice.effective_at - self.now, timedelta()) + timedelta(minutes=data.draw(MINUTES)))
        else:
            self.act(withdraw_notice, who, notice=notice, reason="Too early.")

    def announce_limits(self, data: st.DataObject, before: LimitsValue | None, who: str) -> None:
        limits = LimitsValue(min=data.draw(LEAST), max=data.draw(MOST))
        later = data.draw(st.sampled_from([None, 25, 45]))
        at = later and self.now + timedelta(minutes=later)
        if limits != before:
            self.act(schedule_notice, who, table=self.table, limits=limits, effective_at=at)

    @precondition(lambda self: self.pack.duties.player_limits)
    @rule(data=st.data())
    def limit_player(self, data: st.DataObject) -> None:
        duty = self.pack.duties.player_limits
        assert duty is not None
        who = self.one_of(data, roles_for_title(self.pack, duty.allowed_by))
        limit = PlayerLimit.objects.filter(table=self.table, ended_at=None).first()
        if limit is None:
            said = {"player": "p-1", "seat": None, "min_cents": 500, "max_cents": 90_000}
            self.act(set_player_limit, who, table=self.table, **said)
        else:
            self.act(end_player_limit, who, limit=limit)

    @precondition(lambda self: self.is_warned_under_minimum)
    @rule(data=st.data(), minutes=MINUTES)
    def warn(self, data: st.DataObject, minutes: int) -> None:
        said = {"player": "p-1", "seat": None, "warned_at": self.now - timedelta(minutes=minutes)}
        self.act(warn_player, self.one_of(data, SIGN_ROLES), table=self.table, **said)

    @property
    def is_warned_under_minimum(self) -> bool:
        duty = self.pack.law.settlement.under_minimum
        return duty is not None and duty.settled == "once-then-returned"
