"""What an inspector goes through by hand: samples of rounds drawn by chance, and a rule document clause by clause.

answers.py      yes, no, not applicable; and what an answer rests on
models/         samples.py (seed, draw, rounds, checks), drawings.py (how far a draw has come) and clauses.py
                (checklist, drafts, answers, sign-off)
drawing.py      out of what a sample is drawn;  factors.py  what can make a round weigh more
weighing.py     what each round weighs, a stretch of the log at a time (seen.py), also by readings.py
tickets.py      which rounds a seed draws: anybody can draw them again;  estimating.py  what it says of all rounds
reperforming.py rounds judged again from their stored bytes, beside what the audit recorded
bearing.py      what the audit says about each clause in a time
services/       seeding, drawing, checking; beginning, answering, signing off;  tasks.py  the bell of draws
selectors.py, forms.py, views/, guide.py  what people see of it

A checklist is a working paper until it is signed off. Then each answer becomes an entry of its own, so that each can be
proved alone, and a last entry signs them all. Comments are part of what is signed: the operator reads them then.
"""
