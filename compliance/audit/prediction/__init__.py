"""Predicts findings before an act is recorded: the evaluator of the pre-check (compliance.core.web.ui.precheck).

predict.py    plans the act, and evaluates its entries in memory on top of the stored ones
background.py the same as a job, for acts that affect many stored entries
evaluator.py  presents the prediction, and records that a person went on in spite of it
"""
