"""Authentication: passwords and codes with lockout, the second factor, reauthentication for approvals, session
time-out and access middleware.
"""
