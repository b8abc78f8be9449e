"""Views.

proofs.py   make, list and withdraw proofs, for users who may read the round
public.py   the public check
"""
