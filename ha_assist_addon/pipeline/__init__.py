"""From a request to a reply: `run.py` holds the steps in order, every other module is one step."""
