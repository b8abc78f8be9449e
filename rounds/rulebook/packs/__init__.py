"""Rule packs as people read them, without Django: lookup by name, diff, clause coverage, plain-language text,
house-edge rows, text formatting.
"""
