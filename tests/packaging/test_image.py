"""The image, built and started for real; minutes, root and the internet are needed, so only when it is asked for."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.support.shared import ROOT


@pytest.mark.image
@pytest.mark.skipif(
    not os.environ.get("HA_ASSIST_TEST_IMAGE"), reason="HA_ASSIST_TEST_IMAGE=1 builds the image, as root"
)
def test_image_is_built_and_works() -> None:
    outcome = subprocess.run([ROOT / "script/image"], capture_output=True, text=True, check=False, timeout=1800)
    print(outcome.stdout)
    assert outcome.returncode == 0, outcome.stdout[-4000:] + outcome.stderr[-4000:]
