"""Duties at the gaming tables, one app each.

signs/           signs at tables, the displays that show them, and how long each sign was up
limit_notices/   announced changes of a table's limits, limits of one player, warnings under the minimum
closures/        closing a table and opening it again
equipment/       faults, inspections, custody of dice, shakers, cards and chips, rounds voided for damaged dice
player_conduct/  records of players' conduct: refused and voided wagers, exclusions, idle players

limit_notices and closures announce their changes with signs.
"""
