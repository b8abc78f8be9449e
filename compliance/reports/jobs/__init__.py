"""Background work on reports.

request.py      requests for reports, cancel, retry
generate.py     generation by a worker
schedules.py    daily and weekly reports
size_limits.py  maximum size of a report
emails.py       e-mails that a scheduled report is ready
"""
