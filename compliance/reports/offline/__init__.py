"""The shipped offline verifier verify_report.py, and the single file that joins it with the ledger's and the
signature's verifiers.
"""
