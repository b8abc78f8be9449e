"""Marketing's records: promotion terms and their filing, draws and winners, claims and denials (NSW 10)."""
