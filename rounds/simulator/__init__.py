"""A casino floor to try the service with.

client/  the reference controller client: what a table controller has to do, small enough to read in ten minutes
"""
