"""Withdrawal of records: one service, one page and one list for every kind of entry that an app registers.

A record is withdrawn by a correction entry with a reason; its row stays, and `WithdrawableModel.objects` leaves it out.
To correct a record, withdraw it and record it anew.

registry.py      CorrectableRecord: what an app states about a kind of entry whose records can be withdrawn
permissions.py   who may withdraw a record: its author, or a superior of the author at the same casino
services.py      withdraw_record
selectors.py     withdrawals of entries, and the list of records on a page
list_marks.py     the column of lists that marks withdrawn and corrected records
report_section.py  the section of reports and files that lists withdrawn records
views.py         the page that asks for the reason
errors.py        refusals
"""
