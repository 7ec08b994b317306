"""Names that several modules of the integration share."""

import logging

DOMAIN = "ha_assist"
LOGGER = logging.getLogger(__package__)

HOME_FIELD = "ha_context"
"""The part of a request that tells of the home."""

CONF_CHAT_MODEL = "chat_model"
CONF_SEND_HOME = "send_home"
CONF_VERSION = "version"

SUBENTRY_CONVERSATION = "conversation"
SUBENTRY_AI_TASK = "ai_task_data"

DEFAULT_MODEL = "HA-Assist"
"""The model that a server must offer to be HA-Assist; further ones are its language models themselves."""

LENGTH_OF_MADE_KEYS = 40
"""Keys that a server made for itself are this long or longer; two servers never have the same one."""

DEFAULT_TITLE = "HA-Assist"
DEFAULT_AI_TASK_TITLE = "HA-Assist AI Task"

TOOLS_API_ID = "ha_assist_tools"
TOOLS_API_NAME = "HA-Assist tools"
