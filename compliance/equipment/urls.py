from django.urls import include, path

from compliance.equipment.views import board, faults, registers, returns, table, voids

app_name = "equipment"

of_casino = [
    path("", board.board, name="board"),
    path("faults/", registers.faults, name="faults"),
    path("faults/<int:fault>/", faults.fault, name="fault"),
    path("dice/", registers.dice, name="dice"),
    path("shakers/", registers.shakers, name="shakers"),
    path("inspections/", registers.inspections, name="inspections"),
    path("cards/", registers.cards, name="cards"),
    path("chips/", registers.chips, name="chips"),
    path("damaged-dice/", voids.void_sets, name="void-sets"),
    path("damaged-dice/new/", voids.new_void_set, name="new-void-set"),
    path("damaged-dice/<int:void_set>/", voids.void_set, name="void-set"),
    path("returned/<int:because>/", returns.returns, name="returns"),
    path("tables/<slug:table>/", table.table, name="table"),
    path("tables/<slug:table>/return/", faults.return_table, name="return"),
    path("tables/<slug:table>/record/<slug:kind>/", table.record, name="record"),
]

urlpatterns = [
    path("equipment/", board.casinos, name="casinos"),
    path("casinos/<slug:casino>/equipment/", include(of_casino)),
]
