"""What a dispute is about: the disputed entry, a promotion as text, and what the rules give for each wager."""
