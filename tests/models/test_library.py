"""Each name and path leads to a file, or to a sentence that says what to do."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from ha_assist_addon.models.catalogue import catalogue
from ha_assist_addon.models.formats import FORMATS, LITERT
from ha_assist_addon.models.library import ModelLibrary
from ha_assist_addon.models.status import ModelState, ModelStatus
from ha_assist_addon.settings.model import Settings
from ha_assist_addon.settings.profiles import ModelKind
from tests.models.conftest import CONTENT, SHA256, Make
from tests.models.file_server import FileServer
from tests.models.test_download import fetched

GEMMA, LLM, VLM = ModelKind.GEMMA, ModelKind.HAILO_LLM, ModelKind.VLM


def library(data_dir: Path, hailort: str | None = "5.4.0") -> ModelLibrary:
    return ModelLibrary(data_dir, hailort_version=lambda: hailort)


def test_the_catalogue_is_sound() -> None:
    ids = [model.id.casefold() for model in catalogue()]
    files = [release.file for model in catalogue() for release in model.releases]
    assert len(set(ids)) == len(ids)
    assert len(set(files)) == len(files)
    for model in catalogue():
        assert model.images or model.kind is not VLM
        for release in model.releases:
            assert urlsplit(release.address).scheme == "https"
            assert release.file.endswith(FORMATS[model.kind].suffix)
            assert Path(release.file).name == release.file
            assert release.sha256 is None or re.fullmatch("[0-9a-f]{64}", release.sha256)
            assert model.release_for(release.runtime_version) == release


def test_the_default_gemma_is_known() -> None:
    assert any(model.id == Settings().models.gemma.model and model.kind is GEMMA for model in catalogue())


@pytest.mark.parametrize(("installed", "file"), [("5.4.0", "5.4.0"), ("5.4.2", "5.4.0"), ("5.3", "5.3.0")])
def test_the_file_fits_the_installed_hailort(tmp_path: Path, installed: str, file: str) -> None:
    status = library(tmp_path, installed).file_for(LLM, "qwen3-1.7b-instruct").status
    assert status.state is ModelState.MISSING
    assert status.detail.startswith(f"Qwen3-1.7B-Instruct-{file}.hef has not been fetched")


@pytest.mark.parametrize(
    ("installed", "words"),
    [
        (None, "needs HailoRT, which is not installed"),
        ("5.5.0", "HailoRT 5.5.0 is installed, and files of Qwen3-1.7B-Instruct are known for 5.3.0, 5.4.0"),
        ("5.2.0", "models.hailo_llm.path"),
        ("nonsense", "HailoRT nonsense is installed"),
    ],
)
async def test_no_file_fits(tmp_path: Path, installed: str | None, words: str) -> None:
    file = library(tmp_path, installed).file_for(LLM, "Qwen3-1.7B-Instruct")
    file.start()
    assert (file.path, file.status.state) == (None, ModelState.MISSING)
    assert words in file.status.detail


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        (LLM, "Bert", ["does not know Bert", "Qwen3-1.7B-Instruct", "models.hailo_llm.path", ".hef"]),
        (GEMMA, "Gemini", ["does not know Gemini", "gemma-4-E2B-it", "models.gemma.path", ".litertlm"]),
        (LLM, "Qwen2-VL-2B-Instruct", ["vision model", "models.vlm"]),
    ],
)
def test_a_name_that_nobody_knows(tmp_path: Path, kind: ModelKind, name: str, words: list[str]) -> None:
    status = library(tmp_path).file_for(kind, name).status
    assert status.state is ModelState.MISSING
    assert all(word in status.detail for word in words), status.detail


def test_asking_touches_nothing(tmp_path: Path) -> None:
    one = library(tmp_path)
    for model in catalogue():
        assert one.file_for(model.kind, model.id).status.state is ModelState.MISSING
        assert one.file_for(model.kind, model.id) is one.file_for(model.kind, model.id)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("absolute", [False, True])
async def test_an_own_file(tmp_path: Path, absolute: bool) -> None:
    path = tmp_path / "mine" / "any name.LiteRTLM"
    file = library(tmp_path).file_for(GEMMA, "whatever", str(path if absolute else path.relative_to(tmp_path)))
    assert file.status.state is ModelState.MISSING
    waiting = asyncio.create_task(file.wait())
    await asyncio.sleep(0)
    path.parent.mkdir()
    path.write_bytes(CONTENT)
    assert await waiting == file.path == path
    assert file.status == ModelStatus(ModelState.READY)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.gguf", CONTENT, "no .litertlm file"),
        ("a.litertlm", b"", "no LiteRT model"),
        ("a.litertlm", b"\x01HEF", "no LiteRT model"),
        ("a.litertlm", b"<html>", "web page"),
        (".", None, "no .litertlm file"),
        ("folder.litertlm", None, "is a folder"),
    ],
)
def test_an_own_file_that_is_none(tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    if content is None:
        (tmp_path / name).mkdir(exist_ok=True)
    else:
        (tmp_path / name).write_bytes(content)
    file = library(tmp_path).file_for(GEMMA, "x", name)
    assert (file.path, file.status.state) == (None, ModelState.FAILED)
    assert words in file.status.detail


def test_an_own_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.litertlm").symlink_to("a.litertlm")
    status = library(tmp_path).file_for(GEMMA, "x", "a.litertlm").status
    assert status.state is ModelState.FAILED
    assert "cannot be read: too many levels" in status.detail


def test_the_real_tiny_model_is_an_own_file(shared_dir: Path, tmp_path: Path) -> None:
    path = shared_dir / "models" / "tiny_generic_model.litertlm"
    assert library(tmp_path).file_for(GEMMA, "tiny", str(path)).path == path


@pytest.fixture
def by_hand(folder: Path, request: pytest.FixtureRequest) -> Path:
    """The catalogue's file as a person copied it, or what the test wants in its place."""
    folder.mkdir()
    path = folder / "tiny.litertlm"
    path.write_bytes(getattr(request, "param", CONTENT))
    return path


@pytest.mark.parametrize("sha256", [None, SHA256])
async def test_a_file_put_there_by_hand_is_taken(
    make: Make, server: FileServer, by_hand: Path, sha256: str | None
) -> None:
    assert make(sha256).status.state is ModelState.READY
    file = make(sha256)
    assert await fetched(file) is ModelState.READY
    assert not server.requests
    again = make(sha256)
    again.start()
    assert again._task is None


def move_away(path: Path) -> None:
    path.rename(path.with_suffix(".old"))


@pytest.mark.parametrize("by_hand", [CONTENT[:-1]], indirect=True)
async def test_another_file_put_there_by_hand_is_refused(make: Make, server: FileServer, by_hand: Path) -> None:
    file = make(SHA256)
    assert await fetched(file) is ModelState.FAILED
    assert "Delete it" in file.status.detail
    assert file.path is None
    assert not server.requests
    move_away(by_hand)
    assert await fetched(file) is ModelState.READY


async def test_a_changed_file_is_noticed_and_one_only_touched_is_not(make: Make, folder: Path) -> None:
    path = folder / "tiny.litertlm"
    await fetched(make())
    os.utime(path, (1, 1))
    touched = make()
    assert (touched.path, touched.status.state) == (None, ModelState.FAILED)
    assert await fetched(touched) is ModelState.READY
    assert make().status.state is ModelState.READY
    with path.open("r+b") as file:
        file.seek(1000)
        file.write(b"changed")
    changed = make()
    assert "has to be checked" in changed.status.detail
    assert await fetched(changed) is ModelState.FAILED
    assert "was changed since it was fetched" in changed.status.detail


@pytest.mark.parametrize("by_hand", [b"version https://git-lfs.github.com/spec/v1"], indirect=True)
async def test_a_file_of_another_format_put_there_by_hand(make: Make, by_hand: Path) -> None:
    file = make()
    assert file.path is None
    assert await fetched(file) is ModelState.FAILED
    assert "git-lfs" in file.status.detail


async def test_a_failed_download_gives_way_to_a_file_by_hand(make: Make, server: FileServer, folder: Path) -> None:
    file = make(address="http://127.0.0.1:1/")
    assert await fetched(file) is ModelState.FAILED
    waiting = asyncio.create_task(file.wait())
    (folder / "tiny.litertlm").write_bytes(LITERT.magic)
    assert await waiting == file.path
    assert file.status.state is ModelState.READY
