"""The demo's play: a live floor that plays by the clock, and gaming days of the past."""
