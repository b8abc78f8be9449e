from tests.browser.conftest import browser, open_browser, site

__all__ = ["browser", "open_browser", "site"]
