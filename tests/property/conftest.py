"""One pipeline for all examples: what it remembers must never matter."""

from __future__ import annotations

import pytest

from tests.property.homes import LANGUAGES
from tests.support.house import Pipeline


@pytest.fixture(scope="session")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """The pipeline in English and German, without a model."""
    return Pipeline(tmp_path_factory.mktemp("pipeline"), *LANGUAGES)
