"""Pages of intake: feeds.py, how they are doing; quarantine.py, what was refused; paper.py, rounds from paper."""
