"""Checks that one round decides by itself: settlement of every wager, wagers and limits, void rounds, procedure,
displayed results, Super Streak.
"""
