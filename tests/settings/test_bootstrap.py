"""Command line over environment over the Supervisor's options over defaults, and the key."""

from __future__ import annotations

import errno
import json
import os
import stat
import tempfile
from pathlib import Path

import pytest

from ha_assist_addon.settings.api_key import KeySource, ensure_api_key
from ha_assist_addon.settings.bootstrap import Bootstrap
from ha_assist_addon.settings.errors import BootstrapError


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("HA_ASSIST_"):
            monkeypatch.delenv(name)


def secret(bootstrap: Bootstrap) -> str | None:
    return bootstrap.api_key.get_secret_value() if bootstrap.api_key else None


def options(folder: Path, content: object) -> None:
    (folder / "options.json").write_text(content if isinstance(content, str) else json.dumps(content))


def test_defaults(tmp_path: Path) -> None:
    bootstrap = Bootstrap.load(data_dir=tmp_path)
    assert (bootstrap.host, bootstrap.port, bootstrap.panel_port) == ("0.0.0.0", 8090, 8099)
    assert bootstrap.log_level == "info"
    assert bootstrap.api_key is None


def test_order_of_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options(tmp_path, {"log_level": "debug", "api_key": "from-options"})
    monkeypatch.setenv("HA_ASSIST_DATA_DIR", str(tmp_path))
    assert secret(Bootstrap.load()) == "from-options"
    assert Bootstrap.load().log_level == "debug"
    monkeypatch.setenv("HA_ASSIST_API_KEY", "from-environment")
    assert secret(Bootstrap.load()) == "from-environment"
    assert secret(Bootstrap.load(api_key="from-arguments", port=None)) == "from-arguments"
    assert Bootstrap.load(log_level="WARNING").log_level == "warning"


def test_data_dir_of_the_command_line_decides_whose_options_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    options(tmp_path / "here", {"api_key": "here"})
    options(tmp_path / "there", {"api_key": "there"})
    monkeypatch.setenv("HA_ASSIST_DATA_DIR", str(tmp_path / "there"))
    assert secret(Bootstrap.load(data_dir=str(tmp_path / "here"))) == "here"


@pytest.mark.parametrize("source", ["arguments", "environment", "options"])
def test_empty_means_unset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    if source == "environment":
        monkeypatch.setenv("HA_ASSIST_API_KEY", "")
    if source == "options":
        options(tmp_path, {"log_level": "", "api_key": "", "other": 1})
    assert Bootstrap.load(data_dir=tmp_path, api_key="" if source == "arguments" else None).api_key is None


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        '"x"',
        "[" * 100_000,
        {"log_level": "loud"},
        {"log_level": 3, "api_key": ["a"]},
        {"api_key": None},
    ],
)
def test_broken_options_do_not_stop_the_start(tmp_path: Path, content: object) -> None:
    options(tmp_path, content)
    bootstrap = Bootstrap.load(data_dir=tmp_path)
    assert bootstrap.log_level == "info"
    assert bootstrap.api_key is None


def test_broken_options_do_not_take_the_good_ones_along(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    options(tmp_path, {"log_level": "loud", "api_key": "kept"})
    assert secret(Bootstrap.load(data_dir=tmp_path)) == "kept"
    assert "log_level" in caplog.text
    assert "kept" not in caplog.text


@pytest.mark.parametrize(
    ("name", "value"), [("port", "abc"), ("port", 70000), ("panel_port", -1), ("log_level", "loud")]
)
def test_bad_argument_is_named(tmp_path: Path, name: str, value: object) -> None:
    with pytest.raises(BootstrapError, match=name):
        Bootstrap.load(data_dir=tmp_path, **{name: value})


def test_key_is_never_shown(tmp_path: Path) -> None:
    bootstrap = Bootstrap.load(data_dir=tmp_path, api_key="hunter2")
    assert "hunter2" not in f"{bootstrap!r} {ensure_api_key(bootstrap)!r}"


def test_given_key_is_not_written_down(tmp_path: Path) -> None:
    key = ensure_api_key(Bootstrap.load(data_dir=tmp_path, api_key="mine"))
    assert (key.value, key.source) == ("mine", KeySource.GIVEN)
    assert list(tmp_path.iterdir()) == []


def test_key_is_made_once_and_kept_privately(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    bootstrap = Bootstrap.load(data_dir=tmp_path / "data")
    first, second = ensure_api_key(bootstrap), ensure_api_key(bootstrap)
    assert (first.source, second.source) == (KeySource.GENERATED, KeySource.FILE)
    assert first.value == second.value
    assert len(first.value) >= 40
    assert first.path is not None
    assert stat.S_IMODE(first.path.stat().st_mode) == 0o600
    assert first.value not in caplog.text


def test_key_file_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "api_key"
    path.write_text("  by-hand \n")
    path.chmod(0o644)
    assert ensure_api_key(Bootstrap.load(data_dir=tmp_path)).value == "by-hand"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_key_file_whose_mode_cannot_be_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "api_key").write_text("by-hand")
    (tmp_path / "api_key").chmod(0o644)

    def read_only(*_args: object, **_kwargs: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(Path, "chmod", read_only)
    key = ensure_api_key(Bootstrap.load(data_dir=tmp_path))
    assert (key.value, key.source) == ("by-hand", KeySource.FILE)


@pytest.mark.parametrize("content", [b"", b" \n", b"\xff\xfe\x00", b"two\nlines", "schlüssel".encode()])
def test_unusable_key_file_is_replaced(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "api_key").write_bytes(content)
    key = ensure_api_key(Bootstrap.load(data_dir=tmp_path))
    assert key.source is KeySource.GENERATED
    assert ensure_api_key(Bootstrap.load(data_dir=tmp_path)).value == key.value


def test_nowhere_to_keep_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def full(*_args: object, **_kwargs: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "mkstemp", full)
    key = ensure_api_key(Bootstrap.load(data_dir=tmp_path))
    assert key.source is KeySource.TEMPORARY
    assert key.value
    assert "No space left" in caplog.text
    assert key.value not in caplog.text


def test_data_directory_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert ensure_api_key(Bootstrap.load(data_dir=tmp_path / "data")).source is KeySource.TEMPORARY
