"""Amounts of money as text, the same on pages, in files and in ledger entries. Offline verifiers have their own."""

from fractions import Fraction


def format_cents(cents: int | Fraction | None, currency: str = "", missing: str = "") -> str:
    """ "$1,234.56", "−$0.05", "$12.00 AUD"; `missing` if there is no amount. Parts of a cent are shown, not rounded."""
    if cents is None:
        return missing
    whole, rest = divmod(abs(Fraction(cents)), 1)
    part = f" and {rest} of a cent" if rest else ""
    return f"{'−' if cents < 0 else ''}${dollars(whole)}{part} {currency}".rstrip()


def dollars(cents: int) -> str:
    """The digits alone, as typed into a field, without sign: 1234567 is 12,345.67, and so is -1234567."""
    whole, part = divmod(abs(cents), 100)
    return f"{whole:,}.{part:02}"
