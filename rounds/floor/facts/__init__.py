"""What follows from the dated facts of tables: history of values, rule breaches, gaming days, and facts as text."""
