from django.urls import include, path

from compliance.analysis.fairness.views import overview, returns, signals

app_name = "fairness"

casino_urls = [
    path("", overview.fairness_overview, name="standing"),
    path("signals/", signals.signal_list, name="signals"),
    path("signals/<int:signal>/", signals.signal_detail, name="signal"),
    path("signals/<int:signal>/chart.svg", signals.signal_chart, name="chart"),
    path("signals/<int:signal>/looked-at/", signals.acknowledge, name="see"),
    path("tables/<slug:table>/", returns.table_returns, name="table"),
    path("tables/<slug:table>/chart.svg", returns.table_returns_chart, name="table-chart"),
]

urlpatterns = [
    path("fairness/", overview.casino_list, name="casinos"),
    path("casinos/<slug:casino>/fairness/", include(casino_urls)),
]
