"""A bench on a cluster: a scheduler and two workers, each a process of its own."""

import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

from benches import save_pictures
from commands import Run, contents, run_apart

OPTIONS = ("--measures", "ssd", "--normalise", "none", "--piece", 16)


def start(module: str, log: Path, *options: str) -> subprocess.Popen:
    command = [sys.executable, "-m", f"distributed.cli.{module}", *options, "--no-dashboard"]
    with log.open("wb") as file:
        return subprocess.Popen(command, stdout=file, stderr=file)


def address_in(log: Path, process: subprocess.Popen) -> str:
    """Where a scheduler says that it listens."""
    while process.poll() is None:
        if found := re.search(r"tcp://127\.0\.0\.1:\d+", log.read_text()):
            return found[0]
        time.sleep(0.05)
    raise AssertionError(log.read_text())


@pytest.fixture
def cluster(tmp_path) -> Iterator[Client]:
    """A scheduler with two workers."""
    log = tmp_path / "scheduler.log"
    processes = [start("dask_scheduler", log, "--host", "127.0.0.1", "--port", "0")]
    try:
        address = address_in(log, processes[0])
        for name in ("one", "two"):
            options = ("--no-nanny", "--nthreads", "1", "--name", name, "--local-directory", str(tmp_path / name))
            processes.append(start("dask_worker", tmp_path / f"{name}.log", address, *options))
        with Client(address) as client:
            client.wait_for_workers(2, timeout=60)
            yield client
    finally:
        for process in processes:
            process.kill()
            process.wait()


def workers_that_know_the_work(cluster: Client) -> int:
    # Text, since the workers can't import this file.
    return sum(cluster.run(eval, "'tenjigsaw.bench.solving' in __import__('sys').modules").values())


def loops_of_clients() -> set[int | None]:
    return {thread.ident for thread in threading.enumerate() if thread.name == "IO loop"}


def test_rows_are_the_same_as_at_home(tmp_path, cluster):
    pictures = save_pictures(tmp_path / "set", 4)
    home, away = tmp_path / "home", tmp_path / "away"
    assert run_apart("bench", pictures, *OPTIONS, "--out", home, "--jobs", 1).code == 0
    assert workers_that_know_the_work(cluster) == 0
    afresh = ("--cache-gigabytes", 0)  # or the workers would find the scores of home
    ran = run_apart("bench", pictures, *OPTIONS, *afresh, "--out", away, "--scheduler", cluster.scheduler.address)
    assert ran.code == 0, ran.err
    assert (away / "rows.csv").read_bytes() == (home / "rows.csv").read_bytes()
    assert workers_that_know_the_work(cluster) == 2


def test_no_scheduler_there(run: Run, tmp_path, monkeypatch):
    monkeypatch.setattr("tenjigsaw.bench.spread.CONNECTING_SECONDS", 1)
    pictures = save_pictures(tmp_path / "set", 1)
    ran = run("bench", pictures, *OPTIONS, "--out", tmp_path / "out", "--scheduler", "tcp://127.0.0.1:9")
    assert ran.code == 2
    assert "There is no dask scheduler at tcp://127.0.0.1:9." in ran.err
    assert not (tmp_path / "out").exists()


def test_no_scheduler_there_costs_no_earlier_results(run: Run, tmp_path, monkeypatch):
    monkeypatch.setattr("tenjigsaw.bench.spread.CONNECTING_SECONDS", 1)
    pictures, out = save_pictures(tmp_path / "set", 1), tmp_path / "out"
    assert run("bench", pictures, *OPTIONS, "--out", out, "--jobs", 1).code == 0
    before = contents(out)
    assert run("bench", pictures, *OPTIONS, "--out", out, "--force", "--scheduler", "tcp://127.0.0.1:9").code == 2
    assert contents(out) == before


@pytest.mark.parametrize("address", ["nowhere", "tcp://", "magic://x:1"])
def test_an_address_that_is_none(run: Run, tmp_path, address):
    pictures = save_pictures(tmp_path / "set", 1)
    before = loops_of_clients()
    ran = run("bench", pictures, *OPTIONS, "--out", tmp_path / "out", "--scheduler", address)
    assert ran.code == 2
    assert loops_of_clients() <= before, "a client that never found its scheduler waits to be closed"
    assert ran.sentence == f"There is no dask scheduler at {address}."
