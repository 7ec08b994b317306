"""The YAML list of entities: what is read by a pattern is what YAML itself would read."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from ha_assist_addon.home.entity_list import list_block, read_entities

TEXT = st.text(st.sampled_from("aZéÄ中 09_.,:'\"#-&*!?|>%@`{}[]()\\~=°/+\t\u00a0\u2028🙂\n"), max_size=20)
NAMES = TEXT | st.sampled_from(
    [
        "Kitchen Lamp",
        "Büro, Desk",
        "on",
        "123",
        "null",
        "Tim's Lamp",
        "A - B",
        "50% (big)",
        "1:2",
        "a: b",
        "a #b",
        "&anchor x",
        "*alias",
        "<<",
        "'quoted'",
        '"quoted"',
        "e'",
        "'o",
        "2024-01-01",
        "~",
        "long " * 30,
    ]
)
VALUES = NAMES | st.booleans() | st.integers() | st.lists(NAMES, max_size=2)
ITEMS = st.fixed_dictionaries(
    {"names": NAMES, "domain": st.sampled_from(["light", "media_player", "on"])},
    optional={
        "state": NAMES,
        "areas": NAMES,
        "attributes": st.dictionaries(st.sampled_from(["brightness", "device_class", "a b"]), VALUES),
    },
)


def by_yaml(block: str) -> list[tuple[Any, ...]]:
    """What the list says, read by YAML alone: every scalar as text, and of the attributes the scalars."""
    listed = yaml.load(block, Loader=yaml.BaseLoader) or []
    return [
        (split(i["names"]), i["domain"], split(i.get("areas", "")), i.get("state"), scalars(i.get("attributes")))
        for i in listed
    ]


def scalars(attributes: Any) -> dict[str, str]:
    return {key: value for key, value in (attributes or {}).items() if isinstance(value, str)}


def split(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(", ") if part.strip()))


def read(block: str) -> list[tuple[Any, ...]]:
    return [(e.names, e.domain, e.areas, e.state, e.attributes) for e in read_entities(block)]


@given(st.lists(ITEMS, max_size=5), st.booleans())
def test_a_list_means_what_yaml_says(items: list[dict[str, Any]], unicode: bool) -> None:
    block = yaml.safe_dump(items, allow_unicode=unicode, sort_keys=False)
    assert read(block) == by_yaml(block)


@given(st.lists(st.tuples(NAMES, NAMES), max_size=4))
def test_values_written_without_quotes_mean_what_yaml_says(items: list[tuple[str, str]]) -> None:
    block = "".join(f"- names: {names}\n  domain: light\n  areas: {area}\n" for names, area in items)
    try:
        expected = by_yaml(block)
    except (yaml.YAMLError, AttributeError, KeyError, TypeError):
        read_entities(block)
    else:
        assert read(block) == expected


def test_a_broken_item_between_plain_ones_is_left_out() -> None:
    plain = "- names: {}\n  domain: light\n"
    block = plain.format("One") + '- names: "open\n  domain: light\n' + plain.format("Two")
    assert [e.name for e in read_entities(block)] == ["One", "Two"]


def test_more_items_than_are_read_by_yaml_at_a_time_keep_their_order() -> None:
    names = [f"Lamp {n}: odd" if n % 3 else f"Lamp {n}" for n in range(500)]
    block = yaml.safe_dump([{"names": name, "domain": "light"} for name in names], sort_keys=False)
    assert [e.name for e in read_entities(block)] == names


def test_the_list_ends_behind_its_last_item_and_one_blank_line() -> None:
    text = "- names: A\n  domain: light\n\n- names: B\n  domain: light\n\n\nMore: text"
    block, end = list_block(text, 0)
    assert [e.name for e in read_entities(block)] == ["A", "B"]
    assert text[end:] == "\nMore: text"


def test_a_hundred_thousand_blank_lines_are_read_at_once() -> None:
    text = "- names: A\n  domain: light\n" + "\n" * 100_000 + "end"
    assert list_block(text, 0)[1] == text.index("\n\n") + 2
