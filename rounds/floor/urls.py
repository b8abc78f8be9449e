from django.urls import URLPattern, URLResolver, include, path

from rounds.floor.pages import casino_facts, controllers, fact_edit, table_facts, table_list, terminals

app_name = "floor"

of_a_terminal: list[URLPattern | URLResolver] = [
    path("retire/", terminals.retire_terminal_page, name="retire-terminal"),
    path("facts/<slug:fact>/", fact_edit.set_terminal_fact, name="set-terminal-fact"),
]

of_a_table: list[URLPattern | URLResolver] = [
    path("", table_facts.table_facts, name="table"),
    path("retire/", table_list.retire_table_page, name="retire-table"),
    path("facts/<slug:fact>/", fact_edit.set_fact, name="set-fact"),
    path("facts/<slug:fact>/history/", table_facts.fact_history, name="history"),
    path("terminals/", terminals.terminals, name="terminals"),
    path("terminals/add/", terminals.add_terminal_page, name="add-terminal"),
    path("terminals/<slug:terminal>/", include(of_a_terminal)),
]

of_a_controller: list[URLPattern | URLResolver] = [
    path("", controllers.controller, name="controller"),
    path("tables/give/", controllers.assign_table_page, name="give-table"),
    path("tables/<int:given>/end/", controllers.end_assignment_page, name="end-table"),
    path("keys/propose/", controllers.propose_key_page, name="propose-key"),
    path("keys/<slug:key>/approve/", controllers.approve_key_page, name="approve-key"),
    path("keys/<slug:key>/revoke/", controllers.revoke_key_page, name="revoke-key"),
]

of_a_casino: list[URLPattern | URLResolver] = [
    path("casino/", casino_facts.casino_facts, name="casino"),
    path("casino/facts/<slug:fact>/", fact_edit.set_casino_fact, name="set-casino-fact"),
    path("casino/facts/<slug:fact>/history/", casino_facts.casino_fact_history, name="casino-history"),
    path("facts/<int:fact>/take-back/", fact_edit.retract, name="take-back"),
    path("tables/", table_list.tables, name="tables"),
    # Outside tables/, because a table's slug may be "add".
    path("add-table/", table_list.add_table_page, name="add-table"),
    path("tables/<slug:table>/", include(of_a_table)),
    path("controllers/", controllers.controllers, name="controllers"),
    path("register-controller/", controllers.register_controller_page, name="register-controller"),
    path("controllers/<slug:controller>/", include(of_a_controller)),
]

urlpatterns = [
    path("floor/", table_list.casinos, name="casinos"),
    path("casinos/<slug:casino>/floor/", include(of_a_casino)),
]
