"""Settlement of one wager: question and answer types, stake limits and rounding, Super Streak, posted odds,
alternative readings, explanation, JSON lines of manage.py settle.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
