"""Content of a report, independent of its medium.

structure.py    Document: sections, basis and the entries it rests on
assemble.py     builds a Document from sections and basis
audit_basis.py  checkpoint, rule versions and audit coverage that a report rests on
period.py       a period of gaming days
formatting.py   days and counts
pdf.py          a Document as PDF
"""
