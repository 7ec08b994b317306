"""What people reported about other assistants, as cases."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.cases.__main__ import report
from tests.cases.runner import Verdict, load, run_all
from tests.support.house import Version
from tests.support.shared import SHARED, needs_shared

pytestmark = needs_shared

DECIDED = {
    "satellite-scope-all-lights": "Without a place, all is the whole home for what turns off, closes and locks.",
}
"""Cases whose outcome this project has decided otherwise, and how."""

CASES = tuple(load(SHARED / "cases" / "reports-dev.jsonl")) if SHARED else ()


def verdicts(version: Version, folder: Path) -> dict[str, Verdict]:
    return {v.case["id"]: v for v in asyncio.run(run_all(CASES, folder, version))}


@pytest.fixture(scope="module", params=["2026.11", "2026.2"])
def judged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    version: Version = request.param
    return verdicts(version, tmp_path_factory.mktemp("cases"))


@pytest.mark.parametrize("name", [case["id"] for case in CASES])
def test_case(judged: dict[str, Verdict], name: str) -> None:
    verdict = judged[name]
    if name in DECIDED:
        pytest.xfail(DECIDED[name])
    assert verdict.passed, report(verdict)


def test_the_file_is_whole() -> None:
    assert len(CASES) == 60
