"""The offline verifier of a wager proof.

verify_wager.py          the check, as a program
single_file_verifier.py  that program as the single file that is shipped
"""
