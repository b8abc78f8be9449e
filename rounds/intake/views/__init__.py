"""Pages of intake: quarantine.py, what could not be taken; paper.py, rounds that people enter from paper."""
