"""What a check is given, and the draft it returns.

round_context.py       RoundContext: one round with the rules in force and later decisions about it
rules_in_force.py      RulesTimeline: which rules and table facts were in force at each table and time
timeline.py            EventContext: one entry that is not a round, with its History
entry_source.py        EntrySource: everything that checks read; stored_entries.py and entries_in_memory.py implement it
dispute_file.py        DisputeFile: a dispute read from its entries
promotion_file.py      PromotionFile: a promotion read from its entries
streak_history.py      results of earlier rounds, for Super Streak
recorded_acts.py       records of warnings and of wagers found above the maximum, added to a RoundContext
finding_draft.py       FindingDraft, the formatting of its texts, and how an amount was worked out
round_columns.py       RoundColumns: a range of rounds as numpy columns, for screening and totals
round_groups.py        what columns tell about the conduct of rounds, for screening and streaks
pay_sheets.py          lookup tables of what each bet pays, for columns
limits.py              wagers outside the limits, over columns
"""
