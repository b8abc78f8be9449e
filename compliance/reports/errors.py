"""What reports refuse, in plain sentences."""

from compliance.web.errors import Refusal, Unprocessable


class ReportTooLarge(Unprocessable):
    code = "report-too-large"
    title = "That is more than one report holds"
    remedy = "Choose a shorter time, one table or one code, and make several reports."


class NothingToReport(Unprocessable):
    code = "nothing-to-report"
    title = "There is nothing to report"
    detail = "Nothing that was recorded fits what you chose."
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
