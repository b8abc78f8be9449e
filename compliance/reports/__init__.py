"""Reports on findings, decisions and duties: web page and signed PDF, with ledger proofs attached.

document/                content of a report, independent of its medium, and its PDF
kinds/                   one module for each kind of report: queries the other apps and returns a Document
jobs/                    requests, generation by a worker, schedules, size limits, e-mails;  tasks.py  runs it
dashboard/               figures and charts of a casino and a period
pages/                   web pages, forms, help page
offline/                 the shipped verifier verify_report.py
signing_certificates.py  certificates that sign the files, recorded in every log
selectors.py             permissions;  models.py, states.py, errors.py, urls.py, apps.py, demo.py

The digest of the pages is recorded before the proofs are attached, so a report carries the proof of its own pages. The
file is signed last, and a separate entry has the digest of the signed bytes. No report contains an inspector's note.
"""
