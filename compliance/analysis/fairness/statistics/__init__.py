"""The statistics: tests of dice results (dice_tests), money returned against the exact average (payout_drift),
significance levels and when a subject is tested (significance).
"""
