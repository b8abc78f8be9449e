"""One table's honest play, pure and repeatable from a seed: configuration, players, rounds, settlement by the
dealer, gaming days and the controller's output.
"""
