"""What the drills share: a supervised service, controllers and visitors, worlds to attack, tampering, and
verdicts.
"""
