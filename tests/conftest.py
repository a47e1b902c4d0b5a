"""What all tests share: how hypothesis draws, and the command line run inside the test process."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from commands import Ran, Run

# The same examples every time. To look further: pytest --hypothesis-profile=explore
settings.register_profile(
    "tests", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", deadline=None, max_examples=3000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Scores that benches keep are not found in the user's folder, and not left there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``tenjigsaw`` with these arguments, as its entry point does."""
    from tenjigsaw.cli.main import run as entry_point

    def run_command(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["tenjigsaw", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            entry_point()
        out, err = capsys.readouterr()
        return Ran(int(ended.value.code or 0), out, err)

    return run_command


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder that nothing may be written to."""
    folder = tmp_path / "read-only"
    folder.mkdir()
    folder.chmod(0o500)
    if os.access(folder, os.W_OK):
        pytest.skip("this user, as root, may write to read-only folders")
    yield folder
    folder.chmod(0o700)
