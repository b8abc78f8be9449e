"""The audit run: the ledger consumer and its work list of blocks (consumer, reaudit), the worker, evaluation of a
block (evaluate, evaluate_timeline), recording of findings, rebuild of projections.
"""
