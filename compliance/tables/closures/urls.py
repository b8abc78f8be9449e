from django.urls import path

from compliance.tables.closures.pages import views

app_name = "closures"

TABLE_PATH = "casinos/<slug:casino>/closures/tables/<slug:table>/"
CLOSURE_PATH = "casinos/<slug:casino>/closures/<int:closure>/"

urlpatterns = [
    path(TABLE_PATH, views.table, name="table"),
    path(f"{TABLE_PATH}announce/", views.announce, name="announce"),
    path(f"{TABLE_PATH}emergency/", views.close_in_emergency_form, name="emergency"),
    path(f"{TABLE_PATH}open/", views.reopen, name="reopen"),
    path(f"{CLOSURE_PATH}close/", views.close, name="close"),
    path(f"{CLOSURE_PATH}withdraw/", views.withdraw, name="withdraw"),
]
