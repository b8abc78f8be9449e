from django.urls import include, path

from compliance.patrons.views import acts, records

app_name = "patrons"

personal_data = [
    path("", records.records, name="records"),
    path("looks/", records.looks, name="looks"),
    path("destroyed/", records.destroyed, name="destroyed"),
    path("retention/", records.retention, name="retention"),
    path("retention/<slug:subject>/", acts.set_years, name="set-retention"),
    path("<int:record>/", records.record, name="record"),
    path("<int:record>/details/", acts.show, name="show"),
    path("<int:record>/hold/", acts.hold, name="hold"),
    path("<int:record>/destroy/", acts.destroy, name="destroy"),
]

urlpatterns = [
    path("personal-data/", records.casinos, name="casinos"),
    path("casinos/<slug:casino>/personal-data/", include(personal_data)),
]
