"""The offline verifier of a wager proof.

verify_wager.py     the check, as a program
wager_verifier.py   that program as the single file that is shipped
"""
