"""Log entries as people read them: one line of text an entry, what mentions a round, and a round step by step."""
