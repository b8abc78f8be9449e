from django.urls import include, path

from compliance.fairness.views import returns, signals, standing

app_name = "fairness"

of_casino = [
    path("", standing.standing, name="standing"),
    path("signals/", signals.signals, name="signals"),
    path("signals/<int:signal>/", signals.signal, name="signal"),
    path("signals/<int:signal>/chart.svg", signals.chart, name="chart"),
    path("signals/<int:signal>/looked-at/", signals.see, name="see"),
    path("tables/<slug:table>/", returns.returned, name="table"),
    path("tables/<slug:table>/chart.svg", returns.returned_chart, name="table-chart"),
]

urlpatterns = [
    path("fairness/", standing.casinos, name="casinos"),
    path("casinos/<slug:casino>/fairness/", include(of_casino)),
]
