"""Loading, saving and overriding, and that no file can prevent the start."""

from __future__ import annotations

import errno
import os
import socket
import stat
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ha_assist_addon.settings.api_key import KeySource, ensure_api_key
from ha_assist_addon.settings.bootstrap import Bootstrap
from ha_assist_addon.settings.errors import SettingsConflict, SettingsInvalid, SettingsWriteError
from ha_assist_addon.settings.model import Settings
from ha_assist_addon.settings.store import MASK, SettingsStore, values_of

DELAY = "settings.ha_assist_verify_delay"
DELAY_VARIABLE = "HA_ASSIST_SETTINGS__HA_ASSIST_VERIFY_DELAY"


def store(folder: Path, text: str | None = None, **environ: str) -> SettingsStore:
    if text is not None:
        (folder / "settings.yaml").write_text(text)
    return SettingsStore(folder, environ)


def on_disk(folder: Path) -> Any:
    return yaml.safe_load((folder / "settings.yaml").read_text())


def socket_at(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def copies(folder: Path) -> list[Path]:
    return sorted(folder.glob("settings.yaml.broken-*"))


class TestLoad:
    def test_no_file_gives_defaults_and_writes_nothing(self, tmp_path: Path) -> None:
        started = store(tmp_path / "missing")
        assert started.current == Settings()
        assert started.problem is None
        assert not (tmp_path / "missing").exists()

    def test_environment_of_the_process_is_the_default(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(DELAY_VARIABLE, "7")
        assert SettingsStore(tmp_path).current.settings.ha_assist_verify_delay == 7

    @pytest.mark.parametrize(
        ("text", "words", "key"),
        [
            (
                "settings: {ha_assist_fuzzy: true}",
                "settings.ha_assist_fuzzy is not a setting",
                "settings.ha_assist_fuzzy",
            ),
            (
                "settings: {ha_assist_queue: 65}",
                "settings.ha_assist_queue is 65, but should be at most 64.",
                "settings.ha_assist_queue",
            ),
            ("settings: [", "not valid YAML near line 1", ""),
            ("just words", "should hold the blocks", ""),
            ("models: {}\nsettings: {}\nmodels: {}", "has models twice (line 3)", ""),
            ("version: 2\nsettings: {}", "version 2", ""),
            ("settings: {ha_assist_text_model: 2026-99-99}", "not valid YAML", ""),
            ("[" * 100_000, "far more than there are settings", ""),
            ("settings: !!python/name:os.system", "not valid YAML", ""),
            ("settings: &a {ha_assist_text_model: *a}", "repeats a part of itself by its anchor (line 1)", ""),
            ("1: 2", "1 is not a setting", "1"),
            ("settings: {ha_assist_fuzzy_enabled: !!bool ja}", "not valid YAML", ""),
            ("settings: {ha_assist_queue: !!int ''}", "not valid YAML", ""),
            ("settings: {ha_assist_text_model: !!timestamp now}", "not valid YAML", ""),
            (f"settings: {{ha_assist_verify_delay: 1{':00' * 400}.5}}", "number that is too long (line 1)", ""),
            (f"settings:\n  ha_assist_queue: 0x{'f' * 4000}", "number that is too long (line 2)", ""),
            (f"settings: {{ha_assist_queue: {'9' * 5000}}}", "too long", ""),
            (f"settings: {{ha_assist_queue: 1{':59' * 5000}}}", "too long", ""),
            (f"settings: {{ha_assist_queue: !!int '0b{'1' * 200_000}'}}", "too long", ""),
            (f"0x{'f' * 1000}: 1", "number that is too long", ""),
            (f"{'x' * 200_000}: 1", "text that is too long", ""),
            (f"settings: {{ha_assist_languages: [{'de,' * 50_000}]}}", "far more than there are settings", ""),
            ("{a: " * 1000 + "1" + "}" * 1000, "far more than there are settings", ""),
            (
                f"settings: {{ha_assist_languages: '{'de,' * 1000}'}}",
                "settings.ha_assist_languages is not valid",
                "settings.ha_assist_languages",
            ),
            (
                f"settings: {{ha_assist_languages: '{'[' * 3000}'}}",
                "settings.ha_assist_languages should be a list such as",
                "settings.ha_assist_languages",
            ),
            (
                "a: &a [1,1,1,1,1,1,1,1,1]\n"
                + "".join(f"{b}: &{b} [*{a},*{a},*{a},*{a},*{a},*{a},*{a},*{a}]\n" for a, b in pairwise("abcdefghijk"))
                + "settings: {ha_assist_languages: *k}",
                "repeats a part of itself",
                "",
            ),
        ],
    )
    def test_broken_file_starts_on_defaults_and_keeps_a_copy(
        self, tmp_path: Path, text: str, words: str, key: str
    ) -> None:
        started = store(tmp_path, text)
        assert started.current == Settings()
        assert started.problem is not None
        assert words in started.problem.sentence
        assert started.problem.key == key
        assert started.problem.copy is not None
        assert started.problem.copy.read_text() == text
        assert (tmp_path / "settings.yaml").read_text() == text

    def test_not_text_at_all(self, tmp_path: Path) -> None:
        (tmp_path / "settings.yaml").write_bytes(b"\xff\xfe\x00\xd8garbage\x00")
        started = store(tmp_path)
        assert started.problem is not None
        assert len(copies(tmp_path)) == 1

    def test_the_same_broken_file_is_copied_once(self, tmp_path: Path) -> None:
        for _ in range(3):
            store(tmp_path, "settings: [")
        store(tmp_path, "settings: {")
        assert len(copies(tmp_path)) == 2

    def test_a_file_that_is_too_large_is_not_read_and_not_lost(self, tmp_path: Path) -> None:
        text = "settings: {ha_assist_queue: 3}\n" + "# much ado\n" * 50_000
        started = store(tmp_path, text)
        assert started.current == Settings()
        assert started.problem is not None
        assert "cannot be read: it has more than 256 KB." in started.problem.sentence
        assert started.problem.copy is not None
        assert started.save({DELAY: 1}).settings.ha_assist_verify_delay == 1
        assert copies(tmp_path)[0].read_text() == text
        assert store(tmp_path).problem is None
        assert on_disk(tmp_path)["settings"] == {"ha_assist_verify_delay": 1}

    def test_one_that_grew_too_large_meanwhile_is_not_overwritten(self, tmp_path: Path) -> None:
        started = store(tmp_path, "settings: {ha_assist_queue: 3}")
        (tmp_path / "settings.yaml").write_text("# much ado\n" * 50_000)
        with pytest.raises(SettingsConflict):
            started.save({DELAY: 1})

    @pytest.mark.parametrize("kind", ["a pipe", "a link to a device", "a link to nowhere", "a socket"])
    def test_what_is_no_plain_file_is_not_opened(self, tmp_path: Path, kind: str) -> None:
        """A pipe would be waited for, and a device may have no end; the key and the options are no different."""

        make: dict[str, Callable[[Path], None]] = {
            "a pipe": os.mkfifo,
            "a link to a device": lambda path: path.symlink_to("/dev/zero"),
            "a link to nowhere": lambda path: path.symlink_to("nowhere"),
            "a socket": socket_at,
        }
        for name in ("settings.yaml", "api_key", "options.json"):
            make[kind](tmp_path / name)
        with ThreadPoolExecutor(1) as pool:
            started = pool.submit(store, tmp_path).result(20)
            key = pool.submit(lambda: ensure_api_key(Bootstrap.load(data_dir=tmp_path))).result(20)
        assert started.current == Settings()
        assert (started.problem is None) == (kind == "a link to nowhere")
        assert key.value

    def test_a_key_that_is_too_large_is_replaced(self, tmp_path: Path) -> None:
        (tmp_path / "api_key").write_text("x" * 10_000)
        assert ensure_api_key(Bootstrap.load(data_dir=tmp_path)).source is KeySource.GENERATED

    def test_file_is_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "settings.yaml").mkdir()
        started = store(tmp_path)
        assert started.problem is not None
        assert "cannot be read" in started.problem.sentence
        with pytest.raises(SettingsWriteError):
            started.save({DELAY: 1})

    def test_copy_that_cannot_be_kept_does_not_stop_the_start(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tempfile, "mkstemp", refuse(errno.ENOSPC))
        started = store(tmp_path, "settings: [")
        assert started.problem is not None
        assert started.problem.copy is None

    def test_reload_of_a_broken_file_keeps_what_was_in_force(self, tmp_path: Path) -> None:
        running = store(tmp_path, "settings: {ha_assist_queue: 3}")
        (tmp_path / "settings.yaml").write_text("settings: {ha_assist_queue: 300}")
        assert running.load().settings.ha_assist_queue == 3
        assert running.problem is not None
        (tmp_path / "settings.yaml").write_text("settings: {ha_assist_queue: 30}")
        assert running.load().settings.ha_assist_queue == 30
        assert running.problem is None

    def test_the_log_never_tells_a_secret(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        started = store(tmp_path, "models: {upstream: {api_key: [hunter2]}}")
        assert started.problem is not None
        assert "hunter2" not in started.problem.sentence + caplog.text

    @given(
        content=st.one_of(st.binary(max_size=200), st.text("sm:{}[]-&*!?|>'\"%@ \n\tab1", max_size=80).map(str.encode))
    )
    def test_no_content_prevents_the_start(self, content: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "settings.yaml").write_bytes(content)
            assert SettingsStore(Path(folder), {}).current is not None


class TestSave:
    def test_only_what_changed_is_written(self, tmp_path: Path) -> None:
        running = store(tmp_path)
        assert running.save({"settings": {"ha_assist_queue": "3"}}).settings.ha_assist_queue == 3
        assert on_disk(tmp_path) == {"version": 1, "settings": {"ha_assist_queue": 3}}
        assert store(tmp_path).current == running.current

    def test_other_keys_of_the_file_stay(self, tmp_path: Path) -> None:
        running = store(tmp_path, "settings: {ha_assist_queue: 8}\nmodels: {gemma: {enabled: true}}")
        running.save({"models.gemma.max_input_tokens": 2048})
        assert on_disk(tmp_path) == {
            "version": 1,
            "settings": {"ha_assist_queue": 8},
            "models": {"gemma": {"enabled": True, "max_input_tokens": 2048}},
        }

    def test_whole_settings(self, tmp_path: Path) -> None:
        running = store(tmp_path)
        wanted = Settings.model_validate({"models": {"vlm": {"enabled": True, "model": "Qwen2-VL-2B-Instruct"}}})
        assert running.save(wanted) == wanted == store(tmp_path).current

    def test_file_is_private(self, tmp_path: Path) -> None:
        store(tmp_path).save({DELAY: 1})
        assert stat.S_IMODE((tmp_path / "settings.yaml").stat().st_mode) == 0o600
        assert [path.name for path in tmp_path.iterdir()] == ["settings.yaml"]

    def test_data_directory_is_made(self, tmp_path: Path) -> None:
        store(tmp_path / "a" / "b").save({DELAY: 1})
        assert store(tmp_path / "a" / "b").current.settings.ha_assist_verify_delay == 1

    def test_nothing_changed_writes_nothing(self, tmp_path: Path) -> None:
        running = store(tmp_path)
        running.save(running.current)
        assert not (tmp_path / "settings.yaml").exists()

    def test_save_mends_a_broken_file(self, tmp_path: Path) -> None:
        running = store(tmp_path, "settings: [")
        running.save({})
        assert running.problem is None
        assert store(tmp_path).problem is None
        assert copies(tmp_path)[0].read_text() == "settings: ["

    def test_null_resets(self, tmp_path: Path) -> None:
        running = store(tmp_path, "settings: {ha_assist_text_model: a}\nmodels: {vlm: {enabled: true, model: b}}")
        running.save({"settings": {"ha_assist_text_model": None}, "models": {"vlm": None}})
        assert running.current == store(tmp_path).current == Settings()

    def test_invalid_changes_nothing(self, tmp_path: Path) -> None:
        running = store(tmp_path, "settings: {ha_assist_queue: 3}")
        with pytest.raises(SettingsInvalid, match=r"ha_assist_queue is 65, but should be at most 64") as caught:
            running.save({"settings": {"ha_assist_queue": 65}})
        assert caught.value.param == "settings.ha_assist_queue"
        assert running.current.settings.ha_assist_queue == 3
        assert on_disk(tmp_path) == {"settings": {"ha_assist_queue": 3}}

    def test_unknown_key(self, tmp_path: Path) -> None:
        with pytest.raises(
            SettingsInvalid, match=r"models.vlm.modle is not a setting of HA-Assist; perhaps you mean model"
        ):
            store(tmp_path).save({"models": {"vlm": {"modle": "x"}}})

    def test_masked_secret_stays(self, tmp_path: Path) -> None:
        running = store(tmp_path, "models: {upstream: {api_key: hunter2}}")
        running.save({"models": {"upstream": {"api_key": MASK, "timeout": 60}}})
        key = store(tmp_path).current.models.upstream.api_key
        assert key is not None
        assert key.get_secret_value() == "hunter2"

    def test_impossible_profile_is_explained(self, tmp_path: Path) -> None:
        running = store(tmp_path, "models: {vlm: {enabled: true, model: Qwen2-VL-2B-Instruct}}")
        with pytest.raises(SettingsInvalid, match=r"one LLM or one VLM .* disable models.vlm and keep"):
            running.save({"models": {"hailo_llm": {"enabled": True, "model": "Qwen3-1.7B-Instruct"}}})

    def test_impossible_profile_by_hand_does_not_block_other_changes(self, tmp_path: Path) -> None:
        running = store(tmp_path, "models: {vlm: {enabled: true, model: a}, hailo_llm: {enabled: true, model: b}}")
        assert running.save({DELAY: 2}).settings.ha_assist_verify_delay == 2

    @given(data=st.data())
    def test_roundtrip(self, data: st.DataObject) -> None:
        names = st.one_of(st.none(), st.text(min_size=1, max_size=30).filter(lambda text: bool(text.strip())))
        changes = data.draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "settings.ha_assist_text_model": names,
                    "settings.ha_assist_verify_delay": st.floats(0, 30),
                    "settings.ha_assist_fuzzy_margin": st.floats(0, 100, exclude_min=True),
                    "settings.ha_assist_verify_attempts": st.integers(0, 10),
                    "settings.ha_assist_sentence_repair": st.booleans(),
                    "settings.ha_assist_languages": st.lists(st.sampled_from(["de", "en", "pt-BR", "no"])),
                    "models.vlm.model": names,
                    "models.gemma.max_input_tokens": st.integers(512, 16384),
                    "models.upstream.api_key": names,
                    "models.upstream.enabled": st.booleans(),
                },
            )
        )
        with tempfile.TemporaryDirectory() as folder:
            running = store(Path(folder))
            saved = running.save(changes)
            assert store(Path(folder)).current == saved
            assert store(Path(folder)).revision == running.revision
            values = values_of(saved)
            assert all(values[key] == (v.strip() if isinstance(v, str) else v) for key, v in changes.items())


class TestConflict:
    def test_a_second_panel(self, tmp_path: Path) -> None:
        running = store(tmp_path)
        seen = running.revision
        running.save({DELAY: 1}, expected_revision=seen)
        with pytest.raises(SettingsConflict):
            running.save({DELAY: 2}, expected_revision=seen)
        assert running.current.settings.ha_assist_verify_delay == 1
        running.save({DELAY: 2}, expected_revision=running.revision)

    def test_an_edit_by_hand_is_not_overwritten(self, tmp_path: Path) -> None:
        running = store(tmp_path)
        running.save({DELAY: 1})
        (tmp_path / "settings.yaml").write_text("settings: {ha_assist_queue: 2}")
        with pytest.raises(SettingsConflict, match="by hand"):
            running.save({DELAY: 2})
        running.load()
        running.save({DELAY: 2})
        assert on_disk(tmp_path)["settings"] == {"ha_assist_queue": 2, "ha_assist_verify_delay": 2.0}


class TestWriteError:
    @pytest.mark.parametrize("code", [errno.EROFS, errno.ENOSPC, errno.EACCES])
    def test_nowhere_to_write(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
        running = store(tmp_path)
        monkeypatch.setattr(tempfile, "mkstemp", refuse(code))
        with pytest.raises(SettingsWriteError, match=os.strerror(code)) as caught:
            running.save({DELAY: 1})
        assert str(tmp_path) in caught.value.message
        assert running.current == Settings()

    def test_disk_full_in_the_middle_leaves_the_old_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        running = store(tmp_path)
        running.save({DELAY: 1})
        monkeypatch.setattr(os, "fsync", refuse(errno.ENOSPC))
        with pytest.raises(SettingsWriteError, match="No space left"):
            running.save({DELAY: 2})
        assert running.current.settings.ha_assist_verify_delay == 1
        assert on_disk(tmp_path)["settings"] == {"ha_assist_verify_delay": 1.0}
        assert [path.name for path in tmp_path.iterdir()] == ["settings.yaml"]

    def test_data_directory_is_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "data").write_text("")
        running = store(tmp_path / "data")
        assert running.problem is not None
        with pytest.raises(SettingsWriteError):
            running.save({DELAY: 1})


class TestEnvironment:
    def test_it_wins_over_the_file_and_is_reported(self, tmp_path: Path) -> None:
        running = store(tmp_path, "settings: {ha_assist_verify_delay: 1}", **{DELAY_VARIABLE: "2.5"})
        assert running.current.settings.ha_assist_verify_delay == 2.5
        assert running.overridden == {DELAY: DELAY_VARIABLE}

    def test_values_of_every_kind(self, tmp_path: Path) -> None:
        running = store(
            tmp_path,
            HA_ASSIST_MODELS__UPSTREAM__BASE_URL="http://server:8080/v1/",
            HA_ASSIST_MODELS__UPSTREAM__ENABLED="true",
            HA_ASSIST_MODELS__UPSTREAM__API_KEY="secret",
            HA_ASSIST_SETTINGS__HA_ASSIST_LANGUAGES="de,en",
            HA_ASSIST_SETTINGS__HA_ASSIST_QUEUE="",
            HA_ASSIST_PORT="1",
        )
        assert running.problem is None
        assert running.current.models.upstream.base_url == "http://server:8080/v1"
        assert running.current.models.upstream.enabled
        assert running.current.settings.ha_assist_languages == ("de", "en")

    def test_it_is_never_written_back(self, tmp_path: Path) -> None:
        running = store(tmp_path, "settings: {ha_assist_verify_delay: 1}", **{DELAY_VARIABLE: "2.5"})
        running.save(running.current.model_copy(update={"models": Settings().models}))
        running.save({"settings": {"ha_assist_verify_delay": 2.5, "ha_assist_queue": 2}})
        assert on_disk(tmp_path)["settings"] == {"ha_assist_verify_delay": 1, "ha_assist_queue": 2}
        assert running.current.settings.ha_assist_verify_delay == 2.5

    def test_it_cannot_be_changed_elsewhere(self, tmp_path: Path) -> None:
        with pytest.raises(SettingsInvalid, match=f"environment variable {DELAY_VARIABLE}"):
            store(tmp_path, **{DELAY_VARIABLE: "2.5"}).save({DELAY: 3})

    def test_an_invalid_one_is_left_out_and_named(self, tmp_path: Path) -> None:
        running = store(
            tmp_path,
            "settings: {ha_assist_verify_delay: 1}",
            HA_ASSIST_SETTINGS__HA_ASSIST_QUEUE="4",
            HA_ASSIST_MODELS__GEMA__ENABLED="true",
            HA_ASSIST_SETTINGS__="x",
            **{DELAY_VARIABLE: "soon"},
        )
        assert running.problem is not None
        assert DELAY_VARIABLE in running.problem.sentence
        assert running.current.settings.ha_assist_verify_delay == 1
        assert running.current.settings.ha_assist_queue == 4
        assert set(running.overridden) == {"settings.ha_assist_queue"}

    @given(
        st.dictionaries(
            st.sampled_from(
                [
                    "MODELS__VLM",
                    "MODELS__VLM__ENABLED",
                    "MODELS__VLM__ENABLED__X",
                    "MODELS__",
                    "SETTINGS__HA_ASSIST_QUEUE",
                    "SETTINGS____",
                ]
            ).map("HA_ASSIST_{}".format),
            st.sampled_from(["true", "4", "x", "", "{}"]),
        )
    )
    def test_no_variable_prevents_the_start(self, environ: dict[str, str]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            assert SettingsStore(Path(folder), environ).current is not None


class TestSubscribers:
    def test_they_see_before_and_after(self, tmp_path: Path) -> None:
        running = store(tmp_path)
        seen: list[tuple[float, float]] = []
        end = running.subscribe(
            lambda old, new: seen.append((old.settings.ha_assist_verify_delay, new.settings.ha_assist_verify_delay))
        )
        running.save({DELAY: 1})
        running.save({DELAY: 1})
        (tmp_path / "settings.yaml").write_text("settings: {ha_assist_verify_delay: 3}")
        running.load()
        end()
        end()
        running.save({DELAY: 4})
        assert seen == [(0.5, 1), (1, 3)]

    def test_one_that_fails_hides_nothing(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        def fail(_old: Settings, _new: Settings) -> None:
            raise RuntimeError("no")

        running = store(tmp_path)
        running.subscribe(fail)
        assert running.save({DELAY: 1}).settings.ha_assist_verify_delay == 1
        assert "did not take over" in caplog.text


def refuse(code: int) -> Any:
    def call(*_args: object, **_kwargs: object) -> None:
        raise OSError(code, os.strerror(code))

    return call
