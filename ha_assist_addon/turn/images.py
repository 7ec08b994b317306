"""The images of a request, looked at before any model sees them."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from ..conversation import ChatRequest
from ..errors import InvalidImage
from ..pictures import CheckedImage, check_image

MOST_IMAGES = 4
"""In a whole request, older turns included."""

_DECODER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="images")
"""One at a time: an image of the largest size takes 160 MB while it is decoded."""


async def check_images(request: ChatRequest) -> tuple[CheckedImage, ...]:
    """All images of a request in the order of its messages, decoded once to be sure; raises InvalidImage."""
    loop = asyncio.get_running_loop()
    checked: list[CheckedImage] = []
    for index, message in enumerate(request.messages):
        for url in message.images:
            param = f"messages[{index}].content"
            if len(checked) == MOST_IMAGES:
                raise InvalidImage(f"HA-Assist looks at no more than {MOST_IMAGES} images at once.", param=param)
            try:
                checked.append(await loop.run_in_executor(_DECODER, check_image, url))
            except InvalidImage as error:
                raise InvalidImage(error.message, param=param) from error
    return tuple(checked)
