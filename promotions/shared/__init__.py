"""What terms, draws and claims share: rule duties, deadlines, permissions, refusals, the PDF layout, the base
model and its append-only triggers.
"""
