"""Pages of fairness: how everything stands, signals, what came back at a table."""
