"""Pages of claims.

claims.py           list, one claim, and the actions on it
denial_register.py  register of denied claims, with its CSV export
"""
