"""Finds the system's Chromium for the browser tests, or says how to install it."""

import os
import shutil
import sys

# The headless shell comes first: without rendering to a screen a page costs half as much.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW_TO_INSTALL = "Install it: apt-get install chromium-headless-shell (Debian), brew install --cask chromium (macOS)."


def find_chromium() -> str | None:
    return next((path for path in map(shutil.which, NAMES) if path), None)


def main() -> int:
    if find_chromium():
        return 0
    print("=" * 100)
    print("No Chromium on this machine: the browser tests are LEFT OUT of this run.")
    print(HOW_TO_INSTALL)
    print("=" * 100)
    return 1 if os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
