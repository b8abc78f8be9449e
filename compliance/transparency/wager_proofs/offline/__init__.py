"""The offline verifier of a wager proof, verify_wager.py, and the single file it is shipped as."""
