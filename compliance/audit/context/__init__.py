"""What a check is given: the round and the rules in force (round_context, rules_in_force), earlier events
(timeline, streak_history), rounds as numpy columns (columns, pay_sheets, limits) and the FindingDraft it
returns.
"""
