"""Every error a client can see: its code, its status and one sentence for a person.

Home Assistant's llama.cpp integration speaks the message aloud, so each one is worded for the person in the room.
"""

from __future__ import annotations

from typing import ClassVar


class HaAssistError(Exception):
    """Base of all errors that reach a client as an OpenAI error object."""

    code: ClassVar[str] = "server_error"
    status: ClassVar[int] = 500
    type: ClassVar[str] = "server_error"
    retry: ClassVar[bool] = False
    sentence: ClassVar[str] = "Something went wrong inside HA-Assist."

    def __init__(self, message: str | None = None, *, param: str | None = None) -> None:
        self.message = message or self.sentence
        self.param = param
        self.said = ""
        """What the language model's server said itself: for the panel, never for a client."""
        super().__init__(self.message)


class InternalError(HaAssistError):
    """A fault of our own; the log holds the details."""


class InvalidRequest(HaAssistError):
    """The request cannot be understood."""

    code = "invalid_request"
    status = 400
    type = "invalid_request_error"
    sentence = "HA-Assist could not understand this request."


class ContextLengthExceeded(InvalidRequest):
    """What must be in the prompt does not fit the model."""

    code = "context_length_exceeded"
    sentence = "This request is too long for the language model."


class NoToolCall(InvalidRequest):
    """The request demands a tool call, and the sentence calls for none."""

    code = "no_tool_call"
    sentence = "This request insists on an action, and HA-Assist found none to do."


class InvalidImage(InvalidRequest):
    """An image that is not sent along, is of another kind, or is too large."""

    code = "invalid_image"
    sentence = "HA-Assist could not read this image."


class InvalidApiKey(HaAssistError):
    """The bearer key is missing or wrong."""

    code = "invalid_api_key"
    status = 401
    type = "authentication_error"
    sentence = "The key for HA-Assist is missing or wrong. You find the right one in the HA-Assist panel."


class NotFound(HaAssistError):
    """No such path."""

    code = "not_found"
    status = 404
    type = "invalid_request_error"
    sentence = "HA-Assist does not offer this address."


class RequestNotKept(NotFound):
    """A recorded request whose home is not kept, or never was."""

    code = "request_not_kept"
    sentence = "The home of this request is not kept any more. Take a newer request or the example home."


class ModelNotFound(HaAssistError):
    """No such model, or it is not enabled."""

    code = "model_not_found"
    status = 404
    type = "invalid_request_error"
    sentence = "HA-Assist does not know this model."


class MethodNotAllowed(HaAssistError):
    """The path exists, the method does not."""

    code = "method_not_allowed"
    status = 405
    type = "invalid_request_error"
    sentence = "HA-Assist does not answer this kind of request here."


class RequestTooSlow(HaAssistError):
    """The body did not arrive in time."""

    code = "request_timeout"
    status = 408
    type = "invalid_request_error"
    sentence = "This request did not reach HA-Assist in time."


class BodyTooLarge(HaAssistError):
    """The body is larger than the limit."""

    code = "request_too_large"
    status = 413
    type = "invalid_request_error"
    sentence = "This request is too large for HA-Assist."


class PackedBody(HaAssistError):
    """The body is compressed: a few bytes may stand for gigabytes, and no client of ours packs what it sends."""

    code = "unsupported_encoding"
    status = 415
    type = "invalid_request_error"
    sentence = "HA-Assist reads no compressed requests."


class BackendFailed(HaAssistError):
    """The language model answered with an error or with something unreadable."""

    code = "backend_error"
    status = 502
    sentence = "The language model could not answer."


class BackendUnavailable(HaAssistError):
    """The language model cannot be reached."""

    code = "backend_unavailable"
    status = 503
    sentence = "The language model cannot be reached right now."


class ModelNotReady(BackendUnavailable):
    """The model is being fetched or loaded, or lacks something; the message says what."""

    code = "model_not_ready"
    sentence = "The language model is not ready yet. Please try again in a moment."


class AnswerNotStructured(BackendFailed):
    """Data of a certain form was asked for, and the model answered something else."""

    code = "structured_output_failed"
    sentence = "The language model did not answer in the form that was asked for."


class Busy(HaAssistError):
    """The queue before the language model is full."""

    code = "busy"
    status = 503
    retry = True
    sentence = "The language model is busy. Please try again in a moment."


class ShuttingDown(HaAssistError):
    """The server was told to stop before the answer was whole."""

    code = "shutting_down"
    status = 503
    retry = True
    sentence = "HA-Assist is being stopped or restarted. Please try again in a moment."


class BackendTimeout(HaAssistError):
    """The language model took too long."""

    code = "backend_timeout"
    status = 504
    sentence = "The language model took too long to answer."


class NoModel(HaAssistError):
    """Structured data was asked for, and no language model is set up."""

    code = "no_model"
    status = 400
    type = "invalid_request_error"
    sentence = "This needs a language model, and none is set up. You can choose one in the settings of HA-Assist."


class HomeUnavailable(HaAssistError):
    """Home Assistant does not show the real home over MCP; the message says what is missing.

    Not a 502: proxies before Home Assistant replace the page of one with their own.
    """

    code = "home_unavailable"
    status = 424
    sentence = "Home Assistant could not be asked about the home."


class OnlyShown(HaAssistError):
    """A tool that may change something is not run from the panel."""

    code = "only_shown"
    status = 403
    type = "invalid_request_error"
    sentence = "This may change something in the home, so it is only shown and nothing was run."
