"""Reports: what was found and decided, on paper and on a page, with the proof inside.

document.py   what a report says, whatever it is shown on;  basis.py  what it rests on
contents/     one module a kind of report: asks the other apps and returns a Document
pages.py      a Document as PDF pages;  grid.py  tables of thousands of rows
attaching.py  files attached to a PDF, byte for byte reproducible
making.py     a worker makes a report, records it, proves it;  tasks.py  the bell
verify_report.py  checks a report offline;  verifier.py  makes one file of it and of the ledger's verifier
models.py, states.py, services.py, selectors.py, forms.py, views/, guide.py  asking for reports and reading them

The pages' digest is recorded before the proofs are attached, so that a report carries the proof of its own pages. No
report holds an inspector's note.
"""
