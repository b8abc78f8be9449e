from django.urls import URLPattern, URLResolver, include, path

from rounds.floor.views import casino, controllers, facts, table, tables, terminals

app_name = "floor"

of_a_terminal: list[URLPattern | URLResolver] = [
    path("retire/", terminals.retire, name="retire-terminal"),
    path("facts/<slug:fact>/", facts.set_terminal_fact, name="set-terminal-fact"),
]

of_a_table: list[URLPattern | URLResolver] = [
    path("", table.table, name="table"),
    path("retire/", tables.retire, name="retire-table"),
    path("facts/<slug:fact>/", facts.set_fact, name="set-fact"),
    path("facts/<slug:fact>/history/", table.fact_history, name="history"),
    path("terminals/", terminals.terminals, name="terminals"),
    path("terminals/add/", terminals.add, name="add-terminal"),
    path("terminals/<slug:terminal>/", include(of_a_terminal)),
]

of_a_controller: list[URLPattern | URLResolver] = [
    path("", controllers.controller, name="controller"),
    path("tables/give/", controllers.give_table, name="give-table"),
    path("tables/<int:given>/end/", controllers.end_table, name="end-table"),
    path("keys/propose/", controllers.propose, name="propose-key"),
    path("keys/<slug:key>/approve/", controllers.approve, name="approve-key"),
    path("keys/<slug:key>/revoke/", controllers.revoke, name="revoke-key"),
]

of_a_casino: list[URLPattern | URLResolver] = [
    path("casino/", casino.casino, name="casino"),
    path("casino/facts/<slug:fact>/", facts.set_casino_fact, name="set-casino-fact"),
    path("casino/facts/<slug:fact>/history/", casino.fact_history, name="casino-history"),
    path("facts/<int:fact>/take-back/", facts.take_back, name="take-back"),
    path("tables/", tables.tables, name="tables"),
    # A table could be called "add", so this is no address of a table.
    path("add-table/", tables.add, name="add-table"),
    path("tables/<slug:table>/", include(of_a_table)),
    path("controllers/", controllers.controllers, name="controllers"),
    path("register-controller/", controllers.register, name="register-controller"),
    path("controllers/<slug:controller>/", include(of_a_controller)),
]

urlpatterns = [
    path("floor/", tables.casinos, name="casinos"),
    path("casinos/<slug:casino>/floor/", include(of_a_casino)),
]
