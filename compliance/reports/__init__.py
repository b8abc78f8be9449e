"""Reports: what was found and decided, on paper and on a page, with the proof inside.

document.py   what a report says, whatever it is shown on;  basis.py  what it rests on
contents/     one module a kind of report: asks the other apps and returns a Document;  assembling.py  puts it together
dashboard/    a casino and a period in figures and charts;  period.py  gaming days between two instants
pages.py      a Document as PDF pages;  grid.py  tables of thousands of rows
attaching.py  files attached to a PDF, byte for byte reproducible
making.py     a worker makes a report, records it, proves it;  tasks.py  the bell
certificates.py   with which certificate files are signed, in every log;  certificate_views.py  the public list of them
verify_report.py  checks a report offline;  verifier.py  makes one file of it and of the verifiers below it
sizes.py      how much one report holds;  services.py  asking for one;  selectors.py  who reads what
scheduling.py reports made by day or week;  letters.py  e-mails with the link to them
models.py, states.py, forms.py, views.py, schedule_views.py, dashboard_views.py, guide.py

The pages' digest is recorded before the proofs are attached, so that a report carries the proof of its own pages; the
file is signed last, and an entry of its own has the digest of the signed bytes. No report holds an inspector's note.
"""
