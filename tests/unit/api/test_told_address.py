from __future__ import annotations

from pathlib import Path

from docagent.cli.server.running import address_told, told_address


def test_the_address_is_told_as_long_as_the_server_runs(tmp_path: Path) -> None:
    assert told_address(tmp_path) is None
    with address_told(tmp_path, "http://127.0.0.1:9000"):
        assert told_address(tmp_path) == "http://127.0.0.1:9000"
        with address_told(tmp_path, "http://127.0.0.1:9001"):
            assert told_address(tmp_path) == "http://127.0.0.1:9000"
    assert told_address(tmp_path) is None


def test_a_shorter_address_leaves_nothing_of_the_one_before(tmp_path: Path) -> None:
    with address_told(tmp_path, "https://documents.example.com"):
        pass
    with address_told(tmp_path, "http://[::1]:80"):
        assert told_address(tmp_path) == "http://[::1]:80"


def test_without_a_folder_the_server_runs_and_tells_nothing(tmp_path: Path) -> None:
    with address_told(tmp_path / "missing", "http://127.0.0.1:9000"):
        assert told_address(tmp_path / "missing") is None


def test_only_the_owner_reads_it(tmp_path: Path) -> None:
    with address_told(tmp_path, "http://127.0.0.1:9000"):
        (file,) = tmp_path.iterdir()
        assert file.stat().st_mode & 0o077 == 0
