"""Entry kinds of reports, their schedules and the certificates that sign them."""

from rounds.ledger import EntryKind

MADE = EntryKind(
    "report-made",
    "Report made",
    "{title}, {pages:number page pages}",
    "reports.Report",
    meaning="A report was made for somebody: the digests of its pages and of what it says.",
)
SCHEDULED = EntryKind(
    "report-scheduled",
    "Report scheduled",
    "{kind:Words}, every {every}",
    "reports.Schedule",
    meaning="A report is made every day or every week from now on, and who is told.",
)
SIGNED = EntryKind(
    "report-signed",
    "Report signed",
    "Report of entry {report}",
    "reports.SignedFile",
    meaning="A report was signed: the digest of its file, and with which certificate.",
)
KEY = EntryKind(
    "report-key",
    "Report certificate set",
    "{reason}",
    "reports.Certificate",
    meaning="PDF files are signed with this certificate from now on, and why.",
)
RESCHEDULED = EntryKind(
    "report-schedule-changed",
    "Report schedule paused, resumed or stopped",
    "Schedule of entry {schedule}: {state:words}",
    "reports.ScheduleStep",
    meaning="A schedule of reports was paused, resumed or stopped.",
)
