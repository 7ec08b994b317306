"""The AI task: text or data from instructions and images."""

from typing import Any, override

import voluptuous as vol

from homeassistant.components import ai_task, conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util.json import json_loads

from .const import LOGGER, SUBENTRY_AI_TASK
from .entity import HaAssistEntity
from .errors import EmptyAnswer, InvalidData
from .models import HaAssistConfigEntry
from .schema import response_format, without_nulls

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant, entry: HaAssistConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """A task entity for each of its subentries."""
    for subentry in entry.subentries.values():
        if subentry.subentry_type == SUBENTRY_AI_TASK:
            async_add_entities([HaAssistTaskEntity(entry, subentry)], config_subentry_id=subentry.subentry_id)


class HaAssistTaskEntity(HaAssistEntity, ai_task.AITaskEntity):
    """Generates data; what does not fit the structure is an error."""

    _attr_supported_features = (
        ai_task.AITaskEntityFeature.GENERATE_DATA | ai_task.AITaskEntityFeature.SUPPORT_ATTACHMENTS
    )

    @override
    async def _async_generate_data(
        self, task: ai_task.GenDataTask, chat_log: conversation.ChatLog
    ) -> ai_task.GenDataTaskResult:
        """Run a task."""
        form: dict[str, Any] = {}
        if task.structure:
            form["response_format"] = response_format(task.name, task.structure, chat_log.llm_api)
        await self._async_ask(chat_log, lambda: form)
        answer = chat_log.content[-1]
        if not isinstance(answer, conversation.AssistantContent) or not answer.content:
            raise EmptyAnswer
        data = _data(answer.content, task.structure) if task.structure else answer.content
        return ai_task.GenDataTaskResult(conversation_id=chat_log.conversation_id, data=data)


def _data(text: str, structure: vol.Schema) -> Any:
    """The data in an answer. Raises InvalidData."""
    try:
        return structure(without_nulls(json_loads(text)))
    except (ValueError, vol.Invalid) as error:
        # The answer can quote what was asked: for debugging only.
        LOGGER.debug("The answer is not of the structure: %s in %s", error, text)
        raise InvalidData from error
