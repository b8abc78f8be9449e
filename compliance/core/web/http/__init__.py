"""Requests: load shedding, rate limit, keeping a session alive, and forms that were sent after the session had
ended.
"""
