"""Refusals of the report services."""

from compliance.core.web.errors import Refusal, Unprocessable


class ReportTooLarge(Unprocessable):
    code = "report-too-large"
    title = "That is more than one report holds"
    remedy = "Choose a shorter time, one table or one code, and make several reports."


class NothingToReport(Unprocessable):
    code = "nothing-to-report"
    title = "There is nothing to report"
    detail = "Nothing fits what you chose."
    remedy = "Choose a longer time, or leave a filter out."


class ReportNotReady(Refusal):
    code = "report-not-ready"
    status = 409
    title = "This report is not ready"
    detail = "It is still being made, or could not be."
    remedy = "Open the report's page to see how far it has come."


class ReportGone(Refusal):
    code = "report-gone"
    status = 410
    title = "The file of this report is missing"
    detail = "The record of it is here, and its file is not where it was kept."
    remedy = "Ask those who run the service to restore it from the backup, or make the report again."


class BadSchedule(Unprocessable):
    code = "report-schedule-bad"
    title = "That cannot be scheduled"
    detail = "A schedule needs a report that is made of a day or a week, and somebody to tell."
    remedy = "Choose another report, or how often it is made."


class ScheduledAlready(Refusal):
    code = "report-scheduled-already"
    status = 409
    title = "This report is scheduled already"
    detail = "There is a schedule for this report at this casino, running or paused."
    remedy = "Open it in the list; stop it first if it must change."


class ScheduleMoved(Refusal):
    code = "report-schedule-moved"
    status = 409
    title = "Somebody was quicker"
    detail = "This schedule is in another state by now."
    remedy = "Open the list again to see how it stands."


class NoKeyReason(Unprocessable):
    code = "report-key-no-reason"
    title = "Say why the report key is changed"
    detail = "The reason stands in every log: some words, 300 characters at most."
    remedy = "Give a reason."
