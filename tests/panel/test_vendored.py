"""What is not ours is exactly what the package held, and everything that is not ours is listed."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
import yaml

from ha_assist_addon.panel.page import FOLDER

BROWSER = Path(__file__).parents[1] / "browser" / "vendor"
LISTS = {FOLDER: FOLDER / "static" / "vendor", BROWSER: BROWSER}


@pytest.mark.parametrize("root", LISTS, ids=lambda root: root.name)
def test_vendored_files_are_listed_and_unchanged(root: Path) -> None:
    listed = yaml.safe_load((root / "vendored.yaml").read_text(encoding="utf-8"))
    for part in listed:
        assert set(part) == {"name", "version", "licence", "from", "file", "sha256", "package_sha256"}
        assert re.fullmatch(r"\d+\.\d+\.\d+", part["version"])
        assert hashlib.sha256((root / part["file"]).read_bytes()).hexdigest() == part["sha256"], part["name"]
    files = {path for path in LISTS[root].iterdir() if path.name != "vendored.yaml"}
    assert files == {root / part["file"] for part in listed}
