from django.urls import include, path

from compliance.fairness import views

app_name = "fairness"

of_casino = [
    path("", views.standing, name="standing"),
    path("signals/", views.signals, name="signals"),
    path("signals/<int:signal>/", views.signal, name="signal"),
    path("signals/<int:signal>/chart.svg", views.chart, name="chart"),
    path("signals/<int:signal>/looked-at/", views.see, name="see"),
    path("tables/<slug:table>/", views.returned, name="table"),
    path("tables/<slug:table>/chart.svg", views.returned_chart, name="table-chart"),
]

urlpatterns = [
    path("fairness/", views.casinos, name="casinos"),
    path("casinos/<slug:casino>/fairness/", include(of_casino)),
]
