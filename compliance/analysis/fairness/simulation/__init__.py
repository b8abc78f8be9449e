"""Simulated dice sets and tables, run through the real tests to measure after how many rounds they are signalled.

loaded_dice.py   fair and loaded dice sets
payout_leaks.py  tables with fair dice that return too much or too little money
"""
