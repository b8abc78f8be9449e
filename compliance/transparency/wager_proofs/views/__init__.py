"""made.py    making, listing and withdrawing proofs, for those who may read the round
public.py  the check, for anybody
"""
