from django.urls import include, path

from compliance.tables.equipment.views import board, faults, registers, stake_returns, table, void_rounds

app_name = "equipment"

casino_urls = [
    path("", board.board, name="board"),
    path("faults/", registers.faults, name="faults"),
    path("faults/<int:fault>/", faults.fault, name="fault"),
    path("dice/", registers.dice, name="dice"),
    path("shakers/", registers.shakers, name="shakers"),
    path("inspections/", registers.inspections, name="inspections"),
    path("cards/", registers.cards, name="cards"),
    path("chips/", registers.chips, name="chips"),
    path("damaged-dice/", void_rounds.void_sets, name="void-sets"),
    path("damaged-dice/new/", void_rounds.new_void_set, name="new-void-set"),
    path("damaged-dice/<int:void_set>/", void_rounds.void_set, name="void-set"),
    path("returned/<int:because>/", stake_returns.stake_returns, name="returns"),
    path("tables/<slug:table>/", table.table, name="table"),
    path("tables/<slug:table>/return/", faults.sign_return_to_play, name="return"),
    path("tables/<slug:table>/record/<slug:kind>/", table.record_at_table, name="record"),
]

urlpatterns = [
    path("equipment/", board.casinos, name="casinos"),
    path("casinos/<slug:casino>/equipment/", include(casino_urls)),
]
