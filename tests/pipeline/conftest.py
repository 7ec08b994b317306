"""The pipeline without HTTP and without a model."""

from tests.support.pipelines import careful, pipeline

__all__ = ["careful", "pipeline"]
