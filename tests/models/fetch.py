"""Fetches the model of `tests.models.conftest` into a data directory: run as a process that can be killed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from ha_assist_addon.models.catalogue import KnownModel, Release
from ha_assist_addon.models.download import Limits
from ha_assist_addon.models.library import ModelLibrary
from ha_assist_addon.settings.profiles import ModelKind


async def main(data_dir: Path, address: str) -> None:
    model = KnownModel("tiny", ModelKind.GEMMA, "LiteRT-LM", False, "none", (Release("tiny.litertlm", address),))
    library = ModelLibrary(data_dir, models=(model,), limits=Limits(chunk=1 << 16, reserve=0))
    file = library.file_for(ModelKind.GEMMA, "tiny")
    file.start()
    await file.wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
