"""A real browser, where the machine has one."""

import shutil
import subprocess
from pathlib import Path

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="there is no chromium on this machine")

_QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def browse(page: Path, profile: Path, *arguments: str, address: str = "") -> str:
    """Open a page as ``arguments`` say and give what the browser prints."""
    assert BROWSER is not None
    command = [BROWSER, *_QUIET, f"--user-data-dir={profile}", *arguments, page.as_uri() + address]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
