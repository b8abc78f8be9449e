from django.urls import path

from rounds.rulebook.calculator import views as calculator

app_name = "rulebook"

urlpatterns = [
    path("calculator/", calculator.casinos, name="calculator-casinos"),
    path("casinos/<slug:casino>/calculator/", calculator.calculator, name="calculator"),
]
