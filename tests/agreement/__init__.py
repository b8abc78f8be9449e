"""Agreement between the pre-check and the audit: random acts through the real services, predicted and then audited.

`make test` runs a seeded sample; `make agree` runs many more examples (EXAMPLES and STEPS) and prints counts and the
processor time of the pre-check for each act.

machine.py  predicts, records, audits and compares an act
acts        the rules that choose the acts
tally.py    counts and their report
"""
