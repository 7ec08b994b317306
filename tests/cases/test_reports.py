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

OTHERWISE = {
    "satellite-scope-all-lights": "Without a place, all is the whole home for what turns off, closes and locks.",
    "accusative-name-cs": "Inflected names are known in languages with a lexicon only; here it is asked back.",
    "2026.2/vacuum-area-da": "This version has no tool that cleans a room.",
    "2026.2/vacuum-area-es": "This version has no tool that cleans a room.",
}
"""Cases, perhaps of one version, whose outcome is another, and why."""

FILES = ("reports-dev.jsonl", "reports-2-dev.jsonl")
CASES = tuple(case for name in FILES for case in load(SHARED / "cases" / name)) if SHARED else ()


def verdicts(version: Version, folder: Path) -> dict[str, Verdict]:
    return {v.case["id"]: v for v in asyncio.run(run_all(CASES, folder, version))}


@pytest.fixture(scope="module", params=["2026.11", "2026.8", "2026.2"])
def version(request: pytest.FixtureRequest) -> Version:
    given: Version = request.param
    return given


@pytest.fixture(scope="module")
def judged(version: Version, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    return verdicts(version, tmp_path_factory.mktemp("cases"))


@pytest.mark.parametrize("name", [case["id"] for case in CASES])
def test_case(judged: dict[str, Verdict], version: Version, name: str) -> None:
    verdict = judged[name]
    otherwise = OTHERWISE.get(name) or OTHERWISE.get(f"{version}/{name}")
    if otherwise is not None:
        assert not verdict.passed, f"{name} passes now; take it off the list"
        pytest.xfail(otherwise)
    assert verdict.passed, report(verdict)


def test_the_file_is_whole() -> None:
    assert len(CASES) == 105
