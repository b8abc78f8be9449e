urlpatterns: list[object] = []
app_name = "disputes"
