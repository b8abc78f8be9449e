"""Refusals of the equipment services."""

from compliance.core.web.errors import Refusal, Unprocessable


class EquipmentRefused(Refusal):
    code = "equipment-refused"
    status = 409
    title = "Nothing was recorded"


class NotFloorStaff(EquipmentRefused):
    code = "equipment-not-yours"
    status = 403
    detail = "Your role at this casino does not allow that."
    remedy = "Ask somebody who may."


class TimeInFuture(Unprocessable):
    code = "equipment-in-the-future"
    detail = "That time has not come yet."
    remedy = "Enter when it happened, at the latest now."


class NotAtTable(Unprocessable):
    code = "equipment-not-there"
    detail = "Nothing of that name is at this table."
    remedy = "Check the name on the piece against what the table has."


class AlreadyAtTable(Unprocessable):
    code = "equipment-there-already"
    detail = "A piece of that name is at a table already."
    remedy = "Record first that it was taken away there."


class ShakerSwapOrder(Unprocessable):
    code = "equipment-swap-order"
    detail = "The automated shaker is still at this table."
    remedy = "Take it away first and record that; then the manual one may be used."


class MendedAlready(EquipmentRefused):
    code = "fault-mended-already"
    detail = "This fault is recorded as mended already."
    remedy = "Nothing more is to be done."


class NotMended(EquipmentRefused):
    code = "fault-not-mended"
    title = "Play stays stopped"
    detail = "A fault of this table is not mended yet."
    remedy = "Record its repair first; play may return after that."


class PlayNotStopped(EquipmentRefused):
    code = "nothing-stopped"
    title = "Play is not stopped here"
    detail = "No fault keeps this table from play."
    remedy = "Nothing more is to be done."


class NoSuchRounds(Unprocessable):
    code = "void-no-such-rounds"
    title = "There are no such rounds"
    detail = "These are not rounds of this table, or they are void already."
    remedy = "Choose rounds that were played at this table with these dice."


class PartNeedsSingleWager(EquipmentRefused):
    code = "not-part-of-one-stake"
    detail = "Part of a stake is recorded for one wager at a time, and is no more than what is owed for it."
    remedy = "Tick one wager and enter at most what is owed for it; or leave the amount empty."


class NothingOwed(EquipmentRefused):
    code = "stakes-not-owed"
    detail = "Nothing is owed for some of these wagers: it was handed back before, or they are not void."
    remedy = "Open the page again and choose among what it still lists."
