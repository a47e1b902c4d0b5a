"""No number without a file, no file without a word on how it was made, no stale table."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"\bresults/([\w-]+(?:\.csv|/))")


def test_no_table_is_stale():
    command = [sys.executable, str(ROOT / "benchmarks" / "readme_tables.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_pages_say_how_every_result_was_made_and_speak_of_no_other():
    """Single files, and folders that a bench made, which hold their own command."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    named = set(NAMED.findall("\n".join(page.read_text(encoding="utf-8") for page in pages)))
    explained = set(NAMED.findall((ROOT / "docs" / "numbers.md").read_text(encoding="utf-8")))
    found = (ROOT / "results").iterdir()
    there = {
        f"{path.name}/" if path.is_dir() else path.name for path in found if path.is_dir() or path.suffix == ".csv"
    }
    assert explained == there
    assert named <= there
