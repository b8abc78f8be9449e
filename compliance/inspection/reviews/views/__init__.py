"""Pages of reviews: the queue and its claims, one finding, its decisions, groups, questions, arrangements."""
