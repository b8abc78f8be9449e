from django.urls import path

from rounds.rulebook.calculator.views import calculator

app_name = "rulebook"

urlpatterns = [
    path("casinos/<slug:casino>/calculator/", calculator, name="calculator"),
]
