"""Which of the offered tools a sentence may need."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ..home.entity import Entity
from ..home.intents import PLATFORM, SWITCHES
from ..home.toolbox import Tool, Toolbox
from ..language.words import folded_words
from .concepts import Concept
from .lexical import WordIndex, same_stem
from .select import Score, Signal

MOST_TOOLS = 8

STATE_TOOL = "GetLiveContext"

_DOMAINS: Mapping[str, frozenset[str]] = {
    **PLATFORM,
    "HassBroadcast": frozenset({"assist_satellite"}),
    "todo_get_items": frozenset({"todo"}),
    "calendar_get_events": frozenset({"calendar"}),
    "search_media": frozenset({"media_player"}),
    "play_media": frozenset({"media_player"}),
}
_UNSWITCHABLE = frozenset(
    {"sensor", "binary_sensor", "weather", "todo", "calendar", "person", "device_tracker", "zone", "script"}
)
_LEAST = 2.0
"""The score below which a tool only costs room."""

_LONGEST_TEXT = 200
_SHORTEST_TELLING = 4
"""Letters of a word that can tie a sentence to a tool."""


@dataclass(frozen=True, slots=True)
class ToolEvidence:
    """What speaks for tools: `domains` and `scripts` (by offered name) as shares of the best entity's score."""

    words: Sequence[str] = ()
    concepts: Sequence[Concept] = ()
    domains: Mapping[str, float] = field(default_factory=dict)
    scripts: Mapping[str, float] = field(default_factory=dict)
    meaning: Mapping[str, float] = field(default_factory=dict)
    named: Collection[str] = ()
    history: Collection[str] = ()
    about: Collection[str] = ()
    """Contributed tools that the sentence speaks of."""


def score_tools(toolbox: Toolbox, evidence: ToolEvidence) -> list[Score]:
    """The score of each tool, in the order in which they are offered."""
    by_words = _index(tuple((tool.plain, tool.description[:_LONGEST_TEXT]) for tool in toolbox.tools)).score(
        evidence.words
    )
    wanted = _by_concept(evidence.concepts)
    switchable = max((share for d, share in evidence.domains.items() if d not in _UNSWITCHABLE), default=0.0)
    scores = []
    for number, tool in enumerate(toolbox.tools):
        score = Score()
        score.add(Signal.NAMED, 100.0 * (tool.name in evidence.named))
        score.add(Signal.HISTORY, 60.0 * (tool.name in evidence.history))
        score.add(Signal.SUBJECT, 30.0 * (tool.name in evidence.about))
        score.add(Signal.CONCEPT, wanted.get(tool.plain, 0.0))
        family = max((evidence.domains.get(domain, 0.0) for domain in _DOMAINS.get(tool.plain, ())), default=0.0)
        score.add(Signal.FAMILY, 4.0 * family)
        if tool.plain in SWITCHES:
            score.add(Signal.FAMILY, 5.0 * switchable)
        elif tool.plain == STATE_TOOL:
            score.add(Signal.FAMILY, 5.0)
        score.add(Signal.FAMILY, 10.0 * evidence.scripts.get(tool.name, 0.0))
        score.add(Signal.WORDS, 8.0 * by_words.get(number, 0.0))
        score.add(Signal.MEANING, 5.0 * evidence.meaning.get(tool_text(tool), 0.0))
        scores.append(score)
    return scores


def best_tools(scores: Sequence[Score]) -> list[int]:
    """Positions of the tools to keep, the best first; required ones in any number."""
    ranked = sorted((n for n, s in enumerate(scores) if s.points >= _LEAST), key=lambda n: (-scores[n].points, n))
    return [n for place, n in enumerate(ranked) if place < MOST_TOOLS or scores[n].required]


def domain_shares(entities: Sequence[Entity], scores: Sequence[Score]) -> dict[str, float]:
    """How much of the best entity's score each domain reached."""
    most = max((score.points for score in scores), default=0.0)
    shares: dict[str, float] = {}
    for entity, score in zip(entities, scores, strict=True):
        shares[entity.domain] = max(shares.get(entity.domain, 0.0), score.points / most)
    return shares


def tool_text(tool: Tool) -> str:
    """What is compared with a sentence by meaning: the name as words, then the beginning of the description."""
    return f"{spoken(tool.plain)}: {tool.description[:_LONGEST_TEXT]}"


def spoken_of(
    toolbox: Toolbox, sentence: Sequence[str], fragments: Mapping[str, str], common: Collection[str]
) -> frozenset[str]:
    """The contributed tools that a sentence speaks of, by the names under which they are offered."""
    contributed = (tool for tool in toolbox.tools if tool.is_contributed)
    return frozenset(t.name for t in contributed if _speaks_of(sentence, t, fragments.get(t.name, ""), common))


def _speaks_of(sentence: Sequence[str], tool: Tool, fragment: str, common: Collection[str]) -> bool:
    """Whether a sentence has a telling word of a tool's name, description or fragment; none that the grammar has too.

    A name whose words are all common ones, as `weather__forecast` has, is told by any of them.
    """
    name = [word for word in folded_words(spoken(tool.name.replace("__", "_"))) if len(word) >= _SHORTEST_TELLING]
    telling = [word for word in name if word not in common] or name
    more = folded_words(f"{tool.description[:_LONGEST_TEXT]} {fragment}")
    telling += [word for word in more if len(word) >= _SHORTEST_TELLING and word not in common and word not in name]
    said = [word for word in sentence if len(word) >= _SHORTEST_TELLING]
    return any(word == known or same_stem(word, known) for word in said for known in telling)


def _by_concept(concepts: Sequence[Concept]) -> dict[str, float]:
    """The likeliest tool of the most telling concept leads, the further ones follow closely."""
    points: dict[str, float] = {}
    for concept in concepts:
        for place, plain in enumerate(concept.tools):
            gained = 6.0 * 0.95**place
            before = points.get(plain, 0.0)
            points[plain] = max(before, gained) + 0.3 * min(before, gained)
    return points


def spoken(plain: str) -> str:
    """A tool's name as words: `HassLightSet` as "light set", `movie_time` as "movie time"."""
    words = "".join(f" {c.lower()}" if c.isupper() else c for c in plain.removeprefix("Hass"))
    return words.replace("_", " ").strip()


@lru_cache(maxsize=16)
def _index(tools: tuple[tuple[str, str], ...]) -> WordIndex:
    return WordIndex(dict.fromkeys(folded_words(f"{spoken(plain)} {description}"), 1.0) for plain, description in tools)
