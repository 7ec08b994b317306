"""The settings page: every setting, saved together, applied at once, and nobody's change is lost unseen."""

from __future__ import annotations

import re
from html import unescape

import pytest

from ha_assist_addon.panel.settings_fields import Kind, specs
from ha_assist_addon.settings.store import values_of
from tests.backends.test_probe import MODELS, server

from .conftest import Add, Panel

ATTEMPTS, DELAY = "settings.ha_assist_verify_attempts", "settings.ha_assist_verify_delay"


def form_of(page: str) -> list[tuple[str, str]]:
    """The fields as a browser would send them."""
    form = page[page.index('id="form"') :]
    form = form[: form.index("</form>")]
    sent = []
    for tag in re.findall(r"<input\b[^>]*>", form):
        attributes = {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        flags = set(re.sub(r'"[^"]*"', "", tag).split())
        if "disabled" in flags or (attributes.get("type") in {"checkbox", "radio"} and "checked" not in flags):
            continue
        unset = "on" if attributes.get("type") == "checkbox" else ""
        sent.append((attributes["name"], attributes.get("value", unset)))
    for name, options in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r"<option(?: value=\"([^\"]*)\")? selected>([^<]*)", options)
        assert chosen is not None
        sent.append((name, chosen[2] if chosen[1] is None else unescape(chosen[1])))
    return [(name, value) for name, value in sent if name != "token"]


def changed(form: list[tuple[str, str]], **values: str | None) -> list[tuple[str, str]]:
    keys = {name.replace("__", "."): value for name, value in values.items()}
    kept = [(name, value) for name, value in form if name not in keys]
    return [*kept, *((name, value) for name, value in keys.items() if value is not None)]


def held(panel: Panel, key: str) -> object:
    return values_of(panel.services.settings.current)[key]


async def test_every_setting_has_a_field_with_title_and_description(panel: Panel) -> None:
    page = unescape(await panel.get("settings"))
    for spec in specs():
        assert f'name="{spec.key}"' in page, spec.key
        assert spec.title in page
        assert spec.description in page
        assert spec.title != spec.key


async def test_saving_what_is_shown_changes_nothing(panel: Panel) -> None:
    before = panel.services.settings.current
    assert "from the next request on" in await panel.post("settings", form_of(await panel.get("settings")))
    assert panel.services.settings.current == before


async def test_a_change_holds_at_once_and_the_worst_case_is_spelled_out(panel: Panel) -> None:
    page = await panel.get("settings")
    assert "an action takes up to 1.0 s longer and uses 5 of the 10 rounds" in page
    values: dict[str, str | None] = {
        "settings__ha_assist_verify_attempts": "4",
        "settings__ha_assist_verify_delay": "1,5",
    }
    values |= {"settings__ha_assist_fuzzy_enabled": None, "models__gemma__threads": ""}
    after = await panel.post("settings", changed(form_of(page), **values))
    assert "takes up to 6.0 s longer and uses 7 of" in after
    assert (held(panel, ATTEMPTS), held(panel, DELAY)) == (4, 1.5)
    assert held(panel, "settings.ha_assist_fuzzy_enabled") is False
    most = await panel.post("settings", changed(form_of(after), settings__ha_assist_verify_attempts="10"))
    assert "takes up to 12.0 s longer and uses 10 of" in most
    off = await panel.post("settings", changed(form_of(most), settings__ha_assist_verify_attempts="0"))
    assert "not checked" in off


async def test_what_cannot_be_saved_stays_typed_and_is_explained(panel: Panel) -> None:
    form = changed(
        form_of(await panel.get("settings")), settings__ha_assist_verify_attempts="99", settings__ha_assist_queue="9"
    )
    page = await panel.post("settings", form, status=400)
    assert re.search(r'id="settings-ha_assist_verify_attempts-error">.*?Enter at most 10\.', page)
    assert re.search(rf'name="{re.escape(ATTEMPTS)}"[^>]* value="99"[^>]*aria-invalid="true"', page)
    assert page.count('aria-invalid="true"') == 1
    assert '<a href="#settings-ha_assist_verify_attempts">Number of checks</a>' in page
    assert "ha_assist_verify_attempts is" not in page, "no key stands where a label can"
    assert (held(panel, ATTEMPTS), held(panel, "settings.ha_assist_queue")) == (2, 8)


async def test_every_fault_is_told_at_its_field_in_the_readers_language(panel: Panel) -> None:
    form = changed(
        form_of(await panel.get("settings")),
        settings__ha_assist_verify_attempts="many",
        models__upstream__base_url="no address",
        diagnostics__keep_days="0",
    )
    token = await panel.token()
    data = [("token", token), *form]
    async with panel.http.post(panel.url + "settings", data=data, headers={"Accept-Language": "de"}) as response:
        page = unescape(await response.text())
        assert response.status == 400
    for field, sentence in (
        ("settings-ha_assist_verify_attempts", "Gib eine ganze Zahl ein."),
        ("models-upstream-base_url", "Gib eine Adresse ein wie http"),
        ("diagnostics-keep_days", "Gib mindestens 1 ein."),
    ):
        assert re.search(rf'id="{field}-error">.*?{re.escape(sentence)}', page), field
    assert "should be" not in page


async def test_a_default_is_shown_and_can_be_restored(panel: Panel) -> None:
    page = await panel.get("settings")
    assert "Default: 2." in page
    assert "data-restore" not in page
    panel.services.settings.save({ATTEMPTS: 5, "settings.ha_assist_fuzzy_enabled": False})
    page = await panel.get("settings")
    assert 'data-restore="settings-ha_assist_verify_attempts" data-value="2"' in page
    assert 'data-restore="settings-ha_assist_fuzzy_enabled" data-value="on"' in page


async def test_a_choice_that_cannot_work_is_not_called_a_success(panel: Panel) -> None:
    form = changed(
        form_of(await panel.get("settings")), profile="upstream", models__upstream__base_url="http://127.0.0.1:9/v1"
    )
    page = await panel.post("settings", form)
    assert "Saved, but something is still missing" in page
    assert "Model on another server: Model: Choose a model" in page
    assert 'class="note good"' not in page


async def test_a_form_from_before_a_restart_keeps_what_was_typed(panel: Panel) -> None:
    form = changed(
        form_of(await panel.get("settings")), settings__ha_assist_queue="23", settings__ha_assist_timeout="77"
    )
    async with panel.http.post(panel.url + "settings", data=[("token", "of-another-start"), *form]) as response:
        page = await response.text()
        assert response.status == 403
    assert "HA-Assist was restarted since you opened this page" in page
    assert held(panel, "settings.ha_assist_queue") == 8, "nothing is saved without a token of this start"
    await panel.post("settings", form_of(page))
    assert held(panel, "settings.ha_assist_queue") == 23
    assert held(panel, "settings.ha_assist_timeout") == 77


async def test_a_server_is_tested_with_what_is_typed_and_its_models_are_offered(panel: Panel) -> None:
    async with server(MODELS) as url:
        form = changed(
            form_of(await panel.get("settings")), profile="upstream", models__upstream__base_url=url.removesuffix("/v1")
        )
        page = await panel.post("settings", [*form, ("do", "test")])
        assert f"The server answers at {url}." in page
        page = await panel.post("settings", [*changed(form_of(page), models__upstream__base_url=url), ("do", "test")])
        assert "Choose a model. Models the server offers: 2." in page
        assert re.search(r'<option value="large">large</option>', page)
        assert not panel.services.settings.current.models.upstream.enabled, "a test saves nothing"
        form = changed(form_of(page), models__upstream__model="large")
        page = await panel.post("settings", [*form, ("do", "test")])
        assert "The model answered in" in page
        page = await panel.post("settings", form)
        assert 'data-load="models/check"' in page
        checked = await panel.post("models/check")
        assert "The model answered in" in checked


async def test_large_numbers_and_names_of_digits_come_back_as_they_were(panel: Panel) -> None:
    values = {
        "models.upstream.context_tokens": 1048576,
        "models.upstream.model": "007",
        "diagnostics.keep_count": 100000,
    }
    before = panel.services.settings.save(values)
    page = await panel.get("settings")
    assert all(f'value="{value}"' in page for value in values.values())
    await panel.post("settings", form_of(page))
    assert panel.services.settings.current == before


async def test_languages_are_ticked(panel: Panel) -> None:
    form = [*form_of(await panel.get("settings"))]
    form += [("settings.ha_assist_languages", "de"), ("settings.ha_assist_languages", "sv")]
    page = await panel.post("settings", form)
    assert held(panel, "settings.ha_assist_languages") == ["de", "sv"]
    none = [(name, value) for name, value in form_of(page) if name != "settings.ha_assist_languages"]
    await panel.post("settings", none)
    assert held(panel, "settings.ha_assist_languages") == []


async def test_a_profile_enables_its_models_and_no_other(panel: Panel) -> None:
    form = changed(form_of(await panel.get("settings")), profile="gemma_vlm", models__vlm__model="Qwen2-VL-2B-Instruct")
    page = await panel.post("settings", form)
    assert [held(panel, f"models.{kind}.enabled") for kind in ("gemma", "vlm", "hailo_llm", "upstream")] == [
        True,
        True,
        False,
        False,
    ]
    assert re.search(r'value="gemma_vlm" checked', page)
    await panel.post("settings", changed(form_of(page), profile="none"))
    assert not held(panel, "models.gemma.enabled")


async def test_what_no_device_can_hold_is_refused_with_what_works_instead(panel: Panel) -> None:
    form = changed(
        form_of(await panel.get("settings")), profile="own", models__vlm__enabled="on", models__hailo_llm__enabled="on"
    )
    page = await panel.post("settings", form, status=400)
    assert "holds one text model or one vision model, never both" in page
    assert not held(panel, "models.vlm.enabled")
    assert re.search(r'value="own" checked', page)


async def test_two_open_panels_notice_each_other(panel: Panel) -> None:
    mine = form_of(await panel.get("settings"))
    theirs = changed(mine, settings__ha_assist_verify_attempts="5")
    await panel.post("settings", theirs)
    page = await panel.post("settings", changed(mine, settings__ha_assist_queue="20"), status=409)
    assert held(panel, "settings.ha_assist_queue") == 8
    assert re.search(r"Number of checks</td><td[^>]*>5</td><td[^>]*>2</td>", page)
    assert re.search(r"Queue</td><td[^>]*>8</td><td[^>]*>20</td>", page)
    await panel.post("settings", form_of(page))
    assert (held(panel, "settings.ha_assist_queue"), held(panel, ATTEMPTS)) == (20, 2), "saved knowingly"


async def test_a_file_changed_by_hand_is_noticed_too(panel: Panel) -> None:
    form = form_of(await panel.get("settings"))
    panel.services.settings.path.write_text("settings: {ha_assist_queue: 3}")
    page = await panel.post("settings", changed(form, settings__ha_assist_verify_attempts="1"), status=409)
    assert re.search(r"Queue</td><td[^>]*>3</td><td[^>]*>8</td>", page)
    assert held(panel, "settings.ha_assist_queue") == 3


@pytest.mark.parametrize(
    "environ", [{"HA_ASSIST_SETTINGS__HA_ASSIST_VERIFY_ATTEMPTS": "7", "HA_ASSIST_MODELS__GEMMA__ENABLED": "true"}]
)
async def test_what_the_environment_decides_is_shown_and_left_alone(panel: Panel) -> None:
    page = await panel.get("settings")
    assert "HA_ASSIST_SETTINGS__HA_ASSIST_VERIFY_ATTEMPTS" in page
    assert re.search(rf'name="{re.escape(ATTEMPTS)}"[^>]* disabled', page)
    await panel.post("settings", changed(form_of(page), settings__ha_assist_queue="9", profile="none"))
    assert held(panel, ATTEMPTS) == 7
    assert held(panel, "models.gemma.enabled") is True
    assert held(panel, "settings.ha_assist_queue") == 9


async def test_a_secret_never_comes_back_and_is_kept_unless_removed(panel: Panel) -> None:
    key = "models.upstream.api_key"
    assert [spec.key for spec in specs() if spec.kind is Kind.SECRET] == [key]
    page = await panel.post(
        "settings", changed(form_of(await panel.get("settings")), models__upstream__api_key="s3cret")
    )
    assert "s3cret" not in page
    assert held(panel, key) == "s3cret"
    page = await panel.post("settings", form_of(page))
    assert held(panel, key) == "s3cret"
    refused = await panel.post(
        "settings", changed(form_of(page), models__upstream__api_key="other", settings__ha_assist_queue="x"), status=400
    )
    assert 'value="other"' not in refused
    await panel.post("settings", [*form_of(page), (f"{key}.remove", "on")])
    assert held(panel, key) is None


async def test_problems_of_the_settings_are_said(panel: Panel) -> None:
    panel.services.settings.save({"models.upstream.enabled": True})
    panel.services.settings.path.write_text("settings: {ha_assist_queue: <b>}\nmodels: {upstream: {enabled: true}}")
    panel.services.settings.load()
    for path in ("", "settings"):
        page = await panel.get(path)
        assert "The settings file has an error" in page
        assert "Queue: Enter a whole number." in page
        assert "Model on another server: Model: Choose a model" in page


async def test_clear_all_forgets_every_request(panel: Panel, add: Add) -> None:
    add()
    assert "All requests were deleted" in await panel.post("settings/clear")
    assert await panel.services.traces.count() == 0
