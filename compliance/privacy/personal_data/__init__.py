"""Personal details of patrons: stored outside the ledger, read only with a recorded access, destroyed when due. An app
that needs a patron's name calls `store_personal_details` and puts `record.as_commitment()`, a salted digest, into its
entry. The service may insert details but has no privilege to read them: database functions return them only while
recording who reads them and why, and delete them only while recording the destruction.

subjects.py       what details are about, retention and its reason, which roles may read them
models.py         PersonalRecord, PersonalFields, DetailsAccess, RetentionHold, RetentionRule, Destruction
services.py       store_personal_details, hold_record, set_retention, destroy_details, destroy_due
audited_read.py   read_personal_details: the only way to the details
selectors.py      records without details; access_record
retention.py      when the retention of a record ends
entry_kinds.py    ledger entry kinds
verify.py         register_personal_data_kind: which entries commit to records; verifier of their digests
errors.py         refusals
forms.py          forms of the pages
tasks.py          hourly destruction
health.py         health check: whether destruction keeps up
views/            records, accesses, holds, retention, destructions
"""
