"""Settlement of one wager: question and answer types, stake limits and rounding, Super Streak, posted odds,
alternative readings, explanation, JSON lines of manage.py settle.
"""
