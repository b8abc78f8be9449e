"""Draws of a promotion: scheduled, held, stopped for integrity, validated; winners, and whether they were told in time.

states.py     which state of a draw may follow which
models.py     Draw, DrawStep, Winner, Attempt, Publication: each row one entry
services/     scheduling and holding, stopping, winners
selectors.py  access_*, winners who are not told yet
telling.py    by when a winner must be told (NSW 10.8), and whether somebody tried
"""
