"""Shipped offline verification of reports.

verify_report.py         the verifier
single_file_verifier.py  joins it with the ledger's and the signature's verifiers to one file
"""
