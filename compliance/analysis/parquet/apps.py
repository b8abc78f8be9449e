from django.apps import AppConfig


class ParquetConfig(AppConfig):
    name = "compliance.analysis.parquet"
    label = "parquet"

    def ready(self) -> None:
        from compliance.analysis.parquet import help_page
        from compliance.core.web import help_pages

        help_pages.register_pages(help_page.ANALYSIS_PAGE)
