"""Manual inspection: random samples of rounds, and a rule document checked clause by clause and signed off.

models/              samples.py, draw_jobs.py, checklists.py
sampling/            which rounds a seed draws, weights, estimates; reads only
sampling_factors.py  facts that can raise the weight of a round
services/            seed and draw samples, check rounds; begin, answer and sign off checklists;  tasks.py  runs draws
recheck.py           evaluates rounds again from their stored bytes and compares with the audit
clause_evidence.py   what the audit says about each clause in a period
answer_choices.py    possible answers to a clause, and what they rest on
selectors.py, forms.py, views/, help_page.py, entry_kinds.py, errors.py, urls.py, apps.py, demo.py

A checklist has no entries until it is signed off. Then each answer becomes an entry, so that each can be proved alone,
and a last entry signs them all. Comments are part of what is signed; the operator reads them from then on.
"""
