from django.urls import include, path

from compliance.privacy.personal_data.views import record_actions, records

app_name = "patrons"

personal_data_urls = [
    path("", records.list_records, name="records"),
    path("looks/", records.list_details_access, name="looks"),
    path("destroyed/", records.list_destructions, name="destroyed"),
    path("retention/", records.show_retention, name="retention"),
    path("retention/<slug:subject>/", record_actions.set_retention_years, name="set-retention"),
    path("<int:record>/", records.show_record, name="record"),
    path("<int:record>/details/", record_actions.show_details, name="show"),
    path("<int:record>/hold/", record_actions.hold_record_page, name="hold"),
    path("<int:record>/destroy/", record_actions.destroy_details_page, name="destroy"),
]

urlpatterns = [
    path("personal-data/", records.choose_records_casino, name="casinos"),
    path("casinos/<slug:casino>/personal-data/", include(personal_data_urls)),
]
