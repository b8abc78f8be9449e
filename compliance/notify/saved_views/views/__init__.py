"""views.py: keeping, opening, changing, removing. telling.py: being told of one. stopping.py: the link in an e-mail."""
