"""What people reported about other assistants, as cases: each passes, or stands in a table with the reason."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cases.__main__ import report
from tests.cases.runner import Verdict, load, run_all
from tests.support.house import Version
from tests.support.shared import SHARED, needs_shared

pytestmark = needs_shared

CASES = tuple(load(SHARED / "cases" / "reports-dev.jsonl")) if SHARED else ()

NOT_YET: Mapping[str, str] = {
    "tool-call-printed-as-text": "a call that a model prints as text is not recognised yet",
    "tool-call-in-code-fence": "a call that a model prints as text is not recognised yet",
    "success-claimed-without-call": "what a model claims is not compared with what was called yet",
    "large-home-model-prompt-fits": "the prompt is not cut to what matters yet",
}
"""Cases that do not pass yet, and why; one that passes must leave this table."""


def verdicts(version: Version, folder: Path) -> dict[str, Verdict]:
    return {v.case["id"]: v for v in asyncio.run(run_all(CASES, folder, version))}


@pytest.fixture(scope="module", params=["2026.11", "2026.2"])
def judged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    version: Version = request.param
    return verdicts(version, tmp_path_factory.mktemp("cases"))


@pytest.mark.parametrize("name", [case["id"] for case in CASES])
def test_case(judged: dict[str, Verdict], name: str) -> None:
    verdict = judged[name]
    if name in NOT_YET:
        assert not verdict.passed, f"{name} passes now: take it out of NOT_YET ({NOT_YET[name]})"
        pytest.xfail(NOT_YET[name])
    assert verdict.passed, report(verdict)


def test_the_table_names_only_cases_that_exist() -> None:
    assert set(NOT_YET) <= {case["id"] for case in CASES}
    assert len(CASES) == 60
