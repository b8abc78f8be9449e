"""Personal details of patrons: beside the ledger, seen only with a recorded look, destroyed when their time is over.

An app that needs a patron's name calls `keep_personal` and puts `record.as_commitment()` into its entry: a salted
digest. The details themselves lie in a table that the service may fill but cannot read; the database hands them out
only while it writes down who looks and why, and deletes them only as it writes down their destruction.

subjects.py     what the details are about, how long each is kept and why, whose work needs them
models.py       PersonalRecord, PersonalFields, PersonalLook, Hold, RetentionRule, Destruction
services.py     keep_personal, hold_personal, set_retention, destroy_personal, destroy_due
looking.py      access_personal: the one way to the details
selectors.py    records without details; access_record
commitments.py  register_carrier: which entries commit to records; verify_ledger compares them
retention.py    when the time of a record is over
tasks.py        the hourly destruction;  health.py  whether it keeps up
views/          who looked, holds, retention, the log of destructions
"""
