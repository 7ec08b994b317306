"""Fixtures: the pipeline without HTTP and without a model."""

from __future__ import annotations

import pytest

from tests.support.house import Pipeline


@pytest.fixture(scope="session")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """With the languages of a first start, taking Home Assistant's word for what it did."""
    return Pipeline(tmp_path_factory.mktemp("pipeline"), verify=0)


@pytest.fixture(scope="session")
def careful(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """The same, reading the state after an action."""
    return Pipeline(tmp_path_factory.mktemp("careful"), verify=2)
