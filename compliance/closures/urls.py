from django.urls import path

from compliance.closures import views

app_name = "closures"

AT_A_TABLE = "casinos/<slug:casino>/closures/tables/<slug:table>/"
OF_A_CLOSURE = "casinos/<slug:casino>/closures/<int:closure>/"

urlpatterns = [
    path(AT_A_TABLE, views.table, name="table"),
    path(f"{AT_A_TABLE}announce/", views.announce, name="announce"),
    path(f"{AT_A_TABLE}emergency/", views.emergency, name="emergency"),
    path(f"{AT_A_TABLE}open/", views.reopen, name="reopen"),
    path(f"{OF_A_CLOSURE}close/", views.close, name="close"),
    path(f"{OF_A_CLOSURE}withdraw/", views.withdraw, name="withdraw"),
]
