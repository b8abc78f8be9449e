"""What the benchmark's subjects share: servers and databases, bulk data, peers to compare with, workers and
measurement.
"""
