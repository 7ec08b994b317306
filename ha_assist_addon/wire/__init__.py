"""The JSON of OpenAI's APIs, without HTTP: requests as they are read."""
