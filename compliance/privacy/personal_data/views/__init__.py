"""Pages about personal data.

records.py          list of records, one record, accesses, destructions, retention
record_actions.py   reading the details, holding, destroying, setting the retention
"""
