"""Pages of draws: those of a promotion, one draw, its winners, and the holiday calendar that deadlines go by."""
